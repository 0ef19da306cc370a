/// Wanted text of several lines, as ``LinePattern`` reads each; a line that is `…` alone stands for any number of lines.
struct TextPattern {
    private let lines: [LinePattern]

    init(_ text: String) { lines = Self.lines(of: text).map { LinePattern($0) } }

    func matches(_ text: String) -> Bool { captures(of: text) != nil }

    /// The named parts of a text that fits; nil for one that does not.
    func captures(of text: String) -> [String: String]? {
        var search = Search(wanted: lines, got: Self.lines(of: text))
        return search.match(0, 0)
    }

    /// Whether text that begins with these whole lines can still fit.
    func canBegin(with whole: [String]) -> Bool {
        var places: Set<Int> = [0]
        for line in whole {
            var next: Set<Int> = []
            var open = Array(places)
            var seen = places
            while let place = open.popLast() {
                guard place < lines.count else { continue }
                if lines[place].isAnyLines {
                    next.insert(place)
                    if seen.insert(place + 1).inserted { open.append(place + 1) }
                } else if lines[place].matches(line) {
                    next.insert(place + 1)
                }
            }
            places = next
            if places.isEmpty { return false }
        }
        return true
    }

    /// Whether nothing in a text varies.
    static func isExact(_ text: String) -> Bool { !text.contains("…") }

    /// Lines without their ends.
    static func lines(of text: String) -> [String] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    /// Remembers what did not fit, so that many marks cost no more than lines × lines.
    private struct Search {
        struct Place: Hashable {
            let wanted: Int
            let got: Int
        }

        let wanted: [LinePattern]
        let got: [String]
        var failed: Set<Place> = []

        mutating func match(_ i: Int, _ j: Int) -> [String: String]? {
            guard i < wanted.count else { return j == got.count ? [:] : nil }
            guard !failed.contains(Place(wanted: i, got: j)) else { return nil }
            if wanted[i].isAnyLines {
                for start in j...got.count { if let found = match(i + 1, start) { return found } }
            } else if j < got.count, let first = wanted[i].captures(of: got[j]), let rest = match(i + 1, j + 1) {
                return first.merging(rest) { _, last in last }
            }
            failed.insert(Place(wanted: i, got: j))
            return nil
        }
    }
}
