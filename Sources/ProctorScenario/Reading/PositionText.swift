import ProctorBase

/// A word, and perhaps a number after it: `body 4096`.
enum PositionText: Equatable {
    case word(String, Int?)
    case unreadable

    init(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        switch words.count {
        case 1: self = .word(text, nil)
        case 2:
            guard !words[1].isEmpty, words[1].utf8.allSatisfy(\.isASCIIDigit), let number = Int(words[1]),
                number <= Bounds.bodyByteCount
            else {
                self = .unreadable
                return
            }
            self = .word(String(words[0]), number)
        default: self = .unreadable
        }
    }
}
