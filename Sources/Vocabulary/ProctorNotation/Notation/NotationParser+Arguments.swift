import ProctorBase
import ProctorEvents

/// Argument lists, where `#` and spaces are part of an argument and `|` separates arguments.
extension NotationParser {
    /// Parses from the `(` to the byte after the `)`.
    mutating func argumentList(of kind: EventKind) throws(NotationError) -> [NotationSymbol.ArgumentPattern] {
        let open = offset
        if kind.argument == .none {
            throw error(at: open, "'\(kind.name)' has no argument")
        }
        var patterns: [NotationSymbol.ArgumentPattern] = []
        while true {
            offset += 1
            patterns.append(try argument(of: kind, in: open))
            if peek == UInt8(ascii: ")") { break }
        }
        offset += 1
        return patterns
    }

    /// Parses up to the `|` or `)` after the argument.
    private mutating func argument(
        of kind: EventKind, in open: Int
    ) throws(NotationError) -> NotationSymbol.ArgumentPattern {
        skipBlanks()
        let start = offset
        let isQuoted = peek == UInt8(ascii: "\"")
        var value = isQuoted ? try quoted() : try bare(in: open)
        let isPrefix = peek == UInt8(ascii: "*")
        if isPrefix {
            offset += 1
        } else if !isQuoted {
            while value.last == 0x20 || value.last == 0x09 { value.removeLast() }
        }
        skipBlanks()
        guard peek == UInt8(ascii: "|") || peek == UInt8(ascii: ")") else {
            guard offset < bytes.count else { throw error(at: open, "the argument list is not closed") }
            throw error(
                at: offset,
                isPrefix
                    ? "'*' stands only at the end of an argument; put an argument that holds one in double quotes"
                    : "after a quoted argument come '|' or ')', not \(quotedCharacter())")
        }
        guard !value.isEmpty || isQuoted else {
            throw error(
                at: start,
                isPrefix
                    ? "'*' alone takes every argument; leave the argument list out"
                    : "an argument is missing; an empty one is written \"\"")
        }
        let text = String(decoding: value, as: UTF8.self)
        if let fault = kind.argument.fault(in: text, isPrefix: isPrefix, event: kind.name) {
            throw error(at: start, fault)
        }
        if isPrefix { return .prefix(text) }
        return text == "error" && !isQuoted && kind.argument == .outcome ? .anyError : .exact(text)
    }

    private mutating func bare(in open: Int) throws(NotationError) -> [UInt8] {
        let start = offset
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "|"), UInt8(ascii: ")"), UInt8(ascii: "*"): return Array(bytes[start..<offset])
            case UInt8(ascii: "("), UInt8(ascii: "\""):
                throw error(at: offset, "put an argument that holds \(quotedCharacter()) in double quotes")
            case 0x0A, 0x0D: throw error(at: open, "the argument list is not closed on its line")
            default: offset += 1
            }
        }
        throw error(at: open, "the argument list is not closed")
    }

    private mutating func quoted() throws(NotationError) -> [UInt8] {
        let start = offset
        var value: [UInt8] = []
        offset += 1
        while let byte = peek {
            offset += 1
            switch byte {
            case UInt8(ascii: "\""): return value
            case UInt8(ascii: "\\"):
                guard let escaped = peek, escaped == UInt8(ascii: "\"") || escaped == byte else {
                    throw error(at: offset - 1, "a backslash stands only before '\"' and '\\'")
                }
                value.append(escaped)
                offset += 1
            default: value.append(byte)
            }
        }
        throw error(at: start, "the double quote is not closed")
    }
}

extension EventKind.Argument {
    /// Why no event can have this argument; nil if one can.
    fileprivate func fault(in text: String, isPrefix: Bool, event: String) -> String? {
        // Escaped and cut for messages, since the text may be long and contain any character.
        var shown: String { EscapedText.escape(text.utf8, limit: 60) }
        switch self {
        case .none, .text, .outcome: return nil
        case .status(let range):
            let digits = Array(text.utf8)
            let isWritten = digits.allSatisfy(\.isASCIIDigit) && (isPrefix ? digits.count < 3 : digits.count == 3)
            guard isWritten, let first = digits.first else {
                return "'\(shown)\(isPrefix ? "*" : "")' is no status; write three digits, or fewer and '*'"
            }
            guard range ~= Int(first - UInt8(ascii: "0")) else {
                return "'\(event)' never has status \(text)\(isPrefix ? "*" : ""); it begins with \(range.written)"
            }
            return nil
        case .request:
            let parts = text.utf8.split(separator: 0x20, omittingEmptySubsequences: false)
            if isPrefix ? parts.count <= 2 : parts.count == 2 && parts.allSatisfy({ !$0.isEmpty }) { return nil }
            return """
                '\(shown)' is not a method, one space and a target; write \(event)(GET /a), and several in full: \
                \(event)(GET /a|HEAD /a)
                """
        }
    }
}

extension ClosedRange<Int> {
    fileprivate var written: String { lowerBound == upperBound ? "\(lowerBound)" : "\(lowerBound) to \(upperBound)" }
}
