import ProctorBase

/// One kind of JSON object in a journal: its keys in the order in which they are written.
///
/// `Input` is the written type, `Output` the type that is read.
struct JournalShape<Input, Output>: Sendable {
    /// The event; empty for an object under a key.
    let name: String
    let notes: [JournalFieldNote]
    /// `,"ev":"replySent"`: the last of the keys that every line has.
    let eventPiece: JSONPiece
    private let writers: [@Sendable (Input, inout JSONText) -> Void]
    let read: @Sendable (JournalFields) throws(LineFault) -> Output

    /// `make` gets the values of the keys in their order.
    init<each Value>(
        _ name: String = "", @JournalFieldList<Input> _ fields: () -> (repeat JournalField<Input, each Value>),
        make: @escaping @Sendable (repeat each Value) throws(LineFault) -> Output
    ) {
        let fields = fields()
        var notes: [JournalFieldNote] = []
        var writers: [@Sendable (Input, inout JSONText) -> Void] = []
        for field in repeat each fields {
            notes.append(field.note)
            writers.append(field.write)
        }
        (self.name, self.notes, self.writers) = (name, notes, writers)
        eventPiece = JSONPiece { $0.member("ev", name) }
        read = { line throws(LineFault) in try make(repeat try (each fields).read(line)) }
    }

    /// Writes the members without the braces around them.
    func write(_ value: Input, to json: inout JSONText) { for write in writers { write(value, &json) } }
}

/// The keys of an object, a statement each, so that the compiler looks at one after the other.
@resultBuilder enum JournalFieldList<Root> {
    static func buildExpression<Value>(_ field: JournalField<Root, Value>) -> JournalField<Root, Value> { field }

    static func buildBlock<each Value>(
        _ field: repeat JournalField<Root, each Value>
    ) -> (repeat JournalField<Root, each Value>) {
        (repeat each field)
    }
}
