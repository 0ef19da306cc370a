import ProctorBase
import ProctorDocument
import ProctorScenario

struct ReplyKeys: Sendable {
    let status = Key("status", Shape<Int>.integer("a status", in: Bounds.status))
    let reason = Key("reason", Shape<String>.line("a reason"))
    let version = UsualKey("version", Shape<String>.line("a version"), usual: "HTTP/1.1")
    let headers = Key("headers", Shape<[ReplyField]>.fields("headers"))
    let body = Key<Node>("body")
    let events = Key("events", ScenarioReader.eventStream.shape)
    let coding = Key<BodyCoding>("coding") { $1.coding($0) }
    let framing = Key<StructuredReply.Framing>("framing") { $1.framing($0) }
    let trailers = Key("trailers", Shape<[ReplyField]>.fields("trailers"))
    let interim = Key<[InterimPiece]>("interim") { $1.interim($0) }
    let honours = Key<Set<Honour>>("honours") { $1.honours($0) }
    let unsatisfiable = Key<Node>("unsatisfiable")
    let pace = Key("pace", Shape<Pace>.mapping(ScenarioReader.paceTable) { ScenarioReader.pace($0) })
    let raw = Key<Node>("raw")
    let socks = Key("socks", ScenarioReader.socksReply.shape)
    let slice = Key<Slicing>("slice") { $1.slicing($0) }
    let effects = Key<[Effect]>("effects") { $1.effects($0) }
    let forward = Key<Node>("forward")
    let tunnel = Key<Node>("tunnel")
    let opaque = Key<Node>("opaque")
    let webSocket = Key("websocket", ScenarioReader.webSocket.shape)
    let then = Key<Node>("then")
    let sets = Key<[StateSetting]>("sets") { $1.sets($0) }
    let script = Key("script", Shape<FixtureScript>.script)
    let grpc = Key("grpc", ScenarioReader.call.shape)
    let choose = Key<Node>("choose")
    let weight = Key("weight", Shape<Int>.integer("a weight", in: 1...ReplyDraw.mostWeight))
}

extension ScenarioReader {
    static let replyTable = Table(
        "a reply", ReplyKeys(), reserved: ["auth": "the exchange: write it beside \"reply\""], hints: Self.hintsOfPauses
    )

    /// Hints for keys that authors write when they want a pause.
    package static let hintsOfPauses = Dictionary(
        uniqueKeysWithValues: ["delay", "wait", "sleep", "latency"].map {
            ($0, "a pause is an effect of the reply: effects: [{ at: head, do: wait 1s }]")
        })
    static let interimTable = Table("an interim reply", InterimKeys())
    static let paceTable = Table("a pace", PaceKeys())

    /// The keys of a structured message, which exclude `raw`.
    private static let messageKeys = [
        "status", "reason", "version", "headers", "body", "events", "coding", "framing", "trailers", "interim",
        "honours",
        "unsatisfiable", "pace", "websocket",
    ]

    /// Writes the short form `reply: 204` as `reply: { status: 204 }`.
    private static func withStatusAlone(_ node: Node) -> Node {
        guard case .scalar(let text, .plain) = node.content, let status = Int(text), Bounds.status.contains(status)
        else {
            return node
        }
        return Node(.mapping([Node.Entry("status", node)]), madeAt: SourceFile(madeAt: node.location))
    }

    func reply(_ node: Node, kind: ReplyKind = .own) -> Reply? {
        let shape = node.text.flatMap { Int($0) }.map { "write { status: \($0) }" }
        let node = kind == .own ? Self.withStatusAlone(node) : node
        guard let keys = Self.replyTable.open(node, self, shape: shape) else { return nil }
        if let entry = keys.entry(\.choose) {
            return sink.refuse(
                entry.keyNode,
                kind == .own
                    ? "a choose has no place in another one" : "\"choose\" does not go with \(kind.description)",
                hint: "write it as a reply of an exchange")
        }
        if let entry = keys.entry(\.weight), !isInChoose {
            sink.report(entry.keyNode, "\"weight\" is for the replies of a choose", hint: "write choose: [ … ]")
        }
        if let entry = keys.entry(\.forward) { return forward(entry, keys, kind: kind) }
        let effects = keys[\.effects] ?? []
        var sets: [StateSetting] = []
        if let entry = keys.entry(\.sets) {
            if kind == .own {
                sets = keys[\.sets] ?? []
            } else {
                sink.report(
                    entry.keyNode, "\"sets\" does not go with \(kind.description)",
                    hint: "write it in the exchange's own reply")
            }
        }
        let slicing = keys[\.slice]
        var persistence = keys[\.then].flatMap { self.persistence($0, keys, effects: effects) } ?? .usual
        let messageEntries = keys.entries.filter { Self.messageKeys.contains($0.key) }
        var message: Reply.Message?
        var rawTunnel: Tunnel?
        if let script = keys.entry(\.script) ?? keys.entry(\.grpc) {
            guard let scripted = scripted(script, keys, kind: kind) else { return nil }
            message = scripted
        } else if keys.has(\.socks) {
            (message, rawTunnel) = (socksMessage(keys), tunnel(keys, status: nil, kind: kind))
            if rawTunnel == nil { persistence = .close }
        } else if let raw = keys.entry(\.raw) {
            if case .guarding(_, takesRaw: false) = kind {
                return sink.refuse(
                    raw.keyNode, "\"raw\" does not go with \"refuse\", whose challenges are added behind the fields",
                    hint: "put the whole exchange into its own reply, or write verbatim: under schemes")
            }
            for entry in messageEntries {
                sink.report(entry.keyNode, "\(quoted(entry.key)) does not go with \"raw\", which is sent verbatim")
            }
            rawTunnel = tunnel(keys, status: nil, kind: kind)
            if let node = keys.entry(\.opaque)?.keyNode, keys.has(\.tunnel) {
                sink.report(
                    node, "\"opaque\" does not go with \"tunnel\": behind the head the connection is the origin's")
            }
            let pieces = pieces(raw.value, "a raw reply")
            guard !pieces.isEmpty else { return nil }
            message = .raw(pieces)
        } else if !messageEntries.isEmpty || kind != .own || keys.has(\.tunnel) {
            guard let structured = structured(keys, slicing: slicing, kind: kind) else { return nil }
            message = .structured(structured)
        } else {
            if let node = keys.entry(\.slice)?.keyNode {
                sink.report(node, "\"slice\" needs \"status\" or \"raw\": a reply of effects alone has nothing to cut")
            }
            if !keys.has(\.effects) { return sink.refuse(node, "a reply needs \"status\", \"raw\" or \"effects\"") }
        }
        checkRanges(of: message, keys, areSet: !sets.isEmpty)
        checkSOCKS(keys, message)
        checkEffects(effects, of: message, opensTunnel: rawTunnel != nil)
        if let slicing, let node = keys.entry(\.slice)?.value, let message {
            checkSlicing(slicing, of: message, at: node)
        }
        var rawSlicing: Slicing?
        if case .raw? = message { rawSlicing = slicing }
        return Reply(
            message: message, effects: effects, rawSlicing: rawSlicing, rawTunnel: rawTunnel, persistence: persistence,
            opaque: webSocketSteps(keys, kind) ?? opaque(keys, message), sets: sets, location: node.location)
    }

    private func structured(_ keys: Mapping<ReplyKeys>, slicing: Slicing?, kind: ReplyKind) -> StructuredReply? {
        let usual = kind.status ?? (keys.has(\.events) ? 200 : keys.has(\.webSocket) ? 101 : nil)
        if usual == nil { _ = keys.raw.required("status") }
        let status = keys.has(\.status) ? keys[\.status] : usual
        let reason = keys[\.reason]
        let version = keys[\.version]
        var headers = keys[\.headers] ?? []
        let trailers = keys[\.trailers] ?? []
        let interim = keys[\.interim] ?? []
        let coding = keys[\.coding]
        var bodyScope = scope
        bodyScope.isCoded = keys.has(\.coding)
        var body = keys[\.body].map { with(bodyScope).body($0) } ?? []
        let isMade = keys[\.body]?.isMadeBody != false
        if Self.saysJSON(headers), !isMade { body = body.inJSON }
        if let entry = keys.entry(\.events) {
            body = with(bodyScope).eventStream(entry, keys)
            headers = Self.fieldsOfEventStream(headers, at: entry.keyNode.location)
        }
        let honours = keys[\.honours] ?? []
        let unsatisfiable = keys.entry(\.unsatisfiable).flatMap { self.unsatisfiable($0, honours) }
        let pace = keys[\.pace]
        var framing = StructuredReply.Framing.unspecified
        if keys.has(\.framing) {
            guard let read = keys[\.framing] else { return nil }
            framing = read
        } else if keys.has(\.events), let status {
            framing = Self.framingOfEventStream(status: status, version: version, headers)
        }
        let tunnel = tunnel(keys, status: status, kind: kind)
        guard let status else { return nil }
        var reply = StructuredReply(
            status: status, reason: reason, version: version, headers: headers, body: body, framing: framing,
            trailers: trailers, interim: interim, coding: coding, honours: honours, unsatisfiable: unsatisfiable,
            tunnel: tunnel, pace: pace, slicing: slicing)
        // A late type is known when the reply is made.
        if !isMade, reply.contentType.map({ $0.literalBytes == nil }) == true, body.inJSON.hasJSONEscapes {
            reply.bodyInJSON = body.inJSON
        }
        checkReply(reply, keys)
        return reply
    }

    private enum Then: String, CaseIterable { case keep, close }

    /// Reads `then:`, and checks it with the effects before it.
    private func persistence(_ node: Node, _ keys: Mapping<ReplyKeys>, effects: [Effect]) -> Reply.Persistence? {
        for entry in [keys.entry(\.tunnel), keys.entry(\.opaque), keys.entry(\.webSocket)].compactMap(\.self) {
            sink.report(
                node, "\"then\" does not go with \"\(entry.key)\", behind which no other request is read")
        }
        guard let then = sink.choice(node, "an end of a reply", among: Then.self) else { return nil }
        guard then == .keep else { return .close }
        if keys.entry(\.framing)?.value.text == "close" {
            sink.report(
                node, "the connection can't stay: framing: close ends the body by its end",
                hint: "write framing: length or chunked")
        }
        if let effect = effects.first(where: { $0.action.row.isLast }) {
            let place = effect.location
            sink.report(node, "the connection can't stay: the effect at \(place.line):\(place.column) ends it")
        }
        return .keep
    }

    /// Reads `unsatisfiable:`, which needs `honours: ranges`.
    private func unsatisfiable(_ entry: Node.Entry, _ honours: Set<Honour>) -> UnsatisfiableReply? {
        if !honours.contains(.ranges) {
            sink.report(
                entry.keyNode, "\"unsatisfiable\" is the reply to ranges, and this reply does not honour them",
                hint: "write honours: ranges beside it")
        }
        for key in ["honours", "coding", "tunnel", "opaque", "websocket", "forward", "script"] {
            guard let inner = entry.value.entries?.first(where: { $0.key == key }) else { continue }
            return sink.refuse(inner.keyNode, "\(quoted(key)) has no place in the reply to ranges that are not there")
        }
        return reply(entry.value, kind: .ofRanges).map { UnsatisfiableReply($0) }
    }

    fileprivate static func pace(_ keys: Mapping<PaceKeys>) -> Pace? {
        let scope = keys[\.of]
        let byteCount = keys[\.portion.bytes]
        let interval = keys[\.portion.every]
        guard let byteCount, let interval else { return nil }
        return Pace(byteCount: byteCount, interval: interval, scope: scope)
    }

    /// One word or a list.
    fileprivate func honours(_ node: Node) -> Set<Honour> {
        var honours: Set<Honour> = []
        if node.items?.isEmpty == true { sink.report(node, "honours needs at least one of ranges and conditions") }
        for item in node.items ?? [node] {
            guard let honour = sink.choice(item, "a part of a request", among: Honour.self) else { continue }
            if !honours.insert(honour).inserted { sink.report(item, "\(quoted(honour.rawValue)) stands twice") }
        }
        return honours
    }

    /// Reads 1xx replies, with effects between them.
    fileprivate func interim(_ node: Node) -> [InterimPiece] {
        let items = sink.list(node, "interim", limit: Bounds.interim) ?? []
        return upToEnd(of: "reply", items) { item in
            guard item.isEffect else { return interimReply(item).map { .reply($0) } }
            return inlineEffect(item, "between interim replies").map { .effect($0) }
        } effect: {
            if case .effect(let action) = $0 { action } else { nil }
        }
    }

    private func interimReply(_ item: Node) -> InterimReply? {
        guard item.entries != nil else {
            return sink.integer(item, "an interim status", in: 100...199)
                .map { InterimReply(status: $0, reason: nil, headers: []) }
        }
        guard let keys = Self.interimTable.open(item, self) else { return nil }
        let status = keys[\.status]
        let reason = keys[\.reason]
        let headers = keys[\.headers] ?? []
        return status.map { InterimReply(status: $0, reason: reason, headers: headers) }
    }
}
