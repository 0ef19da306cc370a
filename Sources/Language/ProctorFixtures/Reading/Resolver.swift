import ProctorBase
import ProctorDocument
import ProctorHTTP
import ProctorScenario
import ProctorTLSWire

/// The origin on whose connections an effect is played.
enum OriginPlace {
    /// Any origin: a named guard can be used at each of them.
    case any
    /// The origin with that index.
    case one(Int)
    /// The origin could not be read.
    case unknown
}

/// Checks that are collected while a file is read and run in the second pass; used by one thread.
final class SecondPass {
    typealias Check = (Resolver) -> Void

    private(set) var checks: [Check] = []
    /// The number of checks that were collected before the cases were read.
    private(set) var exchangeCheckCount = 0
    /// Whether no error was found before the cases.
    private(set) var isSoundBeforeCases = true

    /// The shared turns with their numbers of replies, those of unreadable exchanges included.
    private(set) var sharedTurns: [(name: String, node: Node, replyCount: Int)] = []

    /// The cases that mistakes of exchanges do not fail, those of unreadable exchanges included.
    var exceptions: [(text: String, node: Node)] = []

    func share(_ name: String, at node: Node, replyCount: Int) {
        sharedTurns.append((name, node, replyCount))
    }

    /// Adds a check that runs when the whole file has been read.
    func later(_ check: @escaping Check) { checks.append(check) }

    /// Removes all checks, to break the reference cycle with the reader; whoever makes a reader must call it in the end.
    func removeChecks() { checks = [] }

    func beginCases(_ sink: DiagnosticSink) {
        exchangeCheckCount = checks.count
        isSoundBeforeCases = sink.diagnostics.isEmpty
    }
}

/// The second pass: checks parts of the file that depend on other parts.
struct Resolver {
    let origins: [Origin]
    /// Whether any origin has a host name.
    let hasNames: Bool
    /// Whether names are asked for at a server of DNS.
    let asksDNS: Bool
    let guards: GuardList
    let sink: DiagnosticSink

    init(origins: [ReadOrigin], asksDNS: Bool, guards: GuardList, sink: DiagnosticSink) {
        self.origins = origins.map(\.origin)
        hasNames = origins.contains { $0.origin.hostName != nil || $0.isUnclear }
        (self.asksDNS, self.guards, self.sink) = (asksDNS, guards, sink)
    }

    var speaksTLS: Bool { origins.contains { $0.tls != nil } }

    /// The certificate profiles of the origins, sorted.
    var certificates: [String] { Array(Set(origins.compactMap(\.tls?.certificate))).sorted() }

    /// The name of the origin when it certainly speaks no TLS, else nil.
    func plainName(at place: OriginPlace) -> String? {
        switch place {
        case .any: speaksTLS ? nil : origins.first?.name
        case .one(let index):
            origins.indices.contains(index) && origins[index].tls == nil ? origins[index].name : nil
        case .unknown: nil
        }
    }

    /// Reports a word at a place where TLS is not spoken.
    func speaksTLS(_ word: String, at place: OriginPlace, _ node: Node) -> Bool {
        guard let plain = plainName(at: place) else { return true }
        sink.report(
            node, "\(quoted(word)) needs TLS, which the origin \(quoted(plain)) does not speak",
            hint: "write scheme: https at the origin")
        return false
    }

    /// Reports a word when no origin speaks TLS.
    func isSecured(_ word: String, _ node: Node) -> Bool {
        if speaksTLS { return true }
        sink.report(
            node, "\(quoted(word)) is about TLS, which no origin of this scenario speaks",
            hint: "write scheme: https at an origin")
        return false
    }

    /// The hosts that a URL of a program may have.
    func hosts(throughProxy: Bool) -> TargetPlace.Hosts { hasNames ? .kept : throughProxy ? .ofProxy : .none }

    // MARK: Exchanges

    /// Completes the exchanges with the parts that depend on other parts of the file.
    func exchanges(
        _ drafts: [ReadExchange], of top: Mapping<ScenarioReader.Keys>, usualGuards: [Int]?,
        sequence: Scenario.Sequence, _ secondPass: SecondPass
    ) -> [Exchange] {
        let count = sink.diagnostics.count
        for check in secondPass.checks.prefix(secondPass.exchangeCheckCount) { check(self) }
        checkGuards()
        let requests = drafts.map { request($0) }
        // In a file with errors, a guard may be unused because of the errors.
        if top.raw["exchanges"]?.items?.isEmpty == false, secondPass.isSoundBeforeCases,
            sink.diagnostics.count == count
        {
            reportUnusedGuards(drafts, top)
        }
        let groups = turnGroups(secondPass.sharedTurns, sequence)
        return zip(drafts, requests).map { draft, request in
            var exchange = Exchange(
                index: draft.index, origin: draft.origin, request: request, replies: draft.replies, draws: draft.draws,
                when: draft.when, times: draft.times?.most, leastTimes: draft.times?.least,
                isOptional: draft.isOptional,
                reads: draft.reads, expectation: draft.expectation, turns: draft.turns,
                turnGroup: draft.sharedTurn.flatMap { groups.firstIndex(of: $0) },
                guards: draft.guards ?? usualGuards ?? [], location: draft.location)
            exchange.mistake = draft.mistake
            exchange.after = draft.after
            exchange.webhooks = draft.webhooks
            return exchange
        }
    }

    /// The request pattern; a lone asterisk means any target when the origin accepts all forms of targets.
    private func request(_ draft: ReadExchange) -> RequestPattern {
        let pattern = draft.request.pattern
        guard draft.request.loneAsterisk != nil, takesAnyTarget(draft.origin) else { return pattern }
        var any = RequestPattern(
            text: pattern.text, methods: pattern.methods, target: BytePattern(parts: [.wildcard]),
            query: pattern.query, headers: pattern.headers, body: pattern.body)
        any.more = pattern.more
        any.script = pattern.script
        return any
    }

    /// Whether the origin accepts targets that do not begin with a slash.
    private func takesAnyTarget(_ origin: Int?) -> Bool {
        guard let origin, origins.indices.contains(origin) else { return false }
        return origins[origin].role == .proxy || origins[origin].acceptance == .anything
    }

    /// Reports a lone asterisk in the short form when it can't be a target.
    func checkRequest(_ request: ReadRequest, at origin: Int?) {
        if let node = request.security { checkSecurity(node, request.pattern, at: origin) }
        if let node = request.protocolName { checkProtocol(node, at: origin) }
        guard let asterisk = request.loneAsterisk, asterisk.isShort, !takesAnyTarget(origin) else { return }
        sink.report(asterisk.location, "a lone * is the asterisk-form of OPTIONS", hint: "write /* for any target")
    }

    /// Reports conditions on TLS that never hold: without TLS, or on a certificate that the server does not ask for.
    private func checkSecurity(_ node: Node, _ pattern: RequestPattern, at origin: Int?) {
        guard let origin, origins.indices.contains(origin), speaksTLS("tls", at: .one(origin), node) else { return }
        guard let program = origins[origin].tls, program.clientCertificate == .none,
            pattern.more?.security?.identity?.needsValue == true
        else { return }
        sink.report(
            node, "this can never match: the origin \(quoted(origins[origin].name)) asks for no certificate",
            hint: "write client-certificate: in its tls:")
    }

    /// Reports an exchange of an origin that gets no request.
    func checkOrigin(_ origin: Int, at node: Node) {
        guard origins.indices.contains(origin), let refusal = origins[origin].role.refusal else { return }
        sink.report(node, "this can never match: the origin \(quoted(origins[origin].name)) \(refusal)")
    }

    /// The names of shared turns, in the order of the file; reports sharing that has no effect.
    private func turnGroups(
        _ turns: [(name: String, node: Node, replyCount: Int)], _ sequence: Scenario.Sequence
    ) -> [String] {
        var names: [String] = []
        for turn in turns where !names.contains(turn.name) {
            names.append(turn.name)
            let sharing = turns.filter { $0.name == turn.name }
            let name = "\"\(turn.name)\""
            if sequence == .strict {
                sink.report(
                    turn.node, "\"shared\" does not go with a strict sequence, which has one order for all already")
            } else if sharing.count == 1 {
                sink.report(
                    turn.node, "no other exchange shares the turn \(name)",
                    hint: "write turns: { shared: \(turn.name) } at another exchange too")
            } else if sharing.allSatisfy({ $0.replyCount < 2 }) {
                sink.report(
                    turn.node, "the turn \(name) decides nothing: every exchange that shares it has one reply",
                    hint: "write a list of replies at one of them")
            }
        }
        return names
    }

    // MARK: Guards

    /// Reports guards of one `auth:` that judge the same field.
    private func checkGuards() {
        for asked in guards.questions {
            for (position, question) in asked.enumerated() {
                guard let value = guards.rows[question.index].value else { continue }
                let rivals = asked.prefix(position).compactMap { guards.rows[$0.index].value }
                guard let other = rivals.first(where: { $0.isProxy == value.isProxy }) else { continue }
                let field = value.isProxy ? "Proxy-Authorization" : "Authorization"
                sink.report(
                    question.node,
                    "\(quoted(other.name)) and \(quoted(value.name)) both judge \(field), which a request has once",
                    hint: "offer the schemes of both by one guard, or give one of them proxy: true")
            }
        }
    }

    private func reportUnusedGuards(_ drafts: [ReadExchange], _ top: Mapping<ScenarioReader.Keys>) {
        if let entry = top.entry(\.auth), !drafts.contains(where: { $0.guards == nil }) {
            sink.report(entry.keyNode, "\"auth\" guards nothing: every exchange says \"auth\" itself")
        }
        let used = Set(guards.questions.joined().map(\.index))
        for (index, row) in guards.rows.enumerated()
        where row.isNamed && !used.contains(index) && row.name != GuardList.noGuard {
            sink.report(
                row.node, "the guard \(quoted(row.name)) guards nothing",
                hint: "write auth: \(row.name) beside a request, or at the scenario")
        }
    }

    // MARK: Cases

    /// The cases with the abilities that they need; reports cases that require more than their sources.
    func cases(
        _ cases: [Case], exchanges: [Exchange], spec: [String], untolerated: Set<Departure>, control: Scenario.Mention?,
        _ secondPass: SecondPass
    ) -> [Case] {
        for check in secondPass.checks.dropFirst(secondPass.exchangeCheckCount) { check(self) }
        let names = cases.map(\.name)
        for exception in secondPass.exceptions where !names.contains(exception.text) {
            sink.report(
                exception.node, "no case is called \(quoted(exception.text))",
                hint: DiagnosticSink.hint(for: exception.text, among: names))
        }
        return cases.map { item in
            var item = item.completed(origins: origins, exchanges: exchanges, asksDNS: asksDNS)
            item.scenarioSpec = spec
            item.control = control
            item.untolerated.formUnion(untolerated)
            SourceCheck(spec: spec, sink: sink).check(item)
            return item
        }
    }
}
