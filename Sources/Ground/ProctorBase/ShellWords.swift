/// Words of a command line, as a POSIX shell parts and unquotes them (XCU §2.2, `$'…'` included); nothing is expanded.
package struct ShellWords: Sendable {
    /// A word without its quotation marks.
    package struct Word: Sendable, Equatable {
        package var bytes: [UInt8] = []
        /// Whether quotation marks stand in the word, so that it is one even without a letter.
        package var isQuoted = false
        /// Whether a `[` outside of quotation marks stands before the word; it is not part of `bytes`.
        package var opens = false
        /// Whether a `]` outside of quotation marks stands behind the word; it is not part of `bytes`.
        package var closes = false

        package var text: String { String(decoding: bytes, as: UTF8.self) }

        /// The word where brackets mean nothing.
        package var textWithBrackets: String { "\(opens ? "[" : "")\(text)\(closes ? "]" : "")" }
    }

    /// What has no end in a line.
    package struct Mistake: Error, Equatable {
        /// `a backslash`, or `the quotation mark '`.
        package let what: String
        /// Where it stands, in bytes.
        package let offset: Int
    }

    package private(set) var words: [Word] = []
    /// The first operator of a shell that is not quoted, `|`, `&`, `;`, `<` or `>`, before which the words end; nil:
    /// there is none.
    package private(set) var end: UInt8?

    private let bytes: [UInt8]
    private var index = 0
    private var word: Word?
    /// How many bytes the word had behind its last bracket outside of quotation marks.
    private var countAtBracket: Int?

    package init(_ line: String) throws(Mistake) {
        bytes = Array(line.utf8)
        while index < bytes.count, end == nil { try readNext() }
        finishWord()
    }

    private mutating func readNext() throws(Mistake) {
        let byte = bytes[index]
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D:
            finishWord()
            index += 1
        case UInt8(ascii: "\\"): try readEscaped()
        case UInt8(ascii: "'"):
            guard let end = bytes[(index + 1)...].firstIndex(of: byte) else {
                throw Mistake(what: "the quotation mark '", offset: index)
            }
            append(bytes[(index + 1)..<end])
            word?.isQuoted = true
            index = end + 1
        case UInt8(ascii: "\""): try readDouble()
        case UInt8(ascii: "$") where bytes.indices.contains(index + 1) && bytes[index + 1] == UInt8(ascii: "'"):
            try readDollarQuoted()
        case UInt8(ascii: "|"), UInt8(ascii: "&"), UInt8(ascii: ";"), UInt8(ascii: "<"), UInt8(ascii: ">"): end = byte
        case UInt8(ascii: "[") where word == nil:
            word = Word(opens: true)
            index += 1
        default:
            append([byte])
            if byte == UInt8(ascii: "]") { countAtBracket = word?.bytes.count }
            index += 1
        }
    }

    private mutating func append(_ more: some Sequence<UInt8>) {
        if word == nil { word = Word() }
        word?.bytes += more
    }

    private mutating func finishWord() {
        guard var ended = word else { return }
        if countAtBracket == ended.bytes.count {
            ended.bytes.removeLast()
            ended.closes = true
        }
        words.append(ended)
        (word, countAtBracket) = (nil, nil)
    }

    /// A backslash before a line end goes on with the next line.
    private mutating func readEscaped() throws(Mistake) {
        guard index + 1 < bytes.count else { throw Mistake(what: "a backslash", offset: index) }
        let isLineEnd = bytes[index + 1] == 0x0D && index + 2 < bytes.count && bytes[index + 2] == 0x0A
        if isLineEnd { index += 1 }
        if bytes[index + 1] != 0x0A { append([bytes[index + 1]]) }
        index += 2
    }

    private mutating func readDouble() throws(Mistake) {
        let start = index
        append([])
        word?.isQuoted = true
        index += 1
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\"") {
                index += 1
                return
            }
            if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count {
                let next = bytes[index + 1]
                if next != 0x0A { append("\"\\$`".utf8.contains(next) ? [next] : [bytes[index], next]) }
                index += 2
            } else {
                append([bytes[index]])
                index += 1
            }
        }
        throw Mistake(what: "the quotation mark \"", offset: start)
    }

    private static let controls: [UInt8: UInt8] = [
        UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09, UInt8(ascii: "0"): 0,
        UInt8(ascii: "a"): 7, UInt8(ascii: "b"): 8, UInt8(ascii: "e"): 0x1B, UInt8(ascii: "f"): 0x0C,
        UInt8(ascii: "v"): 0x0B,
    ]

    private mutating func readDollarQuoted() throws(Mistake) {
        let start = index
        append([])
        word?.isQuoted = true
        index += 2
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "'") {
                index += 1
                return
            }
            guard bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count else {
                append([bytes[index]])
                index += 1
                continue
            }
            let kind = bytes[index + 1]
            index += 2
            let most = kind == UInt8(ascii: "x") ? 2 : kind == UInt8(ascii: "u") ? 4 : kind == UInt8(ascii: "U") ? 8 : 0
            let digits = bytes[index...].prefix(most).prefix { $0.hexadecimalValue != nil }
            if most > 0, !digits.isEmpty {
                let value = digits.reduce(UInt32(0)) { $0 << 4 | UInt32($1.hexadecimalValue ?? 0) }
                if most == 2 {
                    append([UInt8(truncatingIfNeeded: value)])
                } else {
                    append(String(Character(Unicode.Scalar(value) ?? "\u{FFFD}")).utf8)
                }
                index += digits.count
            } else {
                append([Self.controls[kind] ?? kind])
            }
        }
        throw Mistake(what: "the quotation mark $'", offset: start)
    }
}

extension ShellWords {
    /// The word in single quotes where a shell would take it apart.
    package static func quote(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-_./:=@%+,".utf8.contains($0) }
        return isPlain ? word : "'\(word.replacing(text: "'", with: #"'\''"#))'"
    }
}
