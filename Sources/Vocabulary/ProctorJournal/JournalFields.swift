import ProctorBase

struct JournalFields {
    private let members: [String: JSONTree]

    init(_ members: [String: JSONTree]) { self.members = members }

    /// nil for an event that this version does not know.
    func entry() throws(LineFault) -> JournalEntry? {
        guard let shape = JournalTable.shapes[try text("ev")] else { return nil }
        let event = try shape.read(self)
        let start = try JournalTable.line.read(self)
        return JournalEntry(
            sequence: start.sequence, nanoseconds: start.nanoseconds, connection: start.connection,
            request: start.request, event: event)
    }

    func member(_ key: String) throws(LineFault) -> JSONTree {
        if let member = members[key] { return member }
        throw Self.missing(key)
    }

    func memberIfAny(_ key: String) -> JSONTree? { members[key] }

    static func missing(_ key: String) -> LineFault { LineFault(0, "an entry needs the key '\(key)'") }

    func has(_ key: String) -> Bool { members[key] != nil }

    // MARK: Values of one key

    func number<Number: FixedWidthInteger>(_ key: String) throws(LineFault) -> Number {
        try Self.number(try member(key), key)
    }

    func text(_ key: String) throws(LineFault) -> String { try Self.text(try member(key), key) }

    func textIfAny(_ key: String) throws(LineFault) -> String? { has(key) ? try text(key) : nil }

    /// Text under the key, or base64 under the key that ends in `Base64`.
    func bytes(_ key: String) throws(LineFault) -> [UInt8] {
        if case .text(let base64)? = members["\(key)Base64"] { return try Self.decoded(base64, key) }
        return try Self.bytes(try member(key), key)
    }

    func hasBytes(_ key: String) -> Bool { has(key) || has("\(key)Base64") }

    // MARK: Types

    /// The largest number in a journal that is no time and no number of 64 bits: sums of such do not overflow.
    private static let largest: UInt64 = 1 << 53

    static func number<Number: FixedWidthInteger>(_ tree: JSONTree, _ key: String) throws(LineFault) -> Number {
        let limit = Number.isSigned ? min(largest, UInt64(Number.max)) : UInt64(Number.max)
        if case .number(let number) = tree, let value = number.unsigned, value <= limit { return Number(value) }
        throw LineFault(0, "'\(key)' is a whole number from 0 to \(limit)")
    }

    static func text(_ tree: JSONTree, _ key: String) throws(LineFault) -> String {
        if case .text(let bytes) = tree { return String(decoding: bytes, as: UTF8.self) }
        throw LineFault(0, "'\(key)' is a text")
    }

    /// Text, or an object with base64: an element of a list.
    static func bytes(_ tree: JSONTree, _ key: String) throws(LineFault) -> [UInt8] {
        switch tree {
        case .text(let bytes): return bytes
        case .object(let members): if case .text(let base64)? = members["base64"] { return try decoded(base64, key) }
        case .number, .flag, .null, .list: break
        }
        throw LineFault(0, "'\(key)' is text, or an object with base64")
    }

    private static func decoded(_ base64: [UInt8], _ key: String) throws(LineFault) -> [UInt8] {
        do throws(EncodedTextError) {
            return try Base64Text.decode(base64)
        } catch {
            throw LineFault(0, "'\(key)': \(error.sentence)")
        }
    }

    static func list(_ tree: JSONTree, _ key: String) throws(LineFault) -> [JSONTree] {
        if case .list(let items) = tree { return items }
        throw LineFault(0, "'\(key)' is a list")
    }

    static func fieldLines(_ tree: JSONTree, _ key: String) throws(LineFault) -> [(name: [UInt8], value: [UInt8])] {
        try list(tree, key).map { line throws(LineFault) in
            guard case .list(let items) = line, items.count == 2 else {
                throw LineFault(0, "'\(key)' is a list of name and value")
            }
            return (try bytes(items[0], key), try bytes(items[1], key))
        }
    }
}
