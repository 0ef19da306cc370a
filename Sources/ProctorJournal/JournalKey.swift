import ProctorBase
import ProctorHTTP

/// The types that a key of a journal can have.
///
/// `says` is one sentence for the documentation, `when` says when the key is there, and `of` takes the value from what is written.
/// A key with `when` is left out where its value is nil. The functions are inlined, so that a key and its getter are compiled
/// into one closure: the encoder stands on the way of every request while a journal file is written.
enum JournalKey<Root> {
    typealias Getter<Value> = @Sendable (Root) -> Value

    // MARK: Text and bytes

    @inline(__always)
    static func text(_ key: StaticString, says: String, of value: @escaping Getter<String>) -> JournalField<
        Root, String
    > {
        let name = "\(key)"
        return JournalField(
            note: JournalFieldNote(key: name, type: "text", says: says, when: nil),
            write: { $1.member(key, value($0)) }, read: { fields throws(LineFault) in try fields.text(name) })
    }

    @inline(__always)
    static func text(
        _ key: StaticString, says: String, when: String, of value: @escaping Getter<String?>
    ) -> JournalField<Root, String?> {
        let name = "\(key)"
        return JournalField(
            note: JournalFieldNote(key: name, type: "text", says: says, when: when),
            write: { if let text = value($0) { $1.member(key, text) } },
            read: { fields throws(LineFault) in try fields.textIfAny(name) })
    }

    /// Text under the key, or base64 under the key that ends in `Base64`.
    @inline(__always)
    static func bytes(
        _ key: StaticString, orBase64 base64: StaticString, says: String, of value: @escaping Getter<ArraySlice<UInt8>>
    ) -> JournalField<Root, [UInt8]> {
        let name = "\(key)"
        return JournalField(
            note: JournalFieldNote(key: name, type: "bytes", says: says, when: nil),
            write: { $1.member(key, orBase64: base64, value($0)) },
            read: { fields throws(LineFault) in try fields.bytes(name) })
    }

    @inline(__always)
    static func bytes(
        _ key: StaticString, orBase64 base64: StaticString, says: String, when: String,
        of value: @escaping Getter<ArraySlice<UInt8>?>
    ) -> JournalField<Root, [UInt8]?> {
        let (name, otherName) = ("\(key)", "\(base64)")
        return JournalField(
            note: JournalFieldNote(key: name, type: "bytes", says: says, when: when),
            write: { if let bytes = value($0) { $1.member(key, orBase64: base64, bytes) } },
            read: { fields throws(LineFault) in
                fields.has(name) || fields.has(otherName) ? try fields.bytes(name) : nil
            })
    }

    // MARK: Numbers and flags

    /// A number of 64 bits.
    @inline(__always)
    static func unsigned(
        _ key: StaticString, says: String, of value: @escaping Getter<UInt64>
    ) -> JournalField<Root, UInt64> {
        let name = "\(key)"
        return JournalField(
            note: JournalFieldNote(key: name, type: "whole number", says: says, when: nil),
            write: { $1.member(key, value($0)) }, read: { fields throws(LineFault) in try fields.unsigned(name) })
    }

    @inline(__always)
    static func integer(_ key: StaticString, says: String, of value: @escaping Getter<Int>) -> JournalField<Root, Int> {
        let name = "\(key)"
        return JournalField(
            note: JournalFieldNote(key: name, type: "whole number", says: says, when: nil),
            write: { $1.member(key, value($0)) }, read: { fields throws(LineFault) in try fields.integer(name) })
    }

    @inline(__always)
    static func integer(
        _ key: StaticString, says: String, when: String, of value: @escaping Getter<Int?>
    ) -> JournalField<Root, Int?> {
        let name = "\(key)"
        return JournalField(
            note: JournalFieldNote(key: name, type: "whole number", says: says, when: when),
            write: { if let number = value($0) { $1.member(key, number) } },
            read: { fields throws(LineFault) in fields.has(name) ? try fields.integer(name) : nil })
    }

    @inline(__always)
    static func flag(_ key: StaticString, says: String, of value: @escaping Getter<Bool>) -> JournalField<Root, Bool> {
        flag(key, says: says, when: nil, ifMissing: nil, of: value)
    }

    /// Earlier versions of journals lack the key, which then means `ifMissing`.
    @inline(__always)
    static func flag(
        _ key: StaticString, says: String, ifMissing: Bool, of value: @escaping Getter<Bool>
    ) -> JournalField<Root, Bool> {
        flag(key, says: says, when: nil, ifMissing: ifMissing, of: value)
    }

    /// The key is there only where the flag is true.
    @inline(__always)
    static func flag(
        _ key: StaticString, says: String, whenTrue when: String, of value: @escaping Getter<Bool>
    ) -> JournalField<Root, Bool> {
        flag(key, says: says, when: when, ifMissing: false, of: value)
    }

    @inline(__always)
    private static func flag(
        _ key: StaticString, says: String, when: String?, ifMissing: Bool?, of value: @escaping Getter<Bool>
    ) -> JournalField<Root, Bool> {
        let name = "\(key)"
        return JournalField(
            note: JournalFieldNote(key: name, type: "true or false", says: says, when: when),
            write: { root, json in
                let flag = value(root)
                if when == nil || flag { json.member(key, flag) }
            },
            read: { fields throws(LineFault) in
                if let ifMissing, !fields.has(name) { return ifMissing }
                return try fields.flag(name)
            })
    }

    // MARK: Words

    /// One of the words of `Word`.
    @inline(__always)
    static func word<Word: JournalWord>(
        _ key: StaticString, says: String, of value: @escaping Getter<Word>
    ) -> JournalField<Root, Word> {
        let name = "\(key)"
        return JournalField(
            note: JournalFieldNote(key: name, type: Word.list, says: says, when: nil),
            write: { $1.member(key, value($0).rawValue) },
            read: { fields throws(LineFault) in try fields.choice(name) })
    }

    @inline(__always)
    static func word<Word: JournalWord>(
        _ key: StaticString, says: String, when: String, of value: @escaping Getter<Word?>
    ) -> JournalField<Root, Word?> {
        let name = "\(key)"
        return JournalField(
            note: JournalFieldNote(key: name, type: Word.list, says: says, when: when),
            write: { if let word = value($0) { $1.member(key, word.rawValue) } },
            read: { fields throws(LineFault) in
                guard fields.has(name) else { return nil }
                let word: Word = try fields.choice(name)
                return word
            })
    }

    /// A kind with a name; `unknown` begins the sentence about a name that this version does not know.
    @inline(__always)
    static func kind<Kind: RawRepresentable<String> & SendableMetatype>(
        _ key: StaticString, unknown: String, says: String, of value: @escaping Getter<Kind>
    ) -> JournalField<Root, Kind> {
        let name = "\(key)"
        return JournalField(
            note: JournalFieldNote(key: name, type: "text", says: says, when: nil),
            write: { $1.member(key, value($0).rawValue) },
            read: { fields throws(LineFault) in
                let word = try fields.text(name)
                if let kind = Kind(rawValue: word) { return kind }
                throw LineFault(0, "\(unknown) '\(EscapedText.of(word.utf8, limit: 60))'")
            })
    }

    // MARK: Lists

    @inline(__always)
    static func texts(
        _ key: StaticString, says: String, of value: @escaping Getter<[String]>
    ) -> JournalField<Root, [String]> {
        let name = "\(key)"
        return list(
            key, type: "list of texts", says: says, of: value, write: { $1.element($0) },
            read: { fields throws(LineFault) in try fields.texts(name) })
    }

    @inline(__always)
    static func words<Word: JournalWord>(
        _ key: StaticString, says: String, of value: @escaping Getter<[Word]>
    ) -> JournalField<Root, [Word]> {
        let name = "\(key)"
        return list(
            key, type: "list of \(Word.list)", says: says, of: value, write: { $1.element($0.rawValue) },
            read: { fields throws(LineFault) in
                try fields.texts(name).map { word throws(LineFault) in
                    guard let word = Word(rawValue: word) else { throw JournalFields.unknown(word, name) }
                    return word
                }
            })
    }

    /// An element is text, or an object with base64; with `when`, an empty list is left out.
    @inline(__always)
    static func byteList(
        _ key: StaticString, says: String, when: String? = nil, of value: @escaping Getter<[[UInt8]]>
    ) -> JournalField<Root, [[UInt8]]> {
        let name = "\(key)"
        return list(
            key, type: "list of bytes", says: says, when: when, of: value, write: { $1.element(orBase64: $0[...]) },
            read: { fields throws(LineFault) in
                if when != nil, !fields.has(name) { return [] }
                return try fields.list(name).map { tree throws(LineFault) in try JournalFields.bytes(tree, name) }
            })
    }

    /// An empty list is left out.
    @inline(__always)
    static func integers(
        _ key: StaticString, says: String, when: String, of value: @escaping Getter<[Int]>
    ) -> JournalField<Root, [Int]> {
        let name = "\(key)"
        return list(
            key, type: "list of whole numbers", says: says, when: when, of: value,
            write: { number, json in
                json.element()
                json.number(number)
            },
            read: { fields throws(LineFault) in
                guard fields.has(name) else { return [] }
                return try fields.list(name).map { tree throws(LineFault) in try JournalFields.integer(tree, name) }
            })
    }

    /// Field lines: each is a list of its name and its value.
    @inline(__always)
    static func fieldLines(
        _ key: StaticString, says: String, when: String?, of value: @escaping Getter<FieldSection?>
    ) -> JournalField<Root, FieldSection?> {
        let name = "\(key)"
        return JournalField(
            note: JournalFieldNote(key: name, type: "list of name and value", says: says, when: when),
            write: { root, json in
                guard let lines = value(root) else { return }
                json.key(key)
                json.open("[")
                for line in lines {
                    json.element()
                    json.open("[")
                    json.element(orBase64: line.name)
                    json.element(orBase64: line.value)
                    json.close("]")
                }
                json.close("]")
            },
            read: { fields throws(LineFault) in
                guard fields.has(name) else { return nil }
                return FieldSection(
                    try fields.list(name).map { tree throws(LineFault) in
                        guard case .list(let parts) = tree, parts.count == 2 else {
                            throw LineFault(0, "'\(name)' is a list of name and value")
                        }
                        return (try JournalFields.bytes(parts[0], name), try JournalFields.bytes(parts[1], name))
                    })
            })
    }

    // MARK: Objects

    @inline(__always)
    static func object<Object>(
        _ key: StaticString, _ shape: JournalShape<Object, Object>, says: String, when: String,
        of value: @escaping Getter<Object?>
    ) -> JournalField<Root, Object?> {
        let name = "\(key)"
        return JournalField(
            note: JournalFieldNote(key: name, type: "object", says: says, when: when, members: shape.notes),
            write: { root, json in
                guard let object = value(root) else { return }
                json.key(key)
                json.open("{")
                shape.write(object, to: &json)
                json.close("}")
            },
            read: { fields throws(LineFault) in try fields.objectIfAny(name).map(shape.read) })
    }

    @inline(__always)
    static func objects<Object>(
        _ key: StaticString, _ shape: JournalShape<Object, Object>, says: String, of value: @escaping Getter<[Object]>
    ) -> JournalField<Root, [Object]> {
        let name = "\(key)"
        return list(
            key, type: "list of objects", says: says, members: shape.notes, of: value,
            write: { object, json in
                json.element()
                json.open("{")
                shape.write(object, to: &json)
                json.close("}")
            },
            read: { fields throws(LineFault) in try fields.objects(name).map(shape.read) })
    }

    /// With `when`, an empty list is left out.
    @inline(__always)
    private static func list<Element>(
        _ key: StaticString, type: String, says: String, when: String? = nil, members: [JournalFieldNote] = [],
        of value: @escaping Getter<[Element]>, write: @escaping @Sendable (Element, inout JSONText) -> Void,
        read: @escaping @Sendable (JournalFields) throws(LineFault) -> [Element]
    ) -> JournalField<Root, [Element]> {
        JournalField(
            note: JournalFieldNote(key: "\(key)", type: type, says: says, when: when, members: members),
            write: { root, json in
                let elements = value(root)
                if when != nil, elements.isEmpty { return }
                json.key(key)
                json.open("[")
                for element in elements { write(element, &json) }
                json.close("]")
            }, read: read)
    }
}

/// A type whose values are words in a journal.
typealias JournalWord = RawRepresentable<String> & CaseIterable & SendableMetatype

extension RawRepresentable<String> where Self: CaseIterable {
    /// All words, for the documentation: `` `client`, `server` ``.
    fileprivate static var list: String { allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ") }
}

extension JSONText {
    /// An element of a list: text, or an object with base64.
    fileprivate mutating func element(orBase64 bytes: ArraySlice<UInt8>) {
        element()
        if JSONText.isText(bytes) {
            string(bytes)
        } else {
            open("{")
            key("base64")
            base64(bytes)
            close("}")
        }
    }
}
