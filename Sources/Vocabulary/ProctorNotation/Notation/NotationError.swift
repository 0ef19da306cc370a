/// An error in the text of an expression, found by the parser.
package struct NotationError: Error, Sendable, Equatable, CustomStringConvertible {
    package let text: String
    /// Bytes from the beginning of the text.
    package let offset: Int
    /// The line, from 1.
    package let line: Int
    /// The column in bytes of the line, from 1.
    package let column: Int
    /// The error and the correct form, without the place.
    package let sentence: String

    init(text: String, offset: Int, sentence: String) {
        (self.text, self.offset, self.sentence) = (text, offset, sentence)
        var line = 1
        var column = 1
        for byte in text.utf8.prefix(offset) {
            column += 1
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            }
        }
        (self.line, self.column) = (line, column)
    }

    /// The line of the expression and a line with a caret below the place, without a line end.
    package var caretLines: String { CaretText(text).lines(pointingAt: [offset]).joined(separator: "\n") }

    package var description: String { "\(sentence)\n\(caretLines)" }
}

/// Prints the lines of a text that contain marked places, each with carets below.
struct CaretText {
    private let bytes: [UInt8]
    static let widest = 100

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Pairs of lines, in the order of the text; an offset after the text marks its end.
    func lines(pointingAt offsets: [Int]) -> [String] {
        let places = Set(offsets.map { min(max($0, 0), bytes.count) })
        var result: [String] = []
        var start = 0
        while true {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            let here = places.filter { start...end ~= $0 }
            if !here.isEmpty { result += Self.pair(bytes[start..<end], Set(here)) }
            guard end < bytes.count else { return result }
            start = end + 1
        }
    }

    /// One source line and its carets; columns are characters, so that the two lines are aligned.
    private static func pair(_ line: ArraySlice<UInt8>, _ places: Set<Int>) -> [String] {
        var shown: [Character] = []
        var carets: [Bool] = []
        var offset = line.startIndex
        for character in String(decoding: line, as: UTF8.self) {
            let next = offset + character.utf8.count
            // Each character takes one column, so that no text can move the caret or the terminal's cursor.
            shown.append(character.isPrintable ? character : character == "\t" ? " " : "?")
            carets.append((offset..<next).contains(where: places.contains))
            offset = next
        }
        // Bytes that are not UTF-8 were replaced by longer characters; a caret after the line moves to its end.
        carets.append(places.contains { $0 >= min(offset, line.endIndex) })
        guard let first = carets.firstIndex(of: true) else { return [] }
        var window = 0..<shown.count
        if shown.count > widest {
            let start = max(0, min(first - widest / 3, shown.count - widest))
            window = start..<min(shown.count, start + widest)
        }
        let prefix = window.lowerBound > 0 ? "…" : ""
        let suffix = window.upperBound < shown.count ? "…" : ""
        var marks = String(repeating: " ", count: prefix.count)
        for column in window.lowerBound...window.upperBound where column < carets.count {
            marks.append(carets[column] ? "^" : " ")
        }
        while marks.last == " " { marks.removeLast() }
        return [prefix + String(shown[window]) + suffix, marks]
    }
}

extension Character {
    fileprivate var isPrintable: Bool {
        unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && !(0x80...0x9F ~= $0.value) }
    }
}
