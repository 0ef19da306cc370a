/// A whole JSON value, for lines whose structure depends on their content.
package enum JSONTree {
    case text([UInt8])
    case number(JSONNumber)
    case flag(Bool)
    case null
    case list([JSONTree])
    /// The members of an object; of equal keys the last one counts.
    case object([String: JSONTree])

    /// The line must hold exactly one value.
    package static func read(_ line: Span<UInt8>) throws(LineFault) -> JSONTree {
        var cursor = JSONCursor()
        cursor.skipBlanks(line)
        let tree = try value(&cursor, line, depth: 0)
        cursor.skipBlanks(line)
        guard cursor.offset == line.count else { throw cursor.unexpected(line, "the end of the line") }
        return tree
    }

    private static func value(
        _ cursor: inout JSONCursor, _ line: Span<UInt8>, depth: Int
    ) throws(LineFault) -> JSONTree {
        guard depth < JSONCursor.deepest else {
            throw LineFault(cursor.offset, "objects and lists go no more than \(JSONCursor.deepest) levels deep")
        }
        switch cursor.peek(line) {
        case UInt8(ascii: "{"):
            try cursor.open(UInt8(ascii: "{"), line, "an object")
            var members: [String: JSONTree] = [:]
            while let key = try cursor.key(line) {
                let name = String(decoding: key.unescaped(line), as: UTF8.self)
                members[name] = try value(&cursor, line, depth: depth + 1)
            }
            return .object(members)
        case UInt8(ascii: "["):
            try cursor.open(UInt8(ascii: "["), line, "a list")
            var items: [JSONTree] = []
            while try cursor.element(line) {
                items.append(try value(&cursor, line, depth: depth + 1))
            }
            return .list(items)
        case UInt8(ascii: "\""): return .text(try cursor.text(line, "a text").unescaped(line))
        case UInt8(ascii: "t"):
            try cursor.literal("true", line, "a value")
            return .flag(true)
        case UInt8(ascii: "f"):
            try cursor.literal("false", line, "a value")
            return .flag(false)
        case UInt8(ascii: "n"):
            try cursor.literal("null", line, "a value")
            return .null
        default: return .number(try cursor.number(line, "a value"))
        }
    }
}

extension JSONTree {
    /// A member of an object; null where there is none.
    package subscript(_ name: String) -> JSONTree {
        if case .object(let members) = self { members[name] ?? .null } else { .null }
    }

    /// nil for any value that is no text.
    package var string: String? {
        if case .text(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil }
    }

    /// Empty for any value that is no list.
    package var items: [JSONTree] { if case .list(let items) = self { items } else { [] } }
}
