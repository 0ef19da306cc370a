import ProctorBase
import ProctorDocument
import ProctorJournal

/// `{ add: N }`.
struct StateAddKeys: Sendable {
    let add = Key(
        "add", Shape<Int>.integer("what is added", in: Bounds.added), leftOut: "required",
        says: "A whole number, also a negative one.")
}

/// The names of the state that a file declares, sets and uses.
///
/// A reference shared by the parts of one reading; used by one thread.
final class StateMentions {
    /// Of `state:`.
    var declared: [StateName] = []
    private var changed: [Template] = []
    private var used: [(name: Template, location: SourceLocation)] = []

    func change(_ name: Template) { changed.append(name) }

    func use(_ name: Template, at location: SourceLocation) { used.append((name, location)) }

    /// Of the names so far, those without late-bound parts.
    var names: [String] {
        (declared.map(\.name) + changed.compactMap(\.literalBytes)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Reports names that are used and never have a value.
    func check(_ sink: DiagnosticSink) {
        let names = names
        for use in used {
            let bytes = use.name.literalBytes
            let isKnown =
                declared.contains { use.name.mayBe(Template(parts: [.literal($0.name)])) }
                || changed.contains { use.name.mayBe($0) }
            guard !isKnown else { continue }
            let name = bytes.map { String(decoding: $0, as: UTF8.self) } ?? use.name.shown
            sink.report(
                use.location, "nothing sets the state \(quoted(name))",
                hint: NearestName.find(name, in: names).map { "did you mean \(quoted($0))?" }
                    ?? "write it below state: at the top of the file, with null where it has no first value")
        }
    }
}

extension Template {
    /// Whether both can be the same text; the ends before and behind late-bound parts are compared.
    package func mayBe(_ other: Template) -> Bool {
        if let mine = literalBytes, let theirs = other.literalBytes { return mine == theirs }
        func agree(_ mine: [UInt8], _ theirs: [UInt8]) -> Bool {
            zip(mine, theirs).allSatisfy { $0 == $1 }
        }
        return agree(literalStart, other.literalStart) && agree(literalEnd.reversed(), other.literalEnd.reversed())
    }

    private var literalStart: [UInt8] {
        if case .literal(let bytes)? = parts.first { bytes } else { [] }
    }

    private var literalEnd: [UInt8] {
        if case .literal(let bytes)? = parts.last { bytes } else { [] }
    }

    /// With `{{…}}` for late-bound parts.
    package var shown: String {
        parts.map { if case .literal(let bytes) = $0 { EscapedText.of(bytes, limit: 100) } else { "{{…}}" } }.joined()
    }
}

extension ScenarioReader {
    static let stateAddTable = Table("a change of the state", StateAddKeys())

    static let stateNameSchema: Schema = ["minLength": 1, "maxLength": .integer(StateValues.nameByteLimit)]
    static let stateTextSchema: Schema = [
        "type": ["string", "number", "boolean", "null"], "maxLength": .integer(StateValues.valueByteLimit),
    ]

    /// `state:` at the top: names with their first values.
    func state(_ node: Node) {
        guard
            let entries = entries(
                node, "the state", from: "name to first value", limit: StateValues.nameLimit, counted: "names")
        else { return }
        var values = StateValues()
        for entry in entries {
            let name = Array(entry.key.utf8)
            var value: [UInt8]?
            if !entry.value.isNull {
                guard let text = sink.text(entry.value, "a first value") else { continue }
                if text.contains(text: "{{") {
                    sink.report(entry.value, "a first value is the same for all runs, so it holds no late-bound text")
                    continue
                }
                value = Array(text.utf8)
            }
            do throws(StateRefusal) {
                // Also where there is no value yet, the name must be one that can be set.
                try values.set(name, to: value ?? [])
                states.declared.append(StateName(name: name, value: value))
            } catch {
                sink.report(entry.keyNode, "the state \(quoted(entry.key)) can't begin like that: \(error.reason)")
            }
        }
    }

    /// A name in `when:` or `sets:`, which may have late-bound parts.
    private func stateName(_ entry: Node.Entry) -> Template? {
        guard !entry.key.isEmpty else { return sink.refuse(entry.keyNode, "a name of the state is not empty") }
        guard entry.key.utf8.count <= StateValues.nameByteLimit else {
            return sink.refuse(
                entry.keyNode,
                "the name has \(entry.key.utf8.count) bytes; at most \(StateValues.nameByteLimit) are "
                    + "permitted")
        }
        return TemplateParser(scope: scope, sink: sink).parse(ScalarText(entry.keyNode, entry.key))
    }

    /// `when:` of an exchange.
    func when(_ node: Node) -> [StateCondition] {
        guard let entries = entries(node, "when", from: "name to condition", limit: Bounds.states) else { return [] }
        if entries.isEmpty { sink.report(node, "when needs at least one name") }
        return entries.compactMap { entry in
            let name = stateName(entry)
            if let name { states.use(name, at: entry.keyNode.location) }
            guard let value = condition(entry.value, "the state \(quoted(entry.key))"), let name else { return nil }
            return StateCondition(name: name, value: value)
        }
    }

    /// `sets:` of a reply.
    func sets(_ node: Node) -> [StateSetting] {
        guard let entries = entries(node, "sets", from: "name to value", limit: Bounds.states) else { return [] }
        if entries.isEmpty { sink.report(node, "sets needs at least one name") }
        return entries.compactMap { entry in
            guard let name = stateName(entry) else { return nil }
            states.change(name)
            return change(entry.value).map { StateSetting(name: name, change: $0) }
        }
    }

    private func change(_ node: Node) -> StateSetting.Change? {
        if node.isNull { return .remove }
        if node.entries != nil { return Self.stateAddTable.open(node, self)?[\.add].map { .add($0) } }
        guard let text = sink.text(node, "a value of the state") else { return nil }
        guard text.utf8.count <= StateValues.valueByteLimit else {
            return sink.refuse(
                node, "the value has \(text.utf8.count) bytes; at most \(StateValues.valueByteLimit) are permitted")
        }
        return TemplateParser(scope: scope, sink: sink).parse(ScalarText(node, text)).map { .set($0) }
    }
}
