import ProctorBase
package import ProctorDocument
import ProctorScenario

/// The value of a key that a module above reads, once it has registered.
///
/// The key's own row stands in a table here. A file that has the key is told which part is not in the program, where no module has
/// registered. Safe from any thread; a module registers before the first file is read.
package struct LanguageSlot<Value>: Sendable {
    /// As messages name what is missing: "OpenAPI".
    private let part: String
    private let filling = SlotFilling<Value>()

    init(_ part: String) { self.part = part }

    /// The keys of the value, which is a mapping, and what is made of them; nil after a diagnostic.
    package func register<Keys>(_ table: Table<Keys>, read: @escaping @Sendable (Mapping<Keys>) -> Value?) {
        register(Shape<Value>.mapping(table, read: read), tables: [("", table.rows)])
    }

    /// A value of another form.
    ///
    /// `tables` are those of its pages in Docs/format, and `definitions` what its schema refers to, both by name. They are made when they
    /// are asked for, since no fixture needs them.
    package func register(
        _ shape: Shape<Value>, tables: @autoclosure @escaping @Sendable () -> [(name: String, rows: [Row])] = [],
        definitions: @autoclosure @escaping @Sendable () -> [(String, Schema)] = []
    ) {
        filling.content.withLock { $0 = SlotContent(shape: shape, tables: tables, definitions: definitions) }
    }

    /// Whether a module has registered; reports at the node where none has.
    func isRegistered(_ sink: DiagnosticSink, at node: Node) -> Bool {
        if filling.shape != nil { return true }
        sink.reportMissing(part, at: node)
        return false
    }

    /// Empty without the module.
    var tables: [(name: String, rows: [Row])] { filling.content.withLock { $0 }?.tables() ?? [] }

    /// Empty without the module.
    var definitions: [(String, Schema)] { filling.content.withLock { $0 }?.definitions() ?? [] }

    /// The keys of the value; empty without the module.
    var rows: [Row] { tables.first?.rows ?? [] }

    var shape: Shape<Value> {
        Shape(filling.shape?.schema ?? false, takes: filling.shape?.form.takes ?? "nothing in this program") {
            [part, filling] node, reader in
            if let shape = filling.shape { return shape.read(node, reader) }
            reader.sink.reportMissing(part, at: node)
            return nil
        }
    }
}

extension DiagnosticSink {
    /// Whether the program has the part; reports at the node where it has not.
    func has<Part>(_ slot: PartSlot<Part>, at node: Node) -> Bool {
        if slot.part != nil { return true }
        reportMissing(slot.noun, at: node)
        return false
    }

    fileprivate func reportMissing(_ part: String, at node: Node) {
        report(
            node, "\(part) is not in this program",
            hint: "leave it out, or have the program built with the module")
    }
}

private struct SlotContent<Value>: Sendable {
    let shape: Shape<Value>
    let tables: @Sendable () -> [(name: String, rows: [Row])]
    let definitions: @Sendable () -> [(String, Schema)]
}

/// Apart, since a slot is copied into its row.
private final class SlotFilling<Value>: Sendable {
    let content = Locked<SlotContent<Value>?>(nil)

    var shape: Shape<Value>? { content.withLock { $0?.shape } }
}
