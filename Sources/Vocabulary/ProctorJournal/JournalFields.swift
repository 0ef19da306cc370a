import ProctorBase

struct JournalFields {
    private let members: [String: JSONTree]

    init(_ members: [String: JSONTree]) { self.members = members }

    /// nil for an event that this version does not know.
    func entry() throws(LineFault) -> JournalEntry? {
        guard let read = JournalTable.readers[try text("ev")] else { return nil }
        let event = try read(self)
        let start = try JournalTable.line.read(self)
        return JournalEntry(
            sequence: start.sequence, nanoseconds: start.nanoseconds, connection: start.connection,
            request: start.request, event: event)
    }

    func member(_ key: String) throws(LineFault) -> JSONTree {
        if let member = members[key] { return member }
        throw Self.missing(key)
    }

    static func missing(_ key: String) -> LineFault { LineFault(0, "an entry needs the key '\(key)'") }

    /// The largest number in a journal; sums of such numbers do not overflow.
    private static let largest = 1 << 53

    func integer(_ key: String) throws(LineFault) -> Int { try Self.integer(try member(key), key) }

    static func integer(_ tree: JSONTree, _ key: String) throws(LineFault) -> Int {
        if case .number(let number) = tree, let value = number.integer, 0...largest ~= value { return value }
        throw LineFault(0, "'\(key)' is a whole number from 0 to \(largest)")
    }

    func textIfAny(_ key: String) throws(LineFault) -> String? { members[key] == nil ? nil : try text(key) }

    func unsigned(_ key: String) throws(LineFault) -> UInt64 {
        if case .number(let number) = try member(key), let value = number.unsigned { return value }
        throw LineFault(0, "'\(key)' is a whole number from 0 to \(UInt64.max)")
    }

    func flag(_ key: String) throws(LineFault) -> Bool {
        if case .flag(let value) = try member(key) { return value }
        throw LineFault(0, "'\(key)' is true or false")
    }

    func text(_ key: String) throws(LineFault) -> String {
        if case .text(let bytes) = try member(key) { return String(decoding: bytes, as: UTF8.self) }
        throw LineFault(0, "'\(key)' is a text")
    }

    /// Text under the key, or base64 under the key that ends in `Base64`.
    func bytes(_ key: String) throws(LineFault) -> [UInt8] {
        if case .text(let base64)? = members["\(key)Base64"] { return try Self.decoded(base64, key) }
        return try Self.bytes(try member(key), key)
    }

    /// An element of a list: text, or an object with base64.
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

    func list(_ key: String) throws(LineFault) -> [JSONTree] {
        if case .list(let items) = try member(key) { return items }
        throw LineFault(0, "'\(key)' is a list")
    }

    func fieldLines(_ key: String) throws(LineFault) -> [(name: [UInt8], value: [UInt8])] {
        try list(key).map { tree throws(LineFault) in
            guard case .list(let parts) = tree, parts.count == 2 else {
                throw LineFault(0, "'\(key)' is a list of name and value")
            }
            return (try JournalFields.bytes(parts[0], key), try JournalFields.bytes(parts[1], key))
        }
    }

    func choice<Choice: RawRepresentable<String>>(_ key: String) throws(LineFault) -> Choice {
        let word = try text(key)
        if let choice = Choice(rawValue: word) { return choice }
        throw Self.unknown(word, key)
    }

    static func unknown(_ word: String, _ key: String) -> LineFault {
        LineFault(0, "'\(key)' is no '\(EscapedText.escape(word.utf8, limit: 60))'")
    }

    func object(_ key: String) throws(LineFault) -> JournalFields {
        if case .object(let members) = try member(key) { return JournalFields(members) }
        throw LineFault(0, "'\(key)' is an object")
    }

    func has(_ key: String) -> Bool { members[key] != nil }

    static func text(_ tree: JSONTree, _ key: String) throws(LineFault) -> String {
        if case .text(let bytes) = tree { return String(decoding: bytes, as: UTF8.self) }
        throw LineFault(0, "'\(key)' is a list of texts")
    }
}
