import ProctorBase
import ProctorDocument

/// One row of a table of the language: a key, its form and its meaning.
///
/// By reference, since each key that is read is copied.
final class Row: Sendable {
    let name: String
    /// One sentence in Markdown; empty when the name is enough.
    let sentence: String
    /// A value as a file writes it.
    let example: String?
    let schema: Schema
    /// The form in the reference, in Markdown.
    let takes: String
    /// The default, in Markdown; `required` for a required key.
    let leftOut: String

    let isRequired: Bool

    init(name: String, sentence: String, example: String?, schema: Schema, takes: String, leftOut: String) {
        self.name = name
        self.sentence = sentence
        self.example = example
        self.schema = schema
        self.takes = takes
        self.leftOut = leftOut
        isRequired = leftOut == "required"
    }
}

/// A property of a table's keys.
protocol RowHolder: Sendable {
    var row: Row { get }
}

/// An optional or required key without a default.
struct Key<Value>: RowHolder {
    let row: Row
    let read: @Sendable (Node, ScenarioReader) -> Value?
    /// The hint of the message for a missing key.
    let hint: String?

    init(
        _ name: String, _ shape: Shape<Value>, leftOut: String = "", says sentence: String, example: String? = nil,
        hint: String? = nil
    ) {
        row = Row(
            name: name, sentence: sentence, example: example, schema: shape.schema, takes: shape.takes,
            leftOut: leftOut)
        read = shape.read
        self.hint = hint
    }
}

/// A key with a default.
struct UsualKey<Value: Sendable>: RowHolder {
    let key: Key<Value>
    let usual: Value

    var row: Row { key.row }

    /// `leftOut` is the default as the reference shows it.
    init(
        _ name: String, _ shape: Shape<Value>, usual: Value, leftOut: String, says sentence: String,
        example: String? = nil
    ) {
        key = Key(name, shape, leftOut: leftOut, says: sentence, example: example)
        self.usual = usual
    }
}

extension UsualKey where Value: RawRepresentable<String> {
    init(_ name: String, _ shape: Shape<Value>, usual: Value, says sentence: String) {
        self.init(name, shape, usual: usual, leftOut: "`\(usual.rawValue)`", says: sentence)
    }
}

/// The keys of one mapping: `Keys` is a struct whose properties are its rows, in their order.
struct Table<Keys: Sendable>: Sendable {
    /// The noun of messages: `a reply`.
    private(set) var noun: String
    private let content: Content

    /// By reference: a mapping holds its table, and is copied.
    private final class Content: Sendable {
        let keys: Keys
        let rows: [Row]
        /// JSON Schema for keys that depend on each other.
        let rules: Schema
        /// Messages for keys of later versions and for keys that belong elsewhere.
        let reserved: [String: String]
        let hints: [String: String]
        let names: [String]

        init(_ keys: Keys, rules: Schema, reserved: [String: String], hints: [String: String]) {
            self.keys = keys
            self.rules = rules
            self.reserved = reserved
            self.hints = hints
            rows = Mirror(reflecting: keys).children.compactMap { ($0.value as? any RowHolder)?.row }
            names = rows.map(\.name)
        }
    }

    var keys: Keys { _read { yield content.keys } }
    var rows: [Row] { content.rows }
    var rules: Schema { content.rules }

    init(
        _ noun: String, _ keys: Keys, rules: Schema = [:], reserved: [String: String] = [:],
        hints: [String: String] = [:]
    ) {
        self.noun = noun
        content = Content(keys, rules: rules, reserved: reserved, hints: hints)
    }

    /// The same table with another noun in messages.
    func called(_ noun: String) -> Table {
        var table = self
        table.noun = noun
        return table
    }

    var schema: Schema { schema(type: "object") }

    /// `type` may allow null too.
    func schema(type: Schema) -> Schema {
        let required = rows.filter(\.isRequired).map { Schema.text($0.name) }
        let head: Schema = ["type": type]
        return head.adding(required.isEmpty ? [:] : ["required": .list(required)])
            .adding(["additionalProperties": false, "properties": properties(rows)]).adding(rules)
    }

    /// One alternative of the mapping: exactly these keys, of which `optional` may be missing.
    func form(_ required: [String], optional: [String] = []) -> Schema {
        let members = rows.filter { required.contains($0.name) || optional.contains($0.name) }
        let head: Schema = required.isEmpty ? [:] : ["required": .list(required.map { .text($0) })]
        return head.adding([
            "type": "object", "additionalProperties": false,
            "properties": properties(members),
        ])
    }

    private func properties(_ rows: [Row]) -> Schema {
        .object(rows.map { (key: $0.name, value: $0.schema.described($0.sentence)) })
    }

    /// nil after a diagnostic; unknown keys are reported and removed.
    ///
    /// `shape` is the hint for a node that is no mapping; `isKnown` permits further keys.
    func open(
        _ node: Node, _ reader: ScenarioReader, shape: String? = nil, isKnown: (String) -> Bool = { _ in false }
    ) -> Mapping<Keys>? {
        MappingReader(
            node, noun, keys: content.names, reserved: content.reserved, hints: content.hints, shape: shape,
            sink: reader.sink, isKnown: isKnown
        ).map { Mapping(table: self, reader: reader, raw: $0) }
    }
}

/// One mapping of a file, read by the rows of its table.
struct Mapping<Keys: Sendable> {
    let table: Table<Keys>
    var reader: ScenarioReader
    let raw: MappingReader

    var node: Node { raw.node }
    /// Without unknown keys.
    var entries: [Node.Entry] { raw.entries }
    /// Whether unknown keys were reported and removed.
    var hasUnknownKeys: Bool { entries.count != node.entries?.count }

    // Key paths at the call are functions here: the runtime's own evaluation of one costs 800 instructions.

    subscript<Value>(_ key: (Keys) -> Key<Value>) -> Value? {
        let key = key(table.keys)
        return node(key).flatMap { key.read($0, reader) }
    }

    /// The value, or the default when the key is missing and after a diagnostic.
    subscript<Value>(_ key: (Keys) -> UsualKey<Value>) -> Value {
        let usual = key(table.keys)
        return raw[usual.row.name].flatMap { usual.key.read($0, reader) } ?? usual.usual
    }

    /// Reports a missing required key.
    func node<Value>(_ key: (Keys) -> Key<Value>) -> Node? { node(key(table.keys)) }

    private func node<Value>(_ key: Key<Value>) -> Node? {
        key.row.isRequired ? raw.required(key.row.name, hint: key.hint) : raw[key.row.name]
    }

    /// The key and what is written; nil without it.
    func entry(_ key: (Keys) -> some RowHolder) -> Node.Entry? { raw.entry(key(table.keys).row.name) }

    func has(_ key: (Keys) -> some RowHolder) -> Bool { entry(key) != nil }
}
