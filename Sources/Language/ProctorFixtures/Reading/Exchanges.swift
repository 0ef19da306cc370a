import ProctorBase
import ProctorDocument
package import ProctorScenario

/// An exchange that was read, before the second pass.
struct ReadExchange {
    let index: Int
    let origin: Int
    let request: ReadRequest
    let replies: [Reply]
    let draws: [ReplyDraw]
    let when: [StateCondition]
    let times: Exchange.Times?
    let isOptional: Bool
    let reads: Exchange.ReadPolicy
    let expectation: Exchange.ExpectationPolicy
    let turns: Exchange.TurnPolicy
    /// The name of the turns that it shares with other exchanges.
    let sharedTurn: String?
    /// The indexes of its own guards; nil: the guards of the scenario.
    let guards: [Int]?
    let mistake: Exchange.Mistake?
    let after: Exchange.AfterPolicy?
    let webhooks: (any WebhookProgram)?
    let location: SourceLocation
}

struct ExchangeKeys: Sendable {
    let request = Key<ReadRequest>("request", isRequired: true) { $1.request($0) }
    let reply = Key<Node>("reply", isRequired: true)
    let when = Key<[StateCondition]>("when") { $1.when($0) }
    let origin = Key<Int>("origin") { $1.originIndex($0) }
    let auth = Key<Node>("auth")
    let times = Key<Exchange.Times>("times") { $1.times($0) }
    let optional = Key("optional", Shape<Bool>.boolean("optional"))
    let catches = Key<Exchange.Mistake>("catches") { $1.mistake($0) }
    let reads = Key<Exchange.ReadPolicy>("reads") { $1.readPolicy($0) }
    let expect = UsualKey("expect", Shape<Exchange.ExpectationPolicy>.choice("an expect policy"), usual: .continue)
    let turns = Key<Node>("turns")
    let after = Key("after", Shape<Exchange.AfterPolicy>.choice("what follows the last reply"))
    let webhooks = Key("webhooks", ScenarioReader.webhooks.shape)
    let each = Key.each()
}

/// How often an exchange must be used.
struct TimesKeys: Sendable {
    let exactly = Key("exactly", Shape<Int>.integer("exactly", in: Bounds.times))
    let atLeast = Key("at-least", Shape<Int>.integer("at-least", in: Bounds.times))
}

/// `{ shared: NAME }`.
struct TurnsKeys: Sendable {
    let shared = Key("shared", Shape<String>.name("the name of a turn", of: "a turn that is shared"), isRequired: true)
}

/// `{ says: TEXT, except: CASE }`.
struct CatchKeys: Sendable {
    let says = Key("says", Shape<String>.nonEmptyText("what is wrong"), isRequired: true)
    let except = Key<[Node]>("except", isRequired: true) { $1.oneOrMore($0, "names of cases", limit: Bounds.cases) }
}

/// The keys of a body that is read in portions.
struct PortionKeys: Sendable {
    let bytes = Key("bytes", Shape<Int>.byteCount("bytes", from: 1), isRequired: true)
    let every = Key("every", Shape<Duration>.duration("every"), isRequired: true)
}

extension ScenarioReader {
    static let exchangeTable = Table(
        "an exchange", ExchangeKeys(),
        hints: hintsOfPauses.merging(
            ["guard", "guards"].map { ($0, "did you mean \"auth\"?") }, uniquingKeysWith: { first, _ in first }))

    /// The requests behind a reply.
    package static let webhooks = LanguageSlot<any WebhookProgram>("the part for webhooks")

    static let turnsTable = Table("turns", TurnsKeys())

    static let timesTable = Table("times", TimesKeys())

    static let portionTable = Table("reads", PortionKeys())

    static let catchTable = Table("catches", CatchKeys())

    func exchange(_ node: Node, index: Int) -> ReadExchange? {
        guard let keys = Self.exchangeTable.open(node, self) else { return nil }
        let origin = keys.has(\.origin) ? keys[\.origin] : 0
        let originNode = keys.entry(\.origin)?.value ?? node
        if let origin { secondPass.later { $0.checkOrigin(origin, at: originNode) } }
        var inner = self
        inner.place = origin.map { .one($0) } ?? .unknown
        inner.target = nil
        let request = keys[\.request]
        if let request { secondPass.later { $0.checkRequest(request, at: origin) } }
        // When the request could not be read, any capture is accepted.
        inner.scope = TemplateScope(
            origins: originNames, captures: request?.captures ?? [], acceptsAnyCapture: request == nil,
            answers: .request)
        inner.scope.states = states
        // A request that could not be read may be CONNECT.
        inner.isOfConnect = request.map { $0.pattern.methods == [Array("CONNECT".utf8)] } ?? true
        inner.takesConnect = request.map { $0.pattern.takesConnect } ?? true
        inner.target = request?.pattern.target.exactBytes
        let when = keys.entry(\.when).map { inner.when($0.value) } ?? []
        let read = keys[\.reply].map { inner.turns($0) }
        let replies = read?.replies
        let webhooks = keys.entry(\.webhooks).flatMap { Self.webhooks.shape.read($0.value, inner) }
        let times = keys[\.times]
        if let times = times?.most, let replyNodes = keys.entry(\.reply)?.value.items, replyNodes.count > times {
            sink.report(
                replyNodes[times],
                "this reply is never played: the exchange is used \(times) \(times == 1 ? "time" : "times")")
        }
        let mistake = keys[\.catches]
        if mistake != nil, keys.has(\.optional), let entry = keys.entry(\.optional) {
            sink.report(entry.keyNode, "an exchange that catches a mistake is optional already")
        }
        let isOptional = keys[\.optional] ?? (mistake != nil)
        if isOptional, keys.has(\.optional), times?.least != nil, let entry = keys.entry(\.optional) {
            sink.report(entry.value, "an exchange whose times: are demanded is not optional")
        }
        let reads = keys[\.reads]
        let expectation = keys[\.expect]
        if expectation == .final { checkFinal(keys, request?.pattern) }
        checkContent(of: replies ?? [], webhooks, keys, reads)
        let (turns, sharedTurn) = turns(keys, replyCount: replies?.count ?? 0, isRandom: read?.draws.isEmpty == false)
        inner.scope = scope
        let guards = keys[\.auth].map { inner.auth($0, place: "exchange \(index)") }
        if let entry = keys.entry(\.auth) {
            secondPass.later { [place = inner.place] in $0.checkNoSOCKS(entry, at: place) }
        }
        guard let request, let replies, let origin else { return nil }
        return ReadExchange(
            index: index, origin: origin, request: request, replies: replies, draws: read?.draws ?? [], when: when,
            times: times, isOptional: isOptional,
            reads: reads ?? (replies.contains(where: \.readsContent) ? .none : .all),
            expectation: expectation, turns: turns,
            sharedTurn: sharedTurn,
            guards: guards, mistake: mistake, after: after(keys, replyCount: replies.count), webhooks: webhooks,
            location: node.location)
    }

    /// One reply, or a list in turn.
    func replies(_ node: Node, kind: ReplyKind = .own) -> [Reply] {
        guard let items = node.items else { return reply(node, kind: kind).map { [$0] } ?? [] }
        if items.isEmpty { sink.report(node, "a list of replies needs at least one") }
        guard items.count <= Bounds.replies else {
            sink.report(node, "there are \(items.count) replies; at most \(Bounds.replies) are permitted")
            return []
        }
        return items.compactMap { reply($0, kind: kind) }
    }

    /// Reports keys that need request content, which `expect: final` never reads.
    private func checkFinal(_ keys: Mapping<ExchangeKeys>, _ request: RequestPattern?) {
        if request?.looksAtBody == true, let entry = keys.entry(\.request) {
            sink.report(
                entry.value, "the content is never read with expect: final, so nothing can be compared with it",
                hint: "leave body:, json:, form: or parts: out, or write expect: ignore")
        }
    }

    /// What follows the last reply, which only a list that is used without limit has.
    private func after(_ keys: Mapping<ExchangeKeys>, replyCount: Int) -> Exchange.AfterPolicy? {
        guard let entry = keys.entry(\.after) else { return nil }
        if replyCount < 2, !keys.has(\.turns) {
            sink.report(entry.keyNode, "\"after\" needs a list of two replies or more, of which the last one is used")
        }
        if keys[\.times]?.most != nil {
            sink.report(entry.keyNode, "\"after\" does not go with \"times\", since nothing follows the last use")
        }
        return keys[\.after]
    }

    /// `turns:` as a word, or as `{ shared: NAME }`.
    private func turns(
        _ keys: Mapping<ExchangeKeys>, replyCount: Int, isRandom: Bool
    ) -> (policy: Exchange.TurnPolicy, shared: String?) {
        guard let entry = keys.entry(\.turns) else { return (.request, nil) }
        guard entry.value.entries != nil else {
            let policy = sink.choice(entry.value, "a kind of turns", among: Exchange.TurnPolicy.self)
            if !isRandom, keys.entry(\.reply)?.value.items.map({ $0.count < 2 }) ?? true {
                sink.report(entry.keyNode, "\"turns\" needs a list of two replies or more, which take turns")
            }
            return (policy ?? .request, nil)
        }
        let name = Self.turnsTable.open(entry.value, self)?[\.shared]
        if let name { secondPass.share(name, at: entry.value, replyCount: replyCount) }
        return (.request, name)
    }

    func times(_ node: Node) -> Exchange.Times? {
        guard node.entries != nil else {
            return sink.integer(node, "times", in: Bounds.times).map { Exchange.Times(most: $0, least: nil) }
        }
        guard let keys = Self.timesTable.open(node, self) else { return nil }
        switch (keys[\.exactly], keys[\.atLeast]) {
        case (let count?, nil) where !keys.has(\.atLeast): return Exchange.Times(most: count, least: count)
        case (nil, let count?) where !keys.has(\.exactly): return Exchange.Times(most: nil, least: count)
        default:
            guard keys.has(\.exactly) == keys.has(\.atLeast) else { return nil }
            return sink.refuse(node, "times needs one of \"exactly\" and \"at-least\"")
        }
    }

    /// The value of `catches:`; its exceptions are checked when all cases are known.
    func mistake(_ node: Node) -> Exchange.Mistake? {
        guard node.entries != nil else {
            return sink.nonEmptyText(node, "what is wrong").map { Exchange.Mistake($0) }
        }
        guard let keys = Self.catchTable.open(node, self) else { return nil }
        let says = keys[\.says]
        guard let names = keys[\.except], let says else { return nil }
        let exceptions = names.compactMap { name in
            sink.nonEmptyText(name, "the name of a case").map { (text: $0, node: name) }
        }
        secondPass.exceptions += exceptions
        return Exchange.Mistake(says, except: exceptions.map(\.text))
    }

    func readPolicy(_ node: Node) -> Exchange.ReadPolicy? {
        if node.entries != nil {
            return Self.portionTable.open(node, self).flatMap(Self.portions)
                .map { .paced(byteCount: $0.byteCount, interval: $0.interval) }
        }
        switch node.text {
        case "all": return .all
        case "none": return Exchange.ReadPolicy.none
        case let text? where Int(text) == nil:
            return sink.refuse(
                node,
                "expected reads as all, none, a number of bytes or { bytes: N, every: TIME }, found \(quoted(text))")
        default: return sink.integer(node, "reads", in: 0...Bounds.bodyByteCount).map { .bytes($0) }
        }
    }

    private static func portions(_ keys: Mapping<PortionKeys>) -> (byteCount: Int, interval: Duration)? {
        let byteCount = keys[\.bytes]
        let interval = keys[\.every]
        guard let byteCount, let interval else { return nil }
        return (byteCount, interval)
    }

    /// Reports keys that leave content unread although a reply needs it.
    private func checkContent(
        of replies: [Reply], _ webhooks: (any WebhookProgram)?, _ keys: Mapping<ExchangeKeys>,
        _ reads: Exchange.ReadPolicy?
    ) {
        guard replies.contains(where: { $0.lateUse.need == .content }) || webhooks?.lateUse.need == .content else {
            return
        }
        var entries: [Node.Entry?] = []
        switch reads {
        case Exchange.ReadPolicy.none?, .bytes?: entries.append(keys.entry(\.reads))
        case .all?, .paced?, nil: break
        }
        if keys[\.expect] == .final { entries.append(keys.entry(\.expect)) }
        for entry in entries.compactMap(\.self) {
            sink.report(
                entry.keyNode, "a reply of this exchange needs all content of its request, which stays unread so",
                hint: "leave \(quoted(entry.key)) out")
        }
    }

    // MARK: Proxies

    /// Reads `forward: true`, beside which no other key is permitted.
    func forward(_ entry: Node.Entry, _ keys: Mapping<ReplyKeys>, kind: ReplyKind) -> Reply {
        for other in keys.entries where other.key != "forward" {
            sink.report(
                other.keyNode, "\(quoted(other.key)) does not go with \"forward\": the origin's own reply is sent")
        }
        secondPass.later { [place] resolver in resolver.checkForward(entry, kind, at: place) }
        return Reply(message: .forward, effects: [], location: keys.node.location)
    }

    static let tunnelTable = Table("a tunnel", TunnelKeys())

    /// The value of `tunnel:`; checks the other keys of the reply too.
    func tunnel(_ keys: Mapping<ReplyKeys>, status: Int?, kind: ReplyKind) -> Tunnel? {
        guard let entry = keys.entry(\.tunnel) else { return nil }
        let isMapping = entry.value.entries != nil
        let read = isMapping ? Self.tunnelTable.open(entry.value, self) : nil
        guard let to = isMapping ? read?.node(\.to) : entry.value, let origin = originIndex(to) else { return nil }
        let nodes = (to: to, tls: read?.node(\.tls))
        let tlsOrigin = nodes.tls.map { originIndex($0) }
        if case .some(nil) = tlsOrigin { return nil }
        secondPass.later { [place, takesConnect] resolver in
            resolver.checkTunnel(keys, entry, status: status, kind: kind, at: place, takesConnect: takesConnect)
            resolver.checkEnds(of: Tunnel(to: origin, tlsOf: tlsOrigin ?? nil), at: nodes)
        }
        return Tunnel(to: origin, tlsOf: tlsOrigin ?? nil)
    }
}

extension RequestPattern {
    /// Whether the request may be CONNECT, whose target is an authority.
    fileprivate var takesConnect: Bool {
        guard methods?.contains(Array("CONNECT".utf8)) != false else { return false }
        let target = text.split(separator: " ").last ?? ""
        return !target.hasPrefix("/") && !target.contains(text: "://")
    }
}

/// `tunnel: { … }`.
struct TunnelKeys: Sendable {
    let to = Key<Node>("to", isRequired: true)
    let tls = Key<Node>("tls")
}

extension Resolver {
    /// Reports forwarding outside a proxy, or without an origin.
    fileprivate func checkForward(_ entry: Node.Entry, _ kind: ScenarioReader.ReplyKind, at place: OriginPlace) {
        guard isOfProxy(entry, kind, at: place), let flag = sink.boolean(entry.value, "forward") else { return }
        if !flag { sink.report(entry.value, "\"forward\" is true or left out", hint: "give the reply a status") }
        if !origins.contains(where: { $0.role == .server }) {
            sink.report(
                entry.keyNode, "there is no server to hand a request on to: no origin has the role server",
                hint: "write origins: { home: { host: home.example.org } } beside the proxy")
        }
    }

    /// Reports a tunnel outside a proxy's reply to CONNECT, or without an origin.
    fileprivate func checkTunnel(
        _ keys: Mapping<ReplyKeys>, _ entry: Node.Entry, status: Int?, kind: ScenarioReader.ReplyKind,
        at place: OriginPlace, takesConnect: Bool
    ) {
        guard isOfProxy(entry, kind, at: place) else { return }
        if !takesConnect {
            sink.report(
                entry.keyNode, "only CONNECT opens a tunnel (RFC 9110 §9.3.6)", hint: "write request: CONNECT * there")
        }
        if let status, !(200...299).contains(status) {
            sink.report(
                keys.entry(\.status)?.value ?? entry.keyNode,
                "a tunnel is opened by a 2xx reply (RFC 9110 §9.3.6), found \(status)", hint: "write status: 200")
        }
        // A reply that opens a tunnel has no body (RFC 9110 §9.3.6).
        let ofBody = [
            keys.entry(\.body), keys.entry(\.events), keys.entry(\.coding), keys.entry(\.framing),
            keys.entry(\.trailers), keys.entry(\.honours), keys.entry(\.pace),
        ]
        for other in ofBody.compactMap(\.self) {
            sink.report(
                other.keyNode,
                "\(quoted(other.key)) does not go with \"tunnel\": behind the head the connection is the origin's")
        }
    }

    /// Reports an origin that answers nothing, and a named TLS origin without TLS.
    fileprivate func checkEnds(of tunnel: Tunnel, at nodes: (to: Node, tls: Node?)) {
        guard origins.indices.contains(tunnel.origin), origins.indices.contains(tunnel.tlsOrigin) else { return }
        let (origin, tlsOrigin) = (origins[tunnel.origin], origins[tunnel.tlsOrigin])
        if let reason = origin.role.refusal {
            sink.report(nodes.to, "no tunnel leads there: the origin \(quoted(origin.name)) \(reason)")
        }
        if let node = nodes.tls, tlsOrigin.tls == nil {
            sink.report(
                node, "the origin \(quoted(tlsOrigin.name)) speaks no TLS",
                hint: "name an origin with scheme: https, or leave tls: out")
        }
    }

    private func isOfProxy(_ entry: Node.Entry, _ kind: ScenarioReader.ReplyKind, at place: OriginPlace) -> Bool {
        guard kind == .own else {
            sink.report(
                entry.keyNode, "\(quoted(entry.key)) does not go with a guard's reply, which refuses",
                hint: "write it in the exchange's own reply")
            return false
        }
        if case .one(let index) = place, origins.indices.contains(index), origins[index].role == .proxy { return true }
        sink.report(
            entry.keyNode, "\(quoted(entry.key)) is what a proxy does, and the origin of this exchange is none",
            hint: "write origin: NAME with the name of an origin that has role: proxy")
        return false
    }
}
