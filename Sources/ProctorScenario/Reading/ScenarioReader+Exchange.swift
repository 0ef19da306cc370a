import ProctorDocument

extension ScenarioReader {
    /// One item of `exchanges:`.
    func exchange(_ node: Node, index: Int, origins: [Origin], usualGuards: UsualGuards) -> Exchange? {
        let keys = ["request", "reply", "origin", "auth", "times", "reads", "expect", "turns"]
        let hints = ["guard": "did you mean \"auth\"?", "guards": "did you mean \"auth\"?"]
        guard let reader = MappingReader(node, "an exchange", keys: keys, hints: hints, sink: sink) else { return nil }
        let origin = reader["origin"].map(self.origin) ?? 0
        if let origin, origins.indices.contains(origin), let refusal = origins[origin].role.refusal {
            sink.report(
                reader["origin"] ?? node, "this can never match: the origin \(quoted(origins[origin].name)) \(refusal)")
        }
        var inner = self
        let own = origin.flatMap { origins.indices.contains($0) ? origins[$0] : nil }
        inner.isOfProxy = own?.role == .proxy
        inner.takesAnyTarget = own?.role == .proxy || own?.acceptance == .anything
        let request = reader.required("request").flatMap(inner.request)
        // Without a request that can be read, any name may be captured.
        let scope = TemplateScope(
            origins: self.origins, captures: request?.captures ?? [], acceptsAnyCapture: request == nil)
        inner.plainOrigin = origin.flatMap { origins.indices.contains($0) ? origins[$0].plainName : nil }
        // A request that can't be read may be any.
        inner.isOfConnect = request.map { $0.pattern.methods == [Array("CONNECT".utf8)] } ?? true
        let replies = reader.required("reply").map { inner.replies($0, scope: scope) }
        let times = reader["times"].flatMap { sink.integer($0, "times", in: Bounds.times) }
        if let times, let replyNodes = reader["reply"]?.items, replyNodes.count > times {
            sink.report(
                replyNodes[times],
                "this reply is never played: the exchange is used \(times) \(times == 1 ? "time" : "times")")
        }
        let reads = reader["reads"].flatMap(readPolicy)
        let expectation = reader["expect"].flatMap { node in
            sink.choice(node, "an expect policy", among: Exchange.ExpectationPolicy.self)
        }
        if expectation == .final { checkFinal(reader, request?.pattern) }
        let (turns, turnGroup) = turns(reader, replyCount: replies?.count ?? 0)
        let guards = reader["auth"].map { inner.auth($0, place: "exchange \(index)") } ?? usualGuards.use()
        guard let request, let replies, let origin else { return nil }
        return Exchange(
            index: index, origin: origin, request: request.pattern, replies: replies, times: times,
            reads: reads ?? .all, expectation: expectation ?? .continue, turns: turns, turnGroup: turnGroup,
            guards: guards, location: node.location)
    }

    private func origin(_ node: Node) -> Int? {
        guard let name = sink.text(node, "the name of an origin") else { return nil }
        guard let index = origins.firstIndex(of: name) else {
            sink.report(
                node, "unknown origin \(quoted(name))", hint: DiagnosticSink.hint(for: name, among: origins))
            return nil
        }
        return index
    }

    /// One reply or a list of them by turn.
    func replies(_ node: Node, scope: TemplateScope, kind: ReplyKind = .own) -> [Reply] {
        guard let items = node.items else { return reply(node, scope: scope, kind: kind).map { [$0] } ?? [] }
        if items.isEmpty { sink.report(node, "a list of replies needs at least one") }
        guard items.count <= Bounds.replies else {
            sink.report(node, "there are \(items.count) replies; at most \(Bounds.replies) are permitted")
            return []
        }
        return items.compactMap { reply($0, scope: scope, kind: kind) }
    }

    /// Reports what asks for content that `expect: final` never reads.
    private func checkFinal(_ reader: MappingReader, _ request: RequestPattern?) {
        if request?.body != nil, let node = reader["request"] {
            sink.report(
                node, "the content is never read with expect: final, so nothing can be compared with it",
                hint: "leave body:, form: or parts: out, or write expect: ignore")
        }
    }

    /// `turns:` as a word, or as `{ shared: NAME }`.
    private func turns(
        _ reader: MappingReader, replyCount: Int
    ) -> (policy: Exchange.TurnPolicy, group: Int?) {
        guard let entry = reader.entry("turns") else { return (.request, nil) }
        guard entry.value.entries != nil else {
            let policy = sink.choice(entry.value, "a kind of turns", among: Exchange.TurnPolicy.self)
            if reader["reply"]?.items.map({ $0.count < 2 }) ?? true {
                sink.report(entry.keyNode, "\"turns\" needs a list of two replies or more, which take turns")
            }
            return (policy ?? .request, nil)
        }
        let group = MappingReader(entry.value, "turns", keys: ["shared"], sink: sink)?.required("shared").flatMap {
            name($0, "the name of a turn", "a turn that is shared")
        }
        return (.request, group.map { turnGroups.join($0, replyCount: replyCount, at: entry.value) })
    }

    private func readPolicy(_ node: Node) -> Exchange.ReadPolicy? {
        if node.entries != nil {
            return MappingReader(node, "reads", keys: ["bytes", "every"], sink: sink).flatMap(portions)
                .map { .paced(byteCount: $0.byteCount, interval: $0.interval) }
        }
        switch node.text {
        case "all": return .all
        case "none": return Exchange.ReadPolicy.none
        case let text? where Int(text) == nil:
            sink.report(
                node,
                "expected reads as all, none, a number of bytes or { bytes: N, every: TIME }, found \(quoted(text))")
            return nil
        default: return sink.integer(node, "reads", in: 0...Bounds.bodyByteCount).map { .bytes($0) }
        }
    }
}
