import Foundation

extension String {
    /// The parts before and behind the first, or last, place of a text; nil behind where there is none.
    func cut(at text: String, last: Bool = false) -> (String, String?) {
        guard let place = range(of: text, options: last ? .backwards : []) else { return (self, nil) }
        return (String(self[..<place.lowerBound]), String(self[place.upperBound...]))
    }
}
