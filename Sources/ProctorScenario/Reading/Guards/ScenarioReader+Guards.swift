import ProctorBase
import ProctorDocument

/// Where guards are named, and where they are asked for.
extension ScenarioReader {
    /// Reads `guards:` and `auth:` of the scenario, then its exchanges, and reports guards that guard nothing.
    func guarded(_ reader: MappingReader, _ exchanges: (UsualGuards) -> [Exchange]) -> [Exchange] {
        if let node = reader["guards"] { namedGuards(node) }
        let named = guards.rows.count
        let usual = UsualGuards(reader["auth"].map { auth($0, place: "all exchanges") } ?? [])
        let result = exchanges(usual)
        // What a file with errors seems not to use may be what they are about.
        guard reader["exchanges"]?.items?.isEmpty == false, sink.diagnostics.isEmpty else { return result }
        if let entry = reader.entry("auth"), !usual.isUsed {
            sink.report(entry.keyNode, "\"auth\" guards nothing: every exchange says \"auth\" itself")
        }
        for row in guards.rows.prefix(named) where !row.isUsed && row.name != Self.noGuard {
            sink.report(
                row.node, "the guard \(quoted(row.name)) guards nothing",
                hint: "write auth: \(row.name) beside a request, or at the scenario")
        }
        return result
    }

    private func namedGuards(_ node: Node) {
        guard let entries = node.entries else {
            sink.report(node, "expected guards as a mapping from name to guard, found \(node.found)")
            return
        }
        guard entries.count <= Bounds.guards else {
            sink.report(node, "there are \(entries.count) guards; at most \(Bounds.guards) are permitted")
            return
        }
        for entry in entries {
            if entry.key == Self.noGuard {
                sink.report(
                    entry.keyNode, "\(quoted(entry.key)) cannot name a guard: auth: \(entry.key) means no guard")
            } else if !entry.key.isIdentifier {
                sink.report(
                    entry.keyNode, "\(quoted(entry.key)) cannot name a guard",
                    hint: "use a letter, then letters, digits, '-' and '_'")
            }
            let index = guards.add(entry.key, at: entry.keyNode)
            guards.set(readGuard(entry.value, index: index, name: entry.key, realm: entry.key), at: index)
        }
    }

    private static let noGuard = "none"

    /// `auth:` as a name, `none`, a guard written out, or a list of names and guards; indexes in the order of asking.
    ///
    /// `place` names guards that are written out: `exchange 3`.
    func auth(_ node: Node, place: String) -> [Int] {
        if node.text == Self.noGuard { return [] }
        let nodes = node.items == nil ? [node] : sink.list(node, "guards", limit: Bounds.guards) ?? []
        if node.items?.isEmpty == true {
            sink.report(node, "a list of guards needs at least one", hint: "write auth: none for no guard")
        }
        var asked: [(index: Int, value: Guard?)] = []
        var unnamed = 0
        for item in nodes {
            var index: Int?
            if item.entries != nil {
                index = unnamedGuard(item, name: unnamed == 0 ? place : "\(place).\(unnamed)")
                unnamed += 1
            } else {
                index = guardIndex(item, isAlone: node.items == nil)
            }
            guard let index else { continue }
            let value = guards.use(index)
            if let value, let rival = asked.first(where: { $0.value?.isProxy == value.isProxy }),
                let other = rival.value
            {
                let field = value.isProxy ? "Proxy-Authorization" : "Authorization"
                sink.report(
                    item,
                    "\(quoted(other.name)) and \(quoted(value.name)) both judge \(field), which a request has once",
                    hint: "offer the schemes of both by one guard, or give one of them proxy: true")
            }
            asked.append((index, value))
        }
        return asked.map(\.index)
    }

    private func guardIndex(_ node: Node, isAlone: Bool) -> Int? {
        guard let name = node.text else {
            sink.report(
                node, "expected a guard as a name or as a mapping, found \(node.found)",
                hint: "write auth: none for no guard")
            return nil
        }
        if let index = guards.names.firstIndex(of: name) { return index }
        if name == Self.noGuard {
            sink.report(node, "\"none\" stands alone, in no list")
        } else {
            let names = guards.rows.map(\.name).filter(\.isIdentifier)
            sink.report(
                node, "unknown guard \(quoted(name))",
                hint: names.isEmpty
                    ? "write it under guards:, or write the guard itself here"
                    : DiagnosticSink.hint(for: name, among: isAlone ? names + [Self.noGuard] : names))
        }
        return nil
    }

    /// A guard that is written where it is used, with a state of its own.
    private func unnamedGuard(_ node: Node, name: String) -> Int? {
        guard guards.rows.count < Bounds.guards else {
            sink.report(node, "there are more than \(Bounds.guards) guards, those at exchanges counted in")
            return nil
        }
        let index = guards.add(name, at: node)
        guards.set(readGuard(node, index: index, name: name, realm: "proctor"), at: index)
        return index
    }
}
