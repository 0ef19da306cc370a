/// An event as an expression asks for it: a name and the arguments it may have.
public struct NotationSymbol: Sendable, Hashable, CustomStringConvertible {
    /// A name of ``EventVocabulary``.
    public let name: String
    /// One of them must match; empty: any argument, or none.
    public let arguments: [ArgumentPattern]

    /// What an argument may be.
    public enum ArgumentPattern: Sendable, Hashable {
        case exact(String)
        case prefix(String)
        /// `error`: everything but `ok`.
        case anyError
    }

    package init(name: String, arguments: [ArgumentPattern]) {
        self.name = name
        self.arguments = arguments
    }

    /// Whether the event is one of those the symbol stands for.
    public func matches(_ event: TraceEventSymbol) -> Bool {
        guard name == event.name else { return false }
        if arguments.isEmpty { return true }
        guard let argument = event.argument else { return false }
        return arguments.contains { pattern in
            switch pattern {
            case .exact(let text): text == argument
            // Bytes, so that a prefix may end within a grapheme.
            case .prefix(let text): argument.utf8.starts(with: text.utf8)
            case .anyError: argument != "ok"
            }
        }
    }

    /// As it can be written in an expression, arguments quoted where they must be.
    public var description: String {
        if arguments.isEmpty { return name }
        let list = arguments.map { pattern in
            switch pattern {
            case .exact(let text): text == "error" ? "\"error\"" : Self.quotedIfNeeded(text)
            case .prefix(let text): Self.quotedIfNeeded(text) + "*"
            case .anyError: "error"
            }
        }
        return "\(name)(\(list.joined(separator: "|")))"
    }

    private static func quotedIfNeeded(_ text: String) -> String {
        let bytes = text.utf8
        let special = bytes.contains { byte in
            switch byte {
            case UInt8(ascii: "|"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "\""),
                UInt8(ascii: "\\"), 0..<0x20:
                true
            default: false
            }
        }
        guard special || bytes.isEmpty || bytes.first == 0x20 || bytes.last == 0x20 else { return text }
        var quoted = "\""
        for character in text {
            if character == "\"" || character == "\\" { quoted.append("\\") }
            quoted.append(character)
        }
        return quoted + "\""
    }
}
