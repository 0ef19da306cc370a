import ProctorBase
package import ProctorDocument
import ProctorScenario

/// One row of a table of the language: a key, whose sentence, example, default and form are data.
///
/// A class, since a row is copied for each key that is read.
package final class Row: Sendable {
    package let name: String
    package let isRequired: Bool
    /// The struct of the key, by which language.tsv and language.yaml name it.
    package let keys: StaticString
    /// nil: language.yaml has it.
    package let form: Form?

    init(name: String, form: Form?, isRequired: Bool, keys: StaticString) {
        (self.name, self.form, self.isRequired, self.keys) = (name, form, isRequired, keys)
    }
}

/// A property of a table's keys, which has a row.
package protocol RowHolder: Sendable {
    var row: Row { get }
    /// Counts the key to the table whose keys are made now, if any.
    func addToTable()
}

extension RowHolder {
    package func addToTable() { RowCollector.add(row) }
}

/// An optional or required key without a default.
package struct Key<Value>: RowHolder {
    package let row: Row
    let read: @Sendable (Node, ScenarioReader) -> Value?
    /// The hint in the message about a missing key.
    let hint: String?

    package init(
        _ name: String, _ shape: Shape<Value>, isRequired: Bool = false, hint: String? = nil,
        in keys: StaticString = #function
    ) {
        row = Row(name: name, form: shape.form, isRequired: isRequired, keys: keys)
        read = shape.read
        self.hint = hint
        addToTable()
    }

    /// A key whose value no other key has.
    package init(
        _ name: String, isRequired: Bool = false, hint: String? = nil, in keys: StaticString = #function,
        read: @escaping @Sendable (Node, ScenarioReader) -> Value?
    ) {
        self.init(name, Shape(read: read), isRequired: isRequired, hint: hint, in: keys)
    }
}

extension Key<Node> {
    /// A key whose value is read together with others.
    package init(
        _ name: String, isRequired: Bool = false, hint: String? = nil, in keys: StaticString = #function
    ) {
        self.init(name, isRequired: isRequired, hint: hint, in: keys) { node, _ in node }
    }
}

/// A key with a default.
package struct UsualKey<Value: Sendable>: RowHolder {
    let key: Key<Value>
    let usual: Value

    package var row: Row { key.row }

    package init(
        _ name: String, _ shape: Shape<Value>, usual: Value, in keys: StaticString = #function
    ) {
        key = Key(name, shape, in: keys)
        self.usual = usual
    }
}

/// A key whose value is stored in a property of the model without a change.
package struct PlainKey<Model: Sendable>: RowHolder {
    package let row: Row
    let read: @Sendable (Node, ScenarioReader, inout Model) -> Void

    package init<Value>(
        _ name: String, _ path: any WritableKeyPath<Model, Value> & Sendable, _ shape: Shape<Value>,
        in keys: StaticString = #function
    ) {
        row = Row(name: name, form: shape.form, isRequired: false, keys: keys)
        let readValue = shape.read
        read = { node, reader, model in
            if let value = readValue(node, reader) { model[keyPath: path] = value }
        }
        addToTable()
    }

    package func addToTable() { RowCollector.add(self) }

    package init<Value>(
        _ name: String, _ path: any WritableKeyPath<Model, Value?> & Sendable, _ shape: Shape<Value>,
        in keys: StaticString = #function
    ) {
        self.init(name, path, Shape<Value?>(shape.form) { .some(shape.read($0, $1)) }, in: keys)
    }
}

/// The keys of one mapping: `Keys` is a struct whose properties are its rows, in their order.
package struct Table<Keys: Sendable>: Sendable {
    /// The noun in messages: `a reply`.
    private(set) var noun: String
    private let content: Content

    /// A class, since a mapping holds its table and is copied.
    private final class Content: Sendable {
        let keys: Keys
        let rows: [Row]
        /// ``PlainKey``s of one model or more.
        let plainKeys: [any Sendable]
        /// Messages for keys of later versions, and for keys that must be written elsewhere.
        let reserved: [String: String]
        let hints: [String: String]
        let names: [String]

        init(_ make: () -> Keys, reserved: [String: String], hints: [String: String]) {
            (keys, rows, plainKeys) = RowCollector.collect(make)
            (self.reserved, self.hints) = (reserved, hints)
            names = rows.map(\.name)
            assert(Set(names).count == names.count, "a key of another table is borrowed(_:)")
        }
    }

    var keys: Keys { _read { yield content.keys } }
    package var rows: [Row] { content.rows }

    /// The keys whose values are stored in a model without a change, in their order.
    package func plainKeys<Model>(of _: Model.Type) -> [PlainKey<Model>] {
        content.plainKeys.compactMap { $0 as? PlainKey<Model> }
    }

    package init(
        _ noun: String, _ keys: @autoclosure () -> Keys, reserved: [String: String] = [:], hints: [String: String] = [:]
    ) {
        self.noun = noun
        content = Content(keys, reserved: reserved, hints: hints)
    }

    /// A copy of the table with another noun in messages.
    func called(_ noun: String) -> Table {
        var table = self
        table.noun = noun
        return table
    }

    /// Opens a mapping; reports and removes unknown keys.
    ///
    /// Returns nil after a diagnostic.
    ///
    /// `shape` is the hint for a node that is no mapping; `isKnown` permits further keys.
    package func open(
        _ node: Node, _ reader: ScenarioReader, shape: String? = nil, isKnown: (String) -> Bool = { _ in false }
    ) -> Mapping<Keys>? {
        MappingReader(
            node, noun, keys: content.names, reserved: content.reserved, hints: content.hints, shape: shape,
            sink: reader.sink, isKnown: isKnown
        ).map { Mapping(table: self, reader: reader, raw: $0) }
    }
}

/// One mapping of a file, read by the rows of its table.
package struct Mapping<Keys: Sendable> {
    let table: Table<Keys>
    package var reader: ScenarioReader
    let raw: MappingReader

    package var node: Node { raw.node }
    /// The entries without unknown keys.
    package var entries: [Node.Entry] { raw.entries }
    /// Whether unknown keys were reported and removed.
    package var hasUnknownKeys: Bool { entries.count != node.entries?.count }

    // The key paths at the call are converted to functions: evaluating a key path at run time costs 800 instructions.

    package subscript<Value>(_ key: (Keys) -> Key<Value>) -> Value? {
        let key = key(table.keys)
        return node(key).flatMap { key.read($0, reader) }
    }

    /// The value, or the default when the key is missing and after a diagnostic.
    package subscript<Value>(_ key: (Keys) -> UsualKey<Value>) -> Value {
        let usual = key(table.keys)
        return raw[usual.row.name].flatMap { usual.key.read($0, reader) } ?? usual.usual
    }

    /// Stores the values of plain keys in the model; a value that can't be read leaves the default.
    package func read<Model>(_ plainKeys: [PlainKey<Model>], into model: inout Model) {
        for key in plainKeys {
            if let node = raw[key.row.name] { key.read(node, reader, &model) }
        }
    }

    /// Reports a key that other keys of the mapping need, where it is missing.
    package func require(_ name: String) { _ = raw.required(name) }

    /// The node of a key; reports a required key that is missing.
    func node<Value>(_ key: (Keys) -> Key<Value>) -> Node? { node(key(table.keys)) }

    private func node<Value>(_ key: Key<Value>) -> Node? {
        key.row.isRequired ? raw.required(key.row.name, hint: key.hint) : raw[key.row.name]
    }

    /// The key with its value in the file; nil when the key is missing.
    package func entry(_ key: (Keys) -> some RowHolder) -> Node.Entry? { raw.entry(key(table.keys).row.name) }

    package func has(_ key: (Keys) -> some RowHolder) -> Bool { entry(key) != nil }
}
