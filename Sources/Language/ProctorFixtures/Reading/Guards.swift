import ProctorBase
package import ProctorDocument
import ProctorScenario

/// The guards of one file, named ones first, and the places where they are used.
///
/// A class, so that all readers of one file share it; used by one thread.
final class GuardList {
    /// The value of `auth:` for no guard.
    static let noGuard = "none"

    struct Row {
        let name: String
        /// The node whose place messages name.
        let node: Node
        /// Whether it is under `guards:`.
        let isNamed: Bool
        /// nil until the guard is read, and after a diagnostic.
        var value: Guard?
    }

    private(set) var rows: [Row] = []
    /// For each `auth:`, the indexes of its guards in order, with their nodes.
    private(set) var questions: [[(index: Int, node: Node)]] = []

    /// The names of the guards, by index.
    var names: [String] { rows.map(\.name) }

    /// The guards, by index; complete when nothing was reported.
    var all: [Guard] { rows.compactMap(\.value) }

    func add(_ name: String, at node: Node, isNamed: Bool) -> Int {
        rows.append(Row(name: name, node: node, isNamed: isNamed))
        return rows.count - 1
    }

    func set(_ value: Guard?, at index: Int) { rows[index].value = value }

    func ask(_ guards: [(index: Int, node: Node)]) { questions.append(guards) }
}

struct GuardKeys: Sendable {
    let realm = Key<[String]>("realm") { $1.realms($0) }
    let users = Key<[Guard.Account]>("users") { $1.accounts($0) }
    let tokens = Key("tokens", ScenarioReader.tokens.shape)
    let proxy = Key("proxy", Shape<Bool>.boolean("proxy"))
    let layout = UsualKey("layout", Shape<Guard.Layout>.choice("a layout"), usual: .lines)
    let schemes = Key<Node>("schemes", isRequired: true, hint: "write schemes: [basic]")
    let refuse = Key<Node>("refuse")
    let givesUp = Key<Guard.End>("gives-up") { $1.guardEnd($0) }
}

/// The keys that say when a guard sends no further challenge.
struct GuardEndKeys: Sendable {
    let after = Key("after", Shape<Int>.integer("a number of refused credentials", in: 0...1_000_000), isRequired: true)
    let reply = Key<Reply>("reply") { $1.reply($0, kind: .guarding(status: 403, takesRaw: true)) }
}

extension ScenarioReader {
    static let guardTable = Table(
        "a guard", GuardKeys(), hints: ["says": "says stands in a scheme: { basic: { says: … } }"])
    static let endTable = Table("gives-up", GuardEndKeys())

    /// The tokens that Bearer accepts.
    package static let tokens = LanguageSlot<any Sendable>("the part for Bearer")

    package static let schemeBound = 16
    static let guardTextByteCount = 16_384

    func namedGuards(_ node: Node) {
        guard let entries = entries(node, "guards", from: "name to guard", limit: Bounds.guards) else { return }
        for entry in entries {
            if entry.key == GuardList.noGuard {
                sink.report(
                    entry.keyNode, "\(quoted(entry.key)) cannot name a guard: auth: \(entry.key) means no guard")
            } else if !entry.key.isIdentifier {
                sink.report(
                    entry.keyNode, "\(quoted(entry.key)) cannot name a guard",
                    hint: "use a letter, then letters, digits, '-' and '_'")
            }
            let index = guards.add(entry.key, at: entry.keyNode, isNamed: true)
            guards.set(readGuard(entry.value, index: index, name: entry.key, realm: entry.key), at: index)
        }
    }

    /// Reads `auth:`: a name, `none`, a guard, or a list of these; returns indexes in the order in which the guards
    /// judge.
    ///
    /// `place` becomes the name of a guard that is written here: `exchange 3`.
    func auth(_ node: Node, place: String) -> [Int] {
        if node.text == GuardList.noGuard { return [] }
        var named: [(index: Int, node: Node)] = []
        var unnamed = 0
        for item in oneOrMore(node, "guards", limit: Bounds.guards, hint: "write auth: none for no guard") {
            var index: Int?
            if item.entries != nil {
                index = unnamedGuard(item, name: unnamed == 0 ? place : "\(place).\(unnamed)")
                unnamed += 1
            } else {
                index = guardIndex(item, isAlone: node.items == nil)
            }
            if let index { named.append((index, item)) }
        }
        guards.ask(named)
        return named.map(\.index)
    }

    private func guardIndex(_ node: Node, isAlone: Bool) -> Int? {
        guard let name = node.text else {
            return sink.refuse(
                node, "expected a guard as a name or as a mapping, found \(node.found)",
                hint: "write auth: none for no guard")
        }
        if let index = guards.names.firstIndex(of: name) { return index }
        if name == GuardList.noGuard {
            sink.report(node, "\"none\" stands alone, in no list")
        } else {
            let names = guards.rows.map(\.name).filter(\.isIdentifier)
            sink.report(
                node, "unknown guard \(quoted(name))",
                hint: names.isEmpty
                    ? "write it under guards:, or write the guard itself here"
                    : DiagnosticSink.hint(for: name, among: isAlone ? names + [GuardList.noGuard] : names))
        }
        return nil
    }

    /// A guard that is written where it is used, and has a state of its own.
    private func unnamedGuard(_ node: Node, name: String) -> Int? {
        guard guards.rows.count < Bounds.guards else {
            return sink.refuse(node, "there are more than \(Bounds.guards) guards, those at exchanges counted in")
        }
        let index = guards.add(name, at: node, isNamed: false)
        guards.set(readGuard(node, index: index, name: name, realm: "proctor"), at: index)
        return index
    }

    // MARK: One guard

    /// Reads one guard; `realm` is the default.
    func readGuard(_ node: Node, index: Int, name: String, realm: String) -> Guard? {
        let errorCount = sink.diagnostics.count
        guard let keys = Self.guardTable.open(node, with(guardScope)) else { return nil }
        let proxy = keys.has(\.proxy) ? keys[\.proxy] : false
        let isProxy = proxy ?? false
        let realms = keys[\.realm] ?? [realm]
        let accounts = keys[\.users] ?? []
        let tokens = keys[\.tokens]
        let schemes = keys[\.schemes].map(with(guardScope).schemes) ?? []
        // A key that seems to be missing, or to contradict another, may be one that could not be read.
        if sink.diagnostics.count == errorCount {
            checkOffer(schemes)
            checkMeans(schemes, tokens: tokens, keys)
        }
        if schemes.contains(where: { $0.name == "basic" }) {
            checkAccountsOfBasic(keys.entry(\.users)?.value.entries ?? [])
        }
        let refusals = keys[\.refuse].map { node in
            with(guardScope).replies(node, kind: .guarding(status: isProxy ? 407 : 401, takesRaw: false))
        }
        if let node = keys.entry(\.refuse)?.value, let proxy { checkRefusals(node, isProxy: proxy) }
        let end = keys[\.givesUp]
        return Guard(
            index: index, name: name, isProxy: isProxy, schemes: schemes.compactMap(\.value), realms: realms,
            accounts: accounts, tokens: tokens, layout: keys[\.layout], refusals: refusals ?? [], end: end,
            location: node.location)
    }

    /// A guard judges requests of many patterns, so no captures are permitted.
    private var guardScope: TemplateScope {
        TemplateScope(
            origins: originNames, captures: nil, captureless: "a guard answers requests of any pattern",
            answers: .request)
    }

    fileprivate func realms(_ node: Node) -> [String] {
        if node.items?.isEmpty == true { sink.report(node, "a list of realms needs at least one") }
        return sink.texts(node, "a realm", limit: Bounds.replies).compactMap { headText($0.node, "a realm") }
    }

    fileprivate func guardEnd(_ node: Node) -> Guard.End? {
        let shape = node.text.flatMap { Int($0) }.map { "write { after: \($0) }" }
        guard let keys = Self.endTable.open(node, self, shape: shape) else { return nil }
        let count = keys[\.after]
        let reply = keys[\.reply]
        return count.map { Guard.End(failureCount: $0, reply: reply) }
    }

    /// Text that is sent in a field; `what` is the noun in messages: `a realm`.
    package func headText(_ node: Node, _ what: String) -> String? {
        line(node, what, hint: "it would end the field") == nil ? nil : boundedText(node, what)
    }

    func boundedText(_ node: Node, _ what: String) -> String? {
        guard let text = sink.text(node, what) else { return nil }
        guard text.utf8.count <= Self.guardTextByteCount else {
            return sink.refuse(
                node,
                "\(what) has \(text.utf8.count) bytes; at most \(Self.guardTextByteCount) are permitted")
        }
        return text
    }
}
