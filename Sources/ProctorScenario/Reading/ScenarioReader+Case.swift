import ProctorBase
import ProctorDocument
import ProctorTrace

extension ScenarioReader {
    private static let caseKeys = [
        "kind", "summary", "spec", "client", "wire", "task", "download", "session", "proto", "protocolClient",
        "handler", "with", "edges", "breaks", "facts", "cookies", "needs", "applies",
    ]

    /// One entry of `cases:`.
    func `case`(_ entry: Node.Entry) -> Case? {
        if !entry.key.isCaseName {
            sink.report(
                entry.keyNode, "\(quoted(entry.key)) cannot name a case",
                hint: "use letters, digits, '-', '_' and '.', a letter or digit first, at most 100")
        }
        guard
            let reader = MappingReader(
                entry.value, "a case", keys: Self.caseKeys, sink: sink, isKnown: { Self.isLane($0) })
        else { return nil }
        let client = reader.required("client").map(clientPrograms) ?? []
        let stepCount = max(1, reader["client"]?.items?.count ?? 1)
        let wire = reader["wire"].flatMap(wireNotation)
        var lanes: [String: Notation] = [:]
        for lane in reader.entries where Self.isLane(lane.key) {
            let name = Self.canonical(lane.key)
            guard checkStep(lane, stepCount), let notation = notation(lane.value, lane: Self.lane(name)) else {
                continue
            }
            guard lanes[name] == nil else {
                sink.report(lane.keyNode, "the lane \(quoted(name)) stands here twice: [0] may be left out")
                continue
            }
            let step = Self.stepIndex(name) ?? 0
            let task = client.indices.contains(step) ? client[step].task : .data
            if let stranger = LaneEvents.stranger(in: notation, ofLane: name, task: task) {
                sink.report(lane.value, stranger)
            }
            lanes[name] = notation
        }
        let ambient = reader["with"].map { self.ambient($0, lanes: lanes, reader) } ?? [:]
        let facts = reader["facts"].map { self.facts($0, stepCount: stepCount) } ?? []
        checkCookies(reader, client)
        return Case(
            name: entry.key, kind: reader["kind"].flatMap { sink.choice($0, "a kind") } ?? .must,
            summary: reader["summary"].flatMap { sink.nonEmptyText($0, "a summary") }, spec: specs(reader["spec"]),
            client: client, wire: wire, lanes: lanes, ambient: ambient,
            edges: reader["edges"].map { edges($0, stepCount: stepCount) } ?? [],
            breaks: reader["breaks"].map(breaks) ?? [], facts: facts,
            cookies: reader["cookies"].flatMap(cookieDemand),
            needs: reader["needs"].map { abilities($0, among: Ability.allCases) } ?? [],
            applies: reader["applies"].map { abilities($0, among: Self.standards) } ?? [],
            contraryOrigins: contraryOrigins,
            location: entry.keyNode.location)
    }

    private static let standards = Ability.allCases.filter(Ability.ofStandards.contains)

    /// `needs:` and `applies:`, one word or a list.
    private func abilities(_ node: Node, among known: [Ability]) -> Set<Ability> {
        let words = sink.texts(node, "an ability", limit: Ability.allCases.count)
        return Set(
            words.compactMap { word -> Ability? in
                if let ability = Ability(rawValue: word.text), known.contains(ability) { return ability }
                sink.report(
                    word.node, "there is no ability \(quoted(word.text)) here",
                    hint: DiagnosticSink.hint(for: word.text, among: known.map(\.rawValue)))
                return nil
            })
    }

    /// `task`, `task[1]`, `download`, `session` …, but not `wire`, which has a key of its own.
    private static func isLane(_ key: String) -> Bool {
        guard let lane = Lane(fixtureKey: key) else { return false }
        return lane != .wire && lane != .harness
    }

    private static func lane(_ key: String) -> Lane { Lane(fixtureKey: key) ?? .task }

    /// `task[0]` and `task[00]` are `task`.
    private static func canonical(_ key: String) -> String {
        guard let index = stepIndex(key), let bracket = key.firstIndex(of: "[") else { return key }
        return index == 0 ? String(key[..<bracket]) : "\(key[..<bracket])[\(index)]"
    }

    private static func stepIndex(_ key: String) -> Int? {
        guard let bracket = key.firstIndex(of: "["), key.last == "]" else { return nil }
        return Int(key[key.index(after: bracket)...].dropLast())
    }

    private func checkStep(_ entry: Node.Entry, _ stepCount: Int) -> Bool {
        guard let index = Self.stepIndex(entry.key), index >= stepCount else { return true }
        sink.report(entry.keyNode, "there is no step \(index); this case has \(stepCount), counted from 0")
        return false
    }

    /// An expression; its typing errors are shown where they stand in the file.
    private func notation(_ node: Node, lane: Lane) -> Notation? {
        guard let text = node.text else {
            let hint = node.entries != nil || node.items != nil ? "quote it, or write it as a block after |" : nil
            sink.report(node, "expected an expression as text, found \(node.found)", hint: hint)
            return nil
        }
        do throws(NotationError) {
            return try Notation(parsing: text, lane: lane)
        } catch {
            sink.report(node.location(ofTextOffset: error.offset), error.sentence)
            return nil
        }
    }

    /// `wire:`, which speaks of requests alone.
    private func wireNotation(_ node: Node) -> Notation? {
        guard let notation = notation(node, lane: .wire) else { return nil }
        guard !notation.eventNames.contains(EventName.replied.rawValue) else {
            sink.report(
                node, "\"replied\" stands in edges only: wire: speaks of requests",
                hint: "write edges: [wire request[1] after wire replied[0]], or facts: { wire[0].reply.status: 200 }")
            return nil
        }
        return notation
    }

    /// `with:` as one text for the task and download lanes, or as a mapping from lane to text.
    private func ambient(_ node: Node, lanes: [String: Notation], _ reader: MappingReader) -> [String: Notation] {
        var result: [String: Notation] = [:]
        if let entries = node.entries {
            for entry in entries {
                let name = Self.canonical(entry.key)
                guard Self.isLane(entry.key), reader.entries.contains(where: { Self.canonical($0.key) == name }) else {
                    let names = reader.entries.map(\.key).filter(Self.isLane)
                    sink.report(
                        entry.keyNode, "\(quoted(entry.key)) is no lane of this case",
                        hint: names.isEmpty ? nil : DiagnosticSink.hint(for: entry.key, among: names))
                    continue
                }
                result[name] = ambientNotation(entry.value, lane: Self.lane(name))
            }
            return result
        }
        guard let notation = ambientNotation(node, lane: .task) else { return [:] }
        for name in lanes.keys where Self.lane(name) == .task { result[name] = notation }
        if !reader.entries.contains(where: { Self.isLane($0.key) && Self.lane($0.key) == .task }) {
            sink.report(node, "\"with\" needs a task or download lane that it can be mixed into")
        }
        return result
    }

    /// What may be interleaved ends with the lane, so it cannot hold the event that ends it.
    private func ambientNotation(_ node: Node, lane: Lane) -> Notation? {
        guard let notation = notation(node, lane: lane) else { return nil }
        for name in EventVocabulary.terminalNames where notation.eventNames.contains(name) {
            sink.report(node, "\(quoted(name)) ends a lane and cannot be interleaved with it")
            return nil
        }
        return notation
    }
}

extension String {
    /// What can stand after `#` in `redirect/302#follow`.
    fileprivate var isCaseName: Bool {
        guard let first = utf8.first, first.isASCIILetter || first.isASCIIDigit, utf8.count <= 100 else { return false }
        return utf8.allSatisfy {
            $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F
        }
    }
}
