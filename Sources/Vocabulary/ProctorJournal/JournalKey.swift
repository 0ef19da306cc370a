import ProctorBase
import ProctorHTTP

/// The types that a key of a journal can have.
///
/// `says` is one sentence for the documentation, `when` says when the key is there, and `of` takes the value from the
/// written type. A key with `when` is left out where its value is nil. The functions are inlined, so that a key and
/// its getter are compiled into one closure: the encoder runs for every request while a journal file is written.
enum JournalKey<Root> {
    typealias Getter<Value> = @Sendable (Root) -> Value
    typealias Writer<Value> = @Sendable (inout JSONText, JSONPiece, Value) -> Void
    typealias Reader<Value> = @Sendable (JournalFields, String) throws(LineFault) -> Value

    // MARK: Text and bytes

    @inline(__always) static func text(
        _ key: StaticString, says: String, of value: @escaping Getter<String>
    ) -> JournalField<Root, String> {
        field(
            key, type: "text", says: says, of: value, write: { $0.text($1, $2) },
            read: { fields, key throws(LineFault) in try fields.text(key) })
    }

    @inline(__always) static func text(
        _ key: StaticString, says: String, when: String, of value: @escaping Getter<String?>
    ) -> JournalField<Root, String?> {
        field(
            key, type: "text", says: says, when: when, of: value, write: { $0.text($1, $2) },
            read: { fields, key throws(LineFault) in try fields.text(key) })
    }

    /// Text under the key, or base64 under the key that ends in `Base64`.
    @inline(__always) static func bytes(
        _ key: StaticString, orBase64 base64: StaticString, says: String, of value: @escaping Getter<ArraySlice<UInt8>>
    ) -> JournalField<Root, [UInt8]> {
        let name = "\(key)"
        let (textKey, base64Key) = (JSONPiece(key: key), JSONPiece(key: base64))
        return JournalField(
            note: JournalFieldNote(key: name, type: "bytes", says: says, when: nil),
            write: { $1.member(textKey, orBase64: base64Key, value($0).span) },
            read: { fields throws(LineFault) in try fields.bytes(name) })
    }

    @inline(__always) static func bytes(
        _ key: StaticString, orBase64 base64: StaticString, says: String, when: String,
        of value: @escaping Getter<ArraySlice<UInt8>?>
    ) -> JournalField<Root, [UInt8]?> {
        let (name, otherName) = ("\(key)", "\(base64)")
        let (textKey, base64Key) = (JSONPiece(key: key), JSONPiece(key: base64))
        return JournalField(
            note: JournalFieldNote(key: name, type: "bytes", says: says, when: when),
            write: { if let bytes = value($0) { $1.member(textKey, orBase64: base64Key, bytes.span) } },
            read: { fields throws(LineFault) in fields.has(name) || fields.has(otherName) ? try fields.bytes(name) : nil
            })
    }

    // MARK: Numbers and flags

    @inline(__always) static func unsigned(
        _ key: StaticString, says: String, of value: @escaping Getter<UInt64>
    ) -> JournalField<Root, UInt64> {
        field(
            key, type: "whole number", says: says, of: value, write: { $0.number($1, $2) },
            read: { fields, key throws(LineFault) in try fields.unsigned(key) })
    }

    @inline(__always) static func integer(
        _ key: StaticString, says: String, of value: @escaping Getter<Int>
    ) -> JournalField<Root, Int> {
        field(
            key, type: "whole number", says: says, of: value, write: { $0.number($1, $2) },
            read: { fields, key throws(LineFault) in try fields.integer(key) })
    }

    @inline(__always) static func integer(
        _ key: StaticString, says: String, when: String, of value: @escaping Getter<Int?>
    ) -> JournalField<Root, Int?> {
        field(
            key, type: "whole number", says: says, when: when, of: value, write: { $0.number($1, $2) },
            read: { fields, key throws(LineFault) in try fields.integer(key) })
    }

    /// Earlier versions of journals may lack the key, which then means `ifMissing`.
    @inline(__always) static func flag(
        _ key: StaticString, says: String, ifMissing: Bool? = nil, of value: @escaping Getter<Bool>
    ) -> JournalField<Root, Bool> {
        field(
            key, type: "true or false", says: says, of: value, write: { $0.flag($1, $2) },
            read: { fields, key throws(LineFault) in
                if let ifMissing, !fields.has(key) { return ifMissing }
                return try fields.flag(key)
            })
    }

    /// The key is there only where the flag is true.
    @inline(__always) static func flag(
        _ key: StaticString, says: String, whenTrue when: String, of value: @escaping Getter<Bool>
    ) -> JournalField<Root, Bool> {
        let (name, piece) = ("\(key)", JSONPiece(key: key))
        return JournalField(
            note: JournalFieldNote(key: name, type: "true or false", says: says, when: when),
            write: { if value($0) { $1.flag(piece, true) } },
            read: { fields throws(LineFault) in fields.has(name) ? try fields.flag(name) : false })
    }

    // MARK: Words

    @inline(__always) static func word<Word: JournalWord>(
        _ key: StaticString, says: String, of value: @escaping Getter<Word>
    ) -> JournalField<Root, Word> {
        field(
            key, type: Word.list, says: says, of: value, write: { $0.text($1, $2.rawValue) },
            read: { fields, key throws(LineFault) in try fields.choice(key) })
    }

    @inline(__always) static func word<Word: JournalWord>(
        _ key: StaticString, says: String, when: String, of value: @escaping Getter<Word?>
    ) -> JournalField<Root, Word?> {
        field(
            key, type: Word.list, says: says, when: when, of: value, write: { $0.text($1, $2.rawValue) },
            read: { fields, key throws(LineFault) in try fields.choice(key) })
    }

    /// A kind with a name; `unknown` begins the error about a name that this version does not know.
    @inline(__always) static func kind<Kind: RawRepresentable<String> & SendableMetatype>(
        _ key: StaticString, unknown: String, says: String, of value: @escaping Getter<Kind>
    ) -> JournalField<Root, Kind> {
        field(
            key, type: "text", says: says, of: value, write: { $0.text($1, $2.rawValue) },
            read: { fields, key throws(LineFault) in
                let word = try fields.text(key)
                if let kind = Kind(rawValue: word) { return kind }
                throw LineFault(0, "\(unknown) '\(EscapedText.escape(word.utf8, limit: 60))'")
            })
    }

    // MARK: Lists

    @inline(__always) static func texts(
        _ key: StaticString, says: String, of value: @escaping Getter<[String]>
    ) -> JournalField<Root, [String]> {
        list(
            key, type: "list of texts", says: says, of: value, write: { $0.element($1) },
            read: { tree, key throws(LineFault) in try JournalFields.text(tree, key) })
    }

    @inline(__always) static func words<Word: JournalWord>(
        _ key: StaticString, says: String, of value: @escaping Getter<[Word]>
    ) -> JournalField<Root, [Word]> {
        list(
            key, type: "list of \(Word.list)", says: says, of: value, write: { $0.element($1.rawValue) },
            read: { tree, key throws(LineFault) in
                let word = try JournalFields.text(tree, key)
                guard let word = Word(rawValue: word) else { throw JournalFields.unknown(word, key) }
                return word
            })
    }

    /// An element is text, or an object with base64; with `when`, an empty list is left out.
    @inline(__always) static func byteList(
        _ key: StaticString, says: String, when: String? = nil, of value: @escaping Getter<[[UInt8]]>
    ) -> JournalField<Root, [[UInt8]]> {
        list(
            key, type: "list of bytes", says: says, when: when, of: value,
            write: { json, bytes in
                json.element()
                json.stringOrBase64(bytes.span)
            },
            read: { tree, key throws(LineFault) in try JournalFields.bytes(tree, key) })
    }

    @inline(__always) static func integers(
        _ key: StaticString, says: String, when: String, of value: @escaping Getter<[Int]>
    ) -> JournalField<Root, [Int]> {
        list(
            key, type: "list of whole numbers", says: says, when: when, of: value,
            write: { json, number in
                json.element()
                json.number(number)
            }, read: { tree, key throws(LineFault) in try JournalFields.integer(tree, key) })
    }

    /// Each field line is a list of its name and its value.
    @inline(__always) static func fieldLines(
        _ key: StaticString, says: String, when: String?, of value: @escaping Getter<FieldSection?>
    ) -> JournalField<Root, FieldSection?> {
        field(
            key, type: "list of name and value", says: says, when: when, of: value,
            write: { json, key, lines in
                json.key(key)
                json.open("[")
                lines.forEachNameAndValue { name, value in json.fieldLine(name, value) }
                json.close("]")
            },
            read: { fields, key throws(LineFault) in
                FieldSection(try fields.fieldLines(key))
            })
    }

    // MARK: Objects

    @inline(__always) static func object<Object>(
        _ key: StaticString, _ shape: JournalShape<Object, Object>, says: String, when: String,
        of value: @escaping Getter<Object?>
    ) -> JournalField<Root, Object?> {
        field(
            key, type: "object", says: says, when: when, members: shape.notes, of: value,
            write: { json, key, object in
                json.key(key)
                json.open("{")
                shape.write(object, to: &json)
                json.close("}")
            }, read: { fields, key throws(LineFault) in try shape.read(try fields.object(key)) })
    }

    @inline(__always) static func objects<Object>(
        _ key: StaticString, _ shape: JournalShape<Object, Object>, says: String, of value: @escaping Getter<[Object]>
    ) -> JournalField<Root, [Object]> {
        list(
            key, type: "list of objects", says: says, members: shape.notes, of: value,
            write: { json, object in
                json.element()
                json.open("{")
                shape.write(object, to: &json)
                json.close("}")
            },
            read: { tree, key throws(LineFault) in
                guard case .object(let members) = tree else { throw LineFault(0, "'\(key)' is a list of objects") }
                return try shape.read(JournalFields(members))
            })
    }

    /// An empty list is written too.
    @inline(__always) static func objects<Object>(
        _ key: StaticString, _ shape: JournalShape<Object, Object>, says: String, when: String,
        of value: @escaping Getter<[Object]?>
    ) -> JournalField<Root, [Object]?> {
        field(
            key, type: "list of objects", says: says, when: when, members: shape.notes, of: value,
            write: { json, key, objects in
                json.key(key)
                json.open("[")
                for object in objects {
                    json.element()
                    json.open("{")
                    shape.write(object, to: &json)
                    json.close("}")
                }
                json.close("]")
            },
            read: { fields, key throws(LineFault) in
                try fields.list(key).map { tree throws(LineFault) in
                    guard case .object(let members) = tree else { throw LineFault(0, "'\(key)' is a list of objects") }
                    return try shape.read(JournalFields(members))
                }
            })
    }

    // MARK: What all types have in common

    @inline(__always) private static func field<Value>(
        _ key: StaticString, type: String, says: String, of value: @escaping Getter<Value>,
        write: @escaping Writer<Value>, read: @escaping Reader<Value>
    ) -> JournalField<Root, Value> {
        let (name, piece) = ("\(key)", JSONPiece(key: key))
        return JournalField(
            note: JournalFieldNote(key: name, type: type, says: says, when: nil),
            write: { write(&$1, piece, value($0)) },
            read: { fields throws(LineFault) in try read(fields, name) })
    }

    @inline(__always) private static func field<Value>(
        _ key: StaticString, type: String, says: String, when: String?, members: [JournalFieldNote] = [],
        of value: @escaping Getter<Value?>, write: @escaping Writer<Value>, read: @escaping Reader<Value>
    ) -> JournalField<Root, Value?> {
        let (name, piece) = ("\(key)", JSONPiece(key: key))
        return JournalField(
            note: JournalFieldNote(key: name, type: type, says: says, when: when, members: members),
            write: { if let value = value($0) { write(&$1, piece, value) } },
            read: { fields throws(LineFault) in fields.has(name) ? try read(fields, name) : nil })
    }

    @inline(__always) private static func list<Element>(
        _ key: StaticString, type: String, says: String, when: String? = nil, members: [JournalFieldNote] = [],
        of value: @escaping Getter<[Element]>, write: @escaping @Sendable (inout JSONText, Element) -> Void,
        read: @escaping @Sendable (JSONTree, String) throws(LineFault) -> Element
    ) -> JournalField<Root, [Element]> {
        let (name, piece) = ("\(key)", JSONPiece(key: key))
        let isLeftOut = when != nil
        return JournalField(
            note: JournalFieldNote(key: name, type: type, says: says, when: when, members: members),
            write: { root, json in
                let elements = value(root)
                if isLeftOut, elements.isEmpty { return }
                json.key(piece)
                json.open("[")
                for element in elements { write(&json, element) }
                json.close("]")
            },
            read: { fields throws(LineFault) in
                if isLeftOut, !fields.has(name) { return [] }
                return try fields.list(name).map { tree throws(LineFault) in try read(tree, name) }
            })
    }
}

typealias JournalWord = RawRepresentable<String> & CaseIterable & SendableMetatype

extension RawRepresentable<String> where Self: CaseIterable {
    /// All words, for the documentation: `` `client`, `server` ``.
    fileprivate static var list: String { allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ") }
}

extension JSONText {
    @inline(__always) fileprivate mutating func text(_ key: JSONPiece, _ value: String) {
        self.key(key)
        string(value)
    }

    @inline(__always) fileprivate mutating func number(_ key: JSONPiece, _ value: Int) {
        self.key(key)
        number(value)
    }

    @inline(__always) fileprivate mutating func number(_ key: JSONPiece, _ value: UInt64) {
        self.key(key)
        number(value)
    }

    @inline(__always) fileprivate mutating func flag(_ key: JSONPiece, _ value: Bool) {
        self.key(key)
        flag(value)
    }
}
