import ProctorBase

/// One key of a JSON object in a journal: how it is written and read; Docs/judging/entries.md says what it means.
struct JournalField<Root, Value>: Sendable {
    typealias Getter<Member> = @Sendable (Root) -> Member

    let note: JournalFieldNote
    let write: @Sendable (Root, inout JSONText) -> Void
    let read: @Sendable (JournalFields) throws(LineFault) -> Value
}

// What every line has, or an object.
extension JournalField {
    @inline(__always) init(_ key: StaticString, _ type: JournalType<Value>, _ value: @escaping Getter<Value>) {
        let (name, piece, write, read) = ("\(key)", JSONPiece(key: key), type.write, type.read)
        self.init(
            note: JournalFieldNote(key: name, type: type.words, members: type.members),
            write: { root, json in
                json.key(piece)
                write(value(root), &json)
            },
            read: { fields throws(LineFault) in try read(try fields.member(name), name) })
    }

    /// Text under the key, or base64 under the key that ends in `Base64`.
    @inline(__always) init(bytes key: StaticString, slice value: @escaping Getter<ArraySlice<UInt8>>)
    where Value == [UInt8] {
        let (name, piece, base64Piece) = ("\(key)", JSONPiece(key: key), JSONPiece(base64Key: key))
        self.init(
            note: JournalFieldNote(key: name, type: "bytes"),
            write: { $1.member(piece, orBase64: base64Piece, value($0).span) },
            read: { fields throws(LineFault) in try fields.bytes(name) })
    }

    @inline(__always) init(bytes key: StaticString, _ value: @escaping Getter<[UInt8]>) where Value == [UInt8] {
        self.init(bytes: key, slice: { value($0)[...] })
    }

    /// Journals of earlier versions may lack the key, which then means `ifMissing`.
    @inline(__always) init(
        _ key: StaticString, _ type: JournalType<Value>, ifMissing: Value, _ value: @escaping Getter<Value>
    ) where Value: Sendable {
        let field = Self(key, type, value)
        self.init(note: field.note, write: field.write) { fields throws(LineFault) in
            fields.has(field.note.key) ? try field.read(fields) : ifMissing
        }
    }
}

// What is left out where there is no value.
extension JournalField {
    @inline(__always) init<Wrapped>(
        _ key: StaticString, _ type: JournalType<Wrapped>, ifAny value: @escaping Getter<Wrapped?>
    ) where Value == Wrapped? {
        let (name, piece, write, read) = ("\(key)", JSONPiece(key: key), type.write, type.read)
        self.init(
            note: JournalFieldNote(key: name, type: type.words, isOptional: true, members: type.members),
            write: { root, json in
                guard let value = value(root) else { return }
                json.key(piece)
                write(value, &json)
            },
            read: { fields throws(LineFault) in
                guard let member = fields.memberIfAny(name) else { return nil }
                return try read(member, name)
            })
    }

    @inline(__always) init(bytes key: StaticString, ifAny value: @escaping Getter<[UInt8]?>) where Value == [UInt8]? {
        let (name, piece, base64Piece) = ("\(key)", JSONPiece(key: key), JSONPiece(base64Key: key))
        self.init(
            note: JournalFieldNote(key: name, type: "bytes", isOptional: true),
            write: { if let bytes = value($0) { $1.member(piece, orBase64: base64Piece, bytes.span) } },
            read: { fields throws(LineFault) in fields.hasBytes(name) ? try fields.bytes(name) : nil })
    }

    @inline(__always) init<Element>(
        _ key: StaticString, _ type: JournalType<Value>, ifNotEmpty value: @escaping Getter<Value>
    ) where Value == [Element] {
        let field = JournalField<Root, Value?>(
            key, type,
            ifAny: { root in
                let elements = value(root)
                return elements.isEmpty ? nil : elements
            })
        let read = field.read
        self.init(note: field.note, write: field.write) { fields throws(LineFault) in try read(fields) ?? [] }
    }

    @inline(__always) init(_ key: StaticString, ifTrue value: @escaping Getter<Bool>) where Value == Bool {
        let field = JournalField<Root, Bool?>(key, .flag, ifAny: { value($0) ? true : nil })
        let read = field.read
        self.init(note: field.note, write: field.write) { fields throws(LineFault) in try read(fields) ?? false }
    }
}

extension JournalField {
    /// A key for other readers of the file: our own reader ignores it.
    init<Written>(written field: JournalField<Root, Written>) where Value == Void {
        self.init(note: field.note, write: field.write) { _ throws(LineFault) in }
    }

    /// A key from whose value and the other keys something else is made.
    init<Read>(
        _ field: JournalField<Root, Read>,
        reading make: @escaping @Sendable (JournalFields, Read) throws(LineFault) -> Value
    ) {
        let read = field.read
        self.init(note: field.note, write: field.write) { fields throws(LineFault) in
            try make(fields, try read(fields))
        }
    }
}

struct JournalFieldNote: Sendable {
    let key: String
    /// The type of the value in words: `text`, `whole number`.
    let type: String
    /// Whether some lines lack the key.
    var isOptional = false
    /// The keys of the object, or of each object of the list.
    var members: [JournalFieldNote] = []
}

extension JSONPiece {
    fileprivate init(base64Key key: StaticString) { self.init(Array(",\"\(key)Base64\":".utf8)) }
}
