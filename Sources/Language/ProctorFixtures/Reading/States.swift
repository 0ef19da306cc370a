import ProctorBase
import ProctorDocument
import ProctorJournal
import ProctorScenario

/// `{ add: N }`.
struct StateAddKeys: Sendable {
    let add = Key<StateSetting.Change>("add", isRequired: true) { $1.added($0) }
}

/// The names of the state that a file declares, sets and uses.
///
/// A class, so that all readers of one file share it; used by one thread.
final class StateMentions {
    /// The names under `state:`.
    var declared: [StateName] = []
    private var changed: [Template] = []
    private var used: [(name: Template, location: SourceLocation)] = []

    func change(_ name: Template) { changed.append(name) }

    func use(_ name: Template, at location: SourceLocation) { used.append((name, location)) }

    private static let comparisonLimit = 2_000_000

    private static func hint(for name: Template) -> String {
        name.literalBytes == nil
            ? "sets: of a reply, or state.set of a script, sets a name with {{…}}; state: at the top has fixed names"
            : "write it below state: at the top of the file, with null where it has no first value"
    }

    /// The declared and set names without late-bound parts.
    var names: [String] {
        (declared.map(\.name) + changed.compactMap(\.literalBytes)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Reports names that are used but never set; nothing is reported when a script may set names.
    func check(_ sink: DiagnosticSink, _ scripts: ScriptList) {
        guard !scripts.mayChangeState else { return }
        let names = names
        let literals = Set(declared.map(\.name) + changed.compactMap(\.literalBytes))
        let patterns = changed.filter { $0.literalBytes == nil }
        // A name with late-bound parts is compared with each other name; when the budget is spent, nothing is reported.
        let budget = WorkBudget(stepLimit: Self.comparisonLimit)
        for use in used {
            let bytes = use.name.literalBytes
            if let bytes, literals.contains(bytes) { continue }
            guard (try? budget.spend(patterns.count + (bytes == nil ? literals.count : 0))) != nil else { return }
            let isKnown =
                patterns.contains { use.name.mayBe($0) }
                || bytes == nil && literals.contains { use.name.mayBe(Template(parts: [.literal($0)])) }
            guard !isKnown else { continue }
            let name = bytes.map { String(decoding: $0, as: UTF8.self) } ?? use.name.shown
            sink.report(
                use.location, "nothing sets the state \(quoted(name))",
                hint: NearestName.find(name, in: names).map { "did you mean \(quoted($0))?" }
                    ?? Self.hint(for: use.name))
        }
    }
}

extension ScenarioReader {
    static let stateAddTable = Table("a change of the state", StateAddKeys())

    /// Reads `state:` at the top: names with their initial values.
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
                // A name without an initial value must be one that can be set, too.
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

    /// Reads `when:` of an exchange.
    func when(_ node: Node) -> [StateCondition] {
        guard let entries = entries(node, "when", from: "name to condition", limit: Bounds.states) else { return [] }
        if entries.isEmpty { sink.report(node, "when needs at least one name") }
        return entries.compactMap { entry in
            let name = stateName(entry)
            if let name { states.use(name, at: entry.keyNode.location) }
            guard let value = wanted(entry.value, "the state \(quoted(entry.key))"), let name else { return nil }
            return StateCondition(name: name, value: value)
        }
    }

    /// A condition on a value of the state; text with `{{…}}` is compared without wildcards, in `not` and `any of` too.
    private func wanted(_ node: Node, _ what: String) -> StateCondition.Wanted? {
        guard node.mentionsLateText else { return condition(node, what).map { .fixed($0) } }
        guard let entries = node.entries else {
            guard let text = sink.text(node, what) else { return nil }
            return equals(ScalarText(node, text))
        }
        guard entries.count == 1, let entry = entries.first else { return condition(node, what).map { .fixed($0) } }
        switch entry.key {
        case "not": return wanted(entry.value, "what is not wanted").map { .not($0) }
        case "any of":
            return conditionItems(entry.value)?.mapAll { wanted($0, "one of the values") }.map { .anyOf($0) }
        default: return condition(node, what).map { .fixed($0) }
        }
    }

    private func equals(_ text: ScalarText) -> StateCondition.Wanted? {
        if let offset = text.bytes.firstIndex(of: UInt8(ascii: "*")) {
            return sink.refuse(
                text.location(offset), "text with {{…}} is compared byte for byte, so that * stands for nothing in it",
                hint: "leave it out, or put what it stands for in a state of its own")
        }
        return TemplateParser(scope: scope, sink: sink).parse(text).map { .equals($0) }
    }

    /// Reads `sets:` of a reply: names with values, or a list of such mappings, which are applied in order.
    func sets(_ node: Node) -> [StateSetting] {
        var settings: [StateSetting] = []
        var count = 0
        for item in node.items ?? [node] {
            guard let entries = entries(item, "sets", from: "name to value", limit: Bounds.states) else { continue }
            if entries.isEmpty { sink.report(item, "sets needs at least one name") }
            count += entries.count
            settings += entries.compactMap(setting)
        }
        if node.items?.isEmpty == true { sink.report(node, "sets needs at least one name") }
        if node.items != nil, count > Bounds.states {
            sink.report(node, "there are \(count) sets; at most \(Bounds.states) are permitted")
        }
        return settings
    }

    private func setting(_ entry: Node.Entry) -> StateSetting? {
        guard let name = stateName(entry) else { return nil }
        states.change(name)
        return change(entry.value).map { StateSetting(name: name, change: $0) }
    }

    /// Reads the value of `add:`.
    fileprivate func added(_ node: Node) -> StateSetting.Change? {
        guard node.mentionsLateText, let text = sink.text(node, "what is added") else {
            return sink.integer(node, "what is added", in: Bounds.added).map { .add($0) }
        }
        return TemplateParser(scope: scope, sink: sink).parse(ScalarText(node, text)).map { .addText($0) }
    }

    private func change(_ node: Node) -> StateSetting.Change? {
        if node.isNull { return .remove }
        if node.entries != nil { return Self.stateAddTable.open(node, self)?[\.add] }
        guard let text = sink.text(node, "a value of the state") else { return nil }
        guard text.utf8.count <= StateValues.valueByteLimit else {
            return sink.refuse(
                node, "the value has \(text.utf8.count) bytes; at most \(StateValues.valueByteLimit) are permitted")
        }
        return TemplateParser(scope: scope, sink: sink).parse(ScalarText(node, text)).map { .set($0) }
    }
}

extension Node {
    /// Whether any text in the node contains `{{`.
    fileprivate var mentionsLateText: Bool {
        switch content {
        case .scalar(let text, _): text.contains(text: "{{")
        case .sequence(let items): items.contains(where: \.mentionsLateText)
        case .mapping(let entries): entries.contains { $0.value.mentionsLateText }
        }
    }
}
