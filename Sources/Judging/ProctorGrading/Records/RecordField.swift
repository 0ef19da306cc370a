import ProctorBase

/// An object of exam records, with one table of its keys for writing and for reading, in the order of writing.
protocol RecordObject: Sendable {
    static var fields: [RecordField<Self>] { get }
    init()
}

/// A key of a record's object, with its value.
///
/// A value of another type than expected is an error that names the key. nil and empty values are not written; a
/// missing key or `null` is read as nil or empty.
struct RecordField<Object: Sendable>: Sendable {
    typealias Path<Value> = any WritableKeyPath<Object, Value> & Sendable
    fileprivate let write: @Sendable (Object, inout JSONText) -> Void
    fileprivate let read: @Sendable (inout Object, [String: JSONTree]) throws(LineFault) -> Void

    /// A required text; `fault` returns the error of a wrong value.
    static func needed(
        _ key: StaticString, _ path: Path<String>, fault: @escaping @Sendable (String) -> String? = { _ in nil }
    ) -> Self {
        Self(write: { $1.member(key, $0[keyPath: path]) }) { object, members throws(LineFault) in
            guard let text = try Self.text(key, members) else { throw LineFault(0, "the key '\(key)' is missing") }
            if let sentence = fault(text) { throw LineFault(0, sentence) }
            object[keyPath: path] = text
        }
    }

    /// A required word; `fault` is the beginning of the error about an unknown word.
    static func word<Word: RawRepresentable<String> & Sendable>(
        _ key: StaticString, _ path: Path<Word>, fault: String
    ) -> Self {
        Self(write: { $1.member(key, $0[keyPath: path].rawValue) }) { object, members throws(LineFault) in
            guard let text = try Self.text(key, members) else { throw LineFault(0, "the key '\(key)' is missing") }
            guard let word = Word(rawValue: text) else { throw LineFault(0, "\(fault) \(shown(text))") }
            object[keyPath: path] = word
        }
    }

    /// A key that is only written, since its value follows from other members.
    static func derived(_ key: StaticString, _ value: @escaping @Sendable (Object) -> String?) -> Self {
        Self(
            write: { object, json in if let text = value(object) { json.member(key, text) } },
            read: { _, _ throws(LineFault) in })
    }

    static func text(_ key: StaticString, _ path: Path<String?>) -> Self {
        Self(
            write: { object, json in if let text = object[keyPath: path] { json.member(key, text) } },
            read: { object, members throws(LineFault) in object[keyPath: path] = try Self.text(key, members) })
    }

    static func textOrEmpty(_ key: StaticString, _ path: Path<String>) -> Self {
        Self(
            write: { object, json in if !object[keyPath: path].isEmpty { json.member(key, object[keyPath: path]) } },
            read: { object, members throws(LineFault) in object[keyPath: path] = try Self.text(key, members) ?? "" })
    }

    /// A whole number within `range`; any other value is an error.
    static func number(_ key: StaticString, _ path: Path<Int?>, in range: PartialRangeFrom<Int> = 0...) -> Self {
        Self(
            write: { object, json in if let number = object[keyPath: path] { json.member(key, number) } },
            read: { object, members throws(LineFault) in
                let number = try Self.number(key, members)
                if let number, !range.contains(number) { throw LineFault(0, "'\(key)' is 0 or more") }
                object[keyPath: path] = number
            })
    }

    static func texts(_ key: StaticString, _ path: Path<[String]>) -> Self {
        Self(
            write: { object, json in
                guard !object[keyPath: path].isEmpty else { return }
                json.key(key)
                json.open("[")
                for text in object[keyPath: path] { json.element(text) }
                json.close("]")
            },
            read: { object, members throws(LineFault) in
                object[keyPath: path] = try Self.list(key, members).map { item throws(LineFault) in
                    guard case .text(let bytes) = item else { throw LineFault(0, "'\(key)' is a list of texts") }
                    return String(decoding: bytes, as: UTF8.self)
                }
            })
    }

    /// A list of objects; with `isAlwaysThere`, an empty list is written too.
    static func objects<Item: RecordObject>(
        _ key: StaticString, _ path: Path<[Item]>, isAlwaysThere: Bool = false
    ) -> Self {
        Self(
            write: { object, json in
                guard isAlwaysThere || !object[keyPath: path].isEmpty else { return }
                json.key(key)
                json.list(object[keyPath: path]) { $0.write(to: &$1) }
            },
            read: { object, members throws(LineFault) in
                object[keyPath: path] = try Self.list(key, members).map { item throws(LineFault) in
                    try Item(reading: item, "each of '\(key)'")
                }
            })
    }

    static func object<Item: RecordObject>(_ key: StaticString, _ path: Path<Item?>) -> Self {
        Self(
            write: { object, json in
                guard let item = object[keyPath: path] else { return }
                json.key(key)
                item.write(to: &json)
            },
            read: { object, members throws(LineFault) in
                if let tree = members["\(key)"] { object[keyPath: path] = try Item(reading: tree, "'\(key)'") }
            })
    }

    /// The name and the version of a format, which must be the first members.
    static func format(_ key: StaticString, _ name: String, version: Int) -> Self {
        Self(
            write: { _, json in
                json.member(key, name)
                json.member("version", version)
            },
            read: { _, members throws(LineFault) in
                let isOfFormat = try Self.text(key, members) == name
                let read = try Self.number("version", members) ?? 0
                guard isOfFormat, 1...version ~= read else {
                    throw LineFault(0, "records of version \(read) can't be read; this proctor reads 1 to \(version)")
                }
            })
    }

    private static func text(_ key: StaticString, _ members: [String: JSONTree]) throws(LineFault) -> String? {
        switch members["\(key)"] {
        case nil, .null: return nil
        case .text(let bytes): return String(decoding: bytes, as: UTF8.self)
        default: throw LineFault(0, "'\(key)' is a text")
        }
    }

    private static func number(_ key: StaticString, _ members: [String: JSONTree]) throws(LineFault) -> Int? {
        switch members["\(key)"] {
        case nil, .null: return nil
        // Doubles represent such whole numbers exactly, so every reader of JSON can read them.
        case .number(let number):
            if let whole = number.integer, whole.magnitude <= 1 << 53 { return whole }
        default: break
        }
        throw LineFault(0, "'\(key)' is a whole number")
    }

    private static func list(_ key: StaticString, _ members: [String: JSONTree]) throws(LineFault) -> [JSONTree] {
        switch members["\(key)"] {
        case nil, .null: return []
        case .list(let items): return items
        default: throw LineFault(0, "'\(key)' is a list")
        }
    }
}

/// An unknown word of a record, in quotes.
private func shown(_ text: String) -> String { "'\(EscapedText.escape(text.utf8, limit: 60))'" }

extension RecordObject {
    /// Reads the members of a JSON object; `what` is its name in errors.
    init(reading tree: JSONTree, _ what: String) throws(LineFault) {
        guard case .object(let members) = tree else { throw LineFault(0, "\(what) is an object") }
        self.init()
        for field in Self.fields { try field.read(&self, members) }
    }

    /// Writes an object; `adding` writes further members.
    func write(to json: inout JSONText, adding: (inout JSONText) -> Void = { _ in }) {
        json.open("{")
        for field in Self.fields { field.write(self, &json) }
        adding(&json)
        json.close("}")
    }

    /// One object on one line, with a line feed.
    func line(adding: (inout JSONText) -> Void = { _ in }) -> [UInt8] {
        var json = JSONText()
        write(to: &json, adding: adding)
        json.lineEnd()
        return json.bytes
    }
}
