import ProctorBase
import ProctorDocument
import ProctorScenario

/// The value of a key that a module above reads, once it has registered.
///
/// The key's own row stands in a table here. A file that has the key is told which part is not in the program, where no module has
/// registered. Safe from any thread; a module registers before the first file is read.
package struct LanguageSlot<Value>: Sendable {
    /// As messages name what is missing: "OpenAPI".
    private let noun: String
    private let filling = SlotFilling<Value>()

    init(_ noun: String) { self.noun = noun }

    /// The keys of the value, which is a mapping, and what is made of them; nil after a diagnostic.
    package func register<Keys>(_ table: Table<Keys>, read: @escaping @Sendable (Mapping<Keys>) -> Value?) {
        register(.mapping(table, read: read))
    }

    /// A value of another form.
    package func register(_ shape: Shape<Value>) { filling.shape.withLock { $0 = shape } }

    /// Whether a module has registered; reports at the node where none has.
    func isRegistered(_ sink: DiagnosticSink, at node: Node) -> Bool {
        if filling.shape.withLock({ $0 != nil }) { return true }
        sink.reportMissing(noun, at: node)
        return false
    }

    var shape: Shape<Value> {
        Shape { [noun, filling] node, reader in
            if let shape = filling.shape.withLock(\.self) { return shape.read(node, reader) }
            reader.sink.reportMissing(noun, at: node)
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

    fileprivate func reportMissing(_ noun: String, at node: Node) {
        report(node, MissingPart.sentence(noun), hint: MissingPart.remedy)
    }
}

/// Apart, since a slot is copied into its row.
private final class SlotFilling<Value>: Sendable {
    let shape = Locked<Shape<Value>?>(nil)
}
