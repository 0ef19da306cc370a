import ProctorBase

/// One key of a JSON object in a journal: how it is written and read, and its documentation.
struct JournalField<Root, Value>: Sendable {
    let note: JournalFieldNote
    let write: @Sendable (Root, inout JSONText) -> Void
    let read: @Sendable (JournalFields) throws(LineFault) -> Value

    /// The same key for other readers of the file: our own reader ignores it.
    var writtenOnly: JournalField<Root, Void> {
        JournalField<Root, Void>(note: note, write: write, read: { _ throws(LineFault) in })
    }
}

extension JournalField where Value == Int? {
    func within<Number: FixedWidthInteger & SendableMetatype>(_: Number.Type) -> JournalField<Root, Number?> {
        let (note, read) = (note, read)
        return JournalField<Root, Number?>(
            note: note, write: write,
            read: { fields throws(LineFault) in
                guard let value = try read(fields) else { return nil }
                if let number = Number(exactly: value) { return number }
                throw LineFault(0, "'\(note.key)' is a whole number from 0 to \(Number.max)")
            })
    }
}

extension JournalField {
    /// The same key, from whose value and the other keys something else is made.
    func reading<Read>(
        _ make: @escaping @Sendable (JournalFields, Value) throws(LineFault) -> Read
    ) -> JournalField<Root, Read> {
        let (note, write, read) = (note, write, read)
        return JournalField<Root, Read>(
            note: note, write: write, read: { fields throws(LineFault) in try make(fields, try read(fields)) })
    }
}

extension JournalField where Value == Int {
    func within<Number: FixedWidthInteger & SendableMetatype>(_: Number.Type) -> JournalField<Root, Number> {
        let (note, read) = (note, read)
        return JournalField<Root, Number>(
            note: note, write: write,
            read: { fields throws(LineFault) in
                if let number = Number(exactly: try read(fields)) { return number }
                throw LineFault(0, "'\(note.key)' is a whole number from 0 to \(Number.max)")
            })
    }
}

struct JournalFieldNote: Sendable {
    let key: String
    /// The type of the value in words: `text`, `whole number`.
    let type: String
    let says: String
    /// When the key is there; nil where it always is.
    let when: String?
    /// The keys of the object, or of each object of the list.
    var members: [JournalFieldNote] = []
}

/// One kind of JSON object in a journal: its keys in the order in which they are written.
///
/// `Input` is the written type, `Output` the type that is read.
struct JournalShape<Input, Output>: Sendable {
    let name: String
    let says: String
    let notes: [JournalFieldNote]
    /// `,"ev":"replySent"`: the last of the keys that every line has.
    let eventPiece: JSONPiece
    private let writers: [@Sendable (Input, inout JSONText) -> Void]
    let read: @Sendable (JournalFields) throws(LineFault) -> Output

    init<First, Second, each Value>(
        named name: String, says: String, fields first: JournalField<Input, First>,
        _ second: JournalField<Input, Second>, _ field: repeat JournalField<Input, each Value>,
        make: @escaping @Sendable ((First, Second, repeat each Value)) throws(LineFault) -> Output
    ) {
        var notes = [first.note, second.note]
        var writers = [first.write, second.write]
        for field in repeat each field {
            notes.append(field.note)
            writers.append(field.write)
        }
        let others = (repeat each field)
        self.init(name: name, says: says, notes: notes, writers: writers) { fields throws(LineFault) in
            try make((try first.read(fields), try second.read(fields), repeat try (each others).read(fields)))
        }
    }

    init<Value>(
        named name: String, says: String, field: JournalField<Input, Value>, make: @escaping @Sendable (Value) -> Output
    ) {
        self.init(name: name, says: says, notes: [field.note], writers: [field.write]) { fields throws(LineFault) in
            make(try field.read(fields))
        }
    }

    init(named name: String, says: String, make: @escaping @Sendable () -> Output) {
        self.init(name: name, says: says, notes: [], writers: []) { _ throws(LineFault) in make() }
    }

    private init(
        name: String, says: String, notes: [JournalFieldNote], writers: [@Sendable (Input, inout JSONText) -> Void],
        read: @escaping @Sendable (JournalFields) throws(LineFault) -> Output
    ) {
        (self.name, self.says, self.notes) = (name, says, notes)
        eventPiece = JSONPiece { $0.member("ev", name) }
        (self.writers, self.read) = (writers, read)
    }

    /// Writes the members without the braces around them.
    func write(_ value: Input, to json: inout JSONText) { for write in writers { write(value, &json) } }
}
