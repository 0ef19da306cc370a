import ProctorBase
import ProctorDocument

/// One row of a table of the language: a key, what it takes, and what it means.
protocol Row: Sendable {
    var name: String { get }
    /// One sentence in Markdown; empty where the name says it.
    var sentence: String { get }
    /// A value as a file writes it.
    var example: String? { get }
    var schema: Schema { get }
    var takes: String { get }
    /// What holds without the key, in Markdown; `required` for a key that must be there.
    var leftOut: String { get }
}

extension Row {
    var isRequired: Bool { leftOut == "required" }
}

/// A key that may be left out, or must be there.
struct Key<Value>: Row {
    let name: String
    let shape: Shape<Value>
    let sentence: String
    let example: String?
    let leftOut: String
    /// Of the message that it is missing.
    let hint: String?

    init(
        _ name: String, _ shape: Shape<Value>, leftOut: String = "", says sentence: String, example: String? = nil,
        hint: String? = nil
    ) {
        self.name = name
        self.shape = shape
        self.sentence = sentence
        self.example = example
        self.leftOut = leftOut
        self.hint = hint
    }

    var schema: Schema { shape.schema }
    var takes: String { shape.takes }
}

/// A key with a value that holds without it.
struct UsualKey<Value: Sendable>: Row {
    let name: String
    let shape: Shape<Value>
    let usual: Value
    let leftOut: String
    let sentence: String
    let example: String?

    /// `leftOut` is the usual value as the reference shows it.
    init(
        _ name: String, _ shape: Shape<Value>, usual: Value, leftOut: String, says sentence: String,
        example: String? = nil
    ) {
        self.name = name
        self.shape = shape
        self.usual = usual
        self.leftOut = leftOut
        self.sentence = sentence
        self.example = example
    }

    var schema: Schema { shape.schema }
    var takes: String { shape.takes }
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
    let keys: Keys
    let rows: [any Row]
    /// What JSON Schema says beside the keys: which go together.
    let rules: Schema
    /// Why keys of later versions are not known yet, and what to write in place of keys that stand elsewhere.
    private let reserved: [String: String]
    private let hints: [String: String]
    private let names: [String]

    init(
        _ noun: String, _ keys: Keys, rules: Schema = [:], reserved: [String: String] = [:],
        hints: [String: String] = [:]
    ) {
        self.noun = noun
        self.keys = keys
        self.rules = rules
        self.reserved = reserved
        self.hints = hints
        rows = Mirror(reflecting: keys).children.compactMap { $0.value as? any Row }
        names = rows.map(\.name)
    }

    /// The same table with another noun in messages.
    func called(_ noun: String) -> Table {
        var table = self
        table.noun = noun
        return table
    }

    /// The mapping as JSON Schema.
    var schema: Schema { schema(type: "object") }

    /// The mapping as JSON Schema; `type` may admit null too.
    func schema(type: Schema) -> Schema {
        let required = rows.filter(\.isRequired).map { Schema.text($0.name) }
        let properties = rows.map { (key: $0.name, value: $0.schema.described($0.sentence)) }
        let head: Schema = ["type": type]
        return head.adding(required.isEmpty ? [:] : ["required": .list(required)])
            .adding(["additionalProperties": false, "properties": .object(properties)]).adding(rules)
    }

    /// One form of the mapping: these keys, all of which must stand there but the optional ones.
    func form(_ required: [String], optional: [String] = []) -> Schema {
        let members = rows.filter { required.contains($0.name) || optional.contains($0.name) }
        let head: Schema = required.isEmpty ? [:] : ["required": .list(required.map { .text($0) })]
        return head.adding([
            "type": "object", "additionalProperties": false,
            "properties": .object(members.map { (key: $0.name, value: $0.schema.described($0.sentence)) }),
        ])
    }

    /// nil after a diagnostic; unknown keys are reported and left out.
    ///
    /// `shape` is the hint for a node that is no mapping; `isKnown` admits further keys.
    func open(
        _ node: Node, _ reader: ScenarioReader, shape: String? = nil, isKnown: (String) -> Bool = { _ in false }
    ) -> Mapping<Keys>? {
        MappingReader(
            node, noun, keys: names, reserved: reserved, hints: hints, shape: shape, sink: reader.sink, isKnown: isKnown
        ).map { Mapping(table: self, reader: reader, raw: $0) }
    }
}

/// One mapping of a file, read by the rows of its table.
struct Mapping<Keys: Sendable> {
    let table: Table<Keys>
    var reader: ScenarioReader
    let raw: MappingReader

    var node: Node { raw.node }
    /// As the file gives them, without unknown keys.
    var entries: [Node.Entry] { raw.entries }
    /// Whether the file has unknown keys here, which were reported.
    var hasUnknownKeys: Bool { entries.count != node.entries?.count }

    /// The value of a key; nil without it, and after a diagnostic; a key that must be there and is not is reported.
    subscript<Value>(_ path: KeyPath<Keys, Key<Value>>) -> Value? {
        node(path).flatMap { table.keys[keyPath: path].shape.read($0, reader) }
    }

    /// The value of a key, or the usual one without it and after a diagnostic.
    subscript<Value>(_ path: KeyPath<Keys, UsualKey<Value>>) -> Value {
        let key = table.keys[keyPath: path]
        return raw[key.name].flatMap { key.shape.read($0, reader) } ?? key.usual
    }

    /// What is written; a key that must be there and is not is reported.
    func node<Value>(_ path: KeyPath<Keys, Key<Value>>) -> Node? {
        let key = table.keys[keyPath: path]
        return key.isRequired ? raw.required(key.name, hint: key.hint) : raw[key.name]
    }

    /// The key and what is written; nil without it.
    func entry(_ path: KeyPath<Keys, some Row>) -> Node.Entry? { raw.entry(table.keys[keyPath: path].name) }

    func has(_ path: KeyPath<Keys, some Row>) -> Bool { entry(path) != nil }
}
