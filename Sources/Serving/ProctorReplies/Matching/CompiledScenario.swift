package import ProctorBase
package import ProctorCrypto
package import ProctorHTTP
package import ProctorScenario
internal import Synchronization

/// A scenario with everything computed once that matching and playing need.
package final class CompiledScenario: Sendable {
    package let scenario: Scenario
    package let exchanges: [CompiledExchange]
    let isStrict: Bool
    /// The guards, by index in the scenario.
    package let guards: [CompiledGuard]
    /// Why the scenario can't be served: the system has no hash function that its guards need.
    package let hashRefusal: HashRefusal?
    let turnGroupCount: Int
    /// Whether any exchange needs the body, which is then read before one is chosen.
    let looksAtBodies: Bool
    private let guardsLookAtBodies: Bool
    /// Whether any exchange may take long to compare.
    private let isCostly: Bool
    /// How often a comparison with all exchanges may read a head.
    private let readCount: Int
    /// Whether the last request that was compared was more than a loop's share, so that the next one is not begun there.
    private let exceedsShare = Atomic(false)
    /// Whether any exchange asks for facts of TLS.
    package let looksAtSecurity: Bool
    /// Whether a case has a fact about pipelining, so that the server looks when requests came.
    package let looksAtPipelining: Bool
    let hasScripts: Bool
    /// Whether a reply is followed by webhooks.
    package let hasWebhooks: Bool
    /// Whether anything that is served depends on the seed of the run.
    let takesRandom: Bool
    /// Why exchanges mean nothing over HTTP/2, by their index; nil before anyone has asked.
    private let http2Refusals = Locked<[Int: ProtocolRefusal]?>(nil)
    package let opensWebSockets: Bool
    /// Whether an origin of the fixture names HTTP/3.
    package let speaksHTTP3: Bool
    /// Whether any exchange asks a script about a request.
    package let asksScripts: Bool
    let hasTurnsByConnection: Bool
    /// Whether a connection stores the state of a scheme that authenticates it.
    let hasMessages: Bool
    /// The smallest portion in which an exchange reads content, by origin; `.max` where none reads in portions.
    private let portionByteCounts: [Int]
    /// The number of an exchange's first reply among all replies of the scenario, by exchange.
    package let firstReplyNumber: [Int]
    /// The number of a guard's first reply, by guard.
    let firstRefusalNumber: [Int]
    package let replies: [ReplyFacts]
    /// The script that makes a reply, for each of `replies`; nil for a reply that the fixture writes.
    let replyScripts: [ReplyScript?]
    /// How the plans of a reply are made, for each of `replies`; nil where the planner makes them, or one is kept.
    let lateReplies: [LateReply?]
    let planSlotCount: Int
    /// Nil where the scenario has no state.
    let firstState: StateValues?
    /// Whether the state decides about an exchange, or a reply of the fixture changes it.
    let turnsUseState: Bool
    /// Whether any reply sets a cookie, or any case expects one; raw replies from files are not searched.
    let watchesCookies: Bool
    let coded = CodedBodies()
    let constantReplies: ConstantReplies
    /// What the control API says of every run of the scenario: the names of its cases, and the awaited events.
    package let runDetails: JSONPiece

    /// Properties of a reply that do not depend on a request.
    package struct ReplyFacts {
        /// Index of the first of its plans: two for each variant of its coding, with content and without for HEAD.
        let firstPlanSlot: Int
        let looksAtFields: Bool
        /// Whether a proxy hands the request on in place of a reply.
        let forwards: Bool
        /// Whether the reply sets cookies, as far as is known before templates are bound.
        let mentionsSetCookie: Bool
        /// Whether values of the reply need all content of the request.
        let needsContent: Bool
        package let persistence: Reply.Persistence
        /// Whether a request of HTTP/1.0 gets another reply.
        let needsHTTP11: Bool
        /// Whether a client that said `close` gets another reply.
        let answersClose: Bool
    }

    /// Throws where the system does not have a hash function.
    package typealias HashCheck = @Sendable ([HashFunction]) throws(HashRefusal) -> Void

    package init(
        _ scenario: Scenario,
        checkHashes: HashCheck = { wanted throws(HashRefusal) in try OpenSSLHasher().check(wanted) }
    ) {
        self.scenario = scenario
        let isStrict = scenario.sequence == .strict
        self.isStrict = isStrict
        opensWebSockets = scenario.exchanges.contains(where: \.opensWebSocket)
        var mostReplies: [Int: Int] = [:]
        for exchange in scenario.exchanges {
            guard let group = exchange.turnGroup else { continue }
            mostReplies[group] = max(mostReplies[group] ?? 0, exchange.turnCount)
        }
        turnGroupCount = (mostReplies.keys.max() ?? -1) + 1
        exchanges = scenario.exchanges.map { exchange in
            CompiledExchange(
                exchange, isStrict: isStrict,
                turnCount: exchange.turnGroup.flatMap { mostReplies[$0] } ?? exchange.turnCount)
        }
        firstState = scenario.hasState ? StateValues(scenario.state) : nil
        turnsUseState = exchanges.contains { $0.asksState || $0.setsState }
        guards = scenario.guards.map { CompiledGuard($0, tolerated: scenario.tolerated) }
        hashRefusal =
            Self.refusal(of: Set(guards.flatMap(\.hashFunctions)), checkHashes)
            ?? guards.lazy.flatMap(\.others).compactMap(\.hashRefusal).first
        looksAtBodies = exchanges.contains { $0.looksAtBody || $0.stateNeedsContent }
        isCostly = exchanges.contains(where: \.isCostly)
        readCount = scenario.exchanges.reduce(0) { $0 + $1.request.readCount }
        looksAtSecurity = scenario.exchanges.contains { $0.request.looksAtSecurity }
        looksAtPipelining = scenario.cases.contains { $0.facts.contains(where: \.name.isOfPipelining) }
        guardsLookAtBodies = guards.contains(where: \.looksAtBodies)
        speaksHTTP3 = scenario.origins.contains(where: \.speaksHTTP3)
        hasScripts = !scenario.scripts.isEmpty
        hasWebhooks = scenario.exchanges.contains { $0.webhooks != nil }
        takesRandom = scenario.takesRandom
        asksScripts = scenario.exchanges.contains { $0.request.script != nil }
        hasTurnsByConnection = exchanges.contains(where: \.hasTurnsByConnection)
        hasMessages = guards.contains(where: \.hasMessages)
        portionByteCounts = scenario.origins.indices.map { origin in
            scenario.exchanges.filter { $0.origin == origin }.compactMap(\.reads.portionByteCount).min() ?? .max
        }
        var facts: [ReplyFacts] = []
        var scripts: [ReplyScript?] = []
        var lates: [LateReply?] = []
        var slotCount = 0
        func number(_ replies: [Reply], webhooks: LateUse? = nil) -> Int {
            defer {
                for reply in replies {
                    let variantCount = reply.structured?.coding?.variantCount ?? 1
                    facts.append(
                        ReplyFacts(
                            firstPlanSlot: slotCount,
                            looksAtFields: reply.script != nil || variantCount > 1
                                || reply.structured?.honours.isEmpty == false,
                            forwards: reply.forwards, mentionsSetCookie: reply.mentionsSetCookie,
                            needsContent: reply.lateUse.need == .content || webhooks?.need == .content,
                            persistence: reply.persistence,
                            needsHTTP11: reply.needsHTTP11, answersClose: reply.answersClose))
                    scripts.append(reply.script)
                    lates.append(LateReply(reply))
                    slotCount += 2 * variantCount
                }
            }
            return facts.count
        }
        firstReplyNumber = scenario.exchanges.map { number($0.replies, webhooks: $0.webhooks?.lateUse) }
        firstRefusalNumber = guards.map { number($0.replies.all) }
        replies = facts
        replyScripts = scripts
        lateReplies = lates
        watchesCookies = facts.contains(where: \.mentionsSetCookie) || scenario.cases.contains { $0.cookies != nil }
        planSlotCount = slotCount
        constantReplies = ConstantReplies(slotCount: slotCount)
        runDetails = JSONPiece { json in
            json.texts("cases", scenario.sittings.map(\.name))
            if let awaited = scenario.awaitedEvents { json.texts("awaited", awaited) }
        }
    }

    private static func refusal(of functions: Set<HashFunction>, _ check: HashCheck) -> HashRefusal? {
        do throws(HashRefusal) {
            try check(functions.sorted { $0.byteCount < $1.byteCount })
            return nil
        } catch {
            return error
        }
    }

    /// Whether the body must be read before an exchange can be chosen or a miss explained.
    package func looksAtBody(of request: RequestView, origin: Int) -> Bool {
        guard looksAtBodies || guardsLookAtBodies else { return false }
        let candidates = exchanges.filter { $0.exchange.origin == origin && $0.matchesHead(of: request) }
        if looksAtBodies, candidates.isEmpty || candidates.contains(where: { $0.looksAtBody || $0.stateNeedsContent }) {
            return true
        }
        guard guardsLookAtBodies else { return false }
        return candidates.contains { $0.exchange.guards.contains { guards[$0].looksAtBody(of: request.head) } }
    }

    /// Whether content is decoded before the stage's lock is taken.
    package var needsDecoding: Bool { looksAtBodies || isCostly }

    /// What comparing the request may cost; nil where it costs little, whatever the exchanges ask for.
    package func comparison(for head: RequestHead) -> Comparison? {
        isCostly || head.bytes.count * readCount > Self.littleReading
            || looksAtBodies && head.fields.contains(named: Array("Content-Encoding".utf8)) ? Comparison() : nil
    }

    /// About half a millisecond.
    private static let littleReading = 1 << 20

    /// Compares the request with exchanges that it was not compared with yet; false where the budget is spent before the
    /// last one.
    ///
    /// No effect on a request without a ``Comparison``.
    func compare(_ request: RequestView, origin: Int, headsAlone: Bool) -> Bool {
        guard let comparison = request.comparison else { return true }
        guard comparison.spent == nil else { return false }
        for candidate in exchanges
        where candidate.origin == origin && comparison.lacks(candidate.exchange.index, headAlone: headsAlone) {
            let (index, pattern) = (candidate.exchange.index, candidate.exchange.request)
            let byteCount = pattern.readCount * request.head.bytes.count / Self.readBytesOfStep
            guard (try? comparison.budget.spend(1 + byteCount)) != nil else { return false }
            let head = candidate.matchesHead(of: request)
            guard comparison.record(head: head, of: index) else { return false }
            guard !headsAlone else { continue }
            let whole = head && pattern.matchesRest(of: request)
            let isNoted = comparison.record(
                whole: whole, of: index, captures: { pattern.captures(of: request) },
                isLast: !isStrict && candidate.takesEach)
            guard isNoted else { return false }
        }
        return true
    }

    private static let readBytesOfStep = 32

    /// Compares a request on its loop, within the loop's share; false where the rest is for another thread.
    package func compareWithinShare(_ request: RequestView, origin: Int, headsAlone: Bool) -> Bool {
        guard request.comparison != nil else { return true }
        if exceedsShare.load(ordering: .relaxed) { return false }
        let isDone = compare(request, origin: origin, headsAlone: headsAlone)
        if !isDone { exceedsShare.store(true, ordering: .relaxed) }
        return isDone
    }

    /// Compares the rest of a request on another thread, and notes where the budget is spent.
    package func compareRest(_ request: RequestView, origin: Int, headsAlone: Bool) {
        guard let comparison = request.comparison else { return }
        if !compare(request, origin: origin, headsAlone: headsAlone) { comparison.noteSpent() }
        // What was cancelled says nothing about the next request.
        guard comparison.spent != .cancelled else { return }
        exceedsShare.store(comparison.budget.stepCount > Comparison.loopStepLimit, ordering: .relaxed)
    }

    /// Decodes content and loads files before the stage's lock is taken for the choice, and asks scripts.
    func prepare(_ request: RequestView, origin: Int) {
        if let comparison = request.comparison {
            let budget = WorkBudget(time: comparison.scriptTimeLimit)
            for candidate in exchanges
            where candidate.exchange.request.script != nil && candidate.origin == origin
                && comparison.verdict(of: candidate.exchange.index) == .holds
            {
                do throws(SpentBudget) { try budget.checkBounds() } catch {
                    comparison.stop(at: candidate.exchange.index, error)
                    return
                }
                if !request.isWanted(by: candidate.exchange) { comparison.refuse(candidate.exchange.index) }
            }
            return
        }
        guard looksAtBodies, let decoded = request.decoded else { return }
        for candidate in exchanges where candidate.origin == origin && candidate.looksAtBody {
            if let body = candidate.exchange.request.body, candidate.matchesHead(of: request) {
                decoded.prepare(for: body)
            }
        }
    }

    /// The `Expect` policy of the first exchange that matches the head.
    package func expectation(of request: RequestView, origin: Int) -> Exchange.ExpectationPolicy {
        candidate(for: request, origin: origin)?.expectation ?? .continue
    }

    /// The read policy of that exchange; everything, where the choice needs the body.
    package func reads(of request: RequestView, origin: Int) -> Exchange.ReadPolicy {
        candidate(for: request, origin: origin)?.reads ?? .all
    }

    /// The first exchange that matches the head.
    package func candidate(for request: RequestView, origin: Int) -> Exchange? {
        exchanges.first { $0.exchange.origin == origin && $0.matchesHead(of: request) }?.exchange
    }

    /// Why the exchange that matches the head means nothing over HTTP/2; nil where it does, and where there is none.
    package func http2Refusal(of request: RequestView, origin: Int) -> ProtocolRefusal? {
        let refusals = http2Refusals.withLock { known in
            let refusals =
                known
                ?? Dictionary(
                    uniqueKeysWithValues: scenario.exchanges.compactMap { exchange in
                        ProtocolRefusal(scenario.http2Obstacles(of: exchange)).map { (exchange.index, $0) }
                    })
            known = refusals
            return refusals
        }
        guard !refusals.isEmpty else { return nil }
        // A request that takes long to compare is refused where any exchange would have to be.
        guard compareWithinShare(request, origin: origin, headsAlone: true) else { return refusals.values.first }
        return candidate(for: request, origin: origin).flatMap { refusals[$0.index] }
    }

    /// Whether an exchange of the first origin has the method, target and fields of the request, or may have them where
    /// that takes long to find out.
    package func mayHaveExchange(for request: RequestView) -> Bool {
        !compareWithinShare(request, origin: 0, headsAlone: true) || candidate(for: request, origin: 0) != nil
    }

    /// The most bytes to take from the system before the exchange is known.
    package func portionByteCount(ofOrigin origin: Int) -> Int { portionByteCounts[origin] }
}

/// An exchange with values that make matching fast.
package final class CompiledExchange: Sendable {
    package let exchange: Exchange
    // Parts of the pattern that are read for each request, so that the pattern is not copied.
    package let origin: Int
    let methods: [[UInt8]]?
    /// The protocol of an extended CONNECT; nil for any other request.
    let protocolName: [UInt8]?
    /// Whether a GET that it waits for may be an extended CONNECT with `:protocol` websocket (RFC 8441 §5).
    let answersExtendedConnect: Bool
    let headers: [RequestPattern.HeaderCondition]
    let looksAtBody: Bool
    /// Whether it has conditions that may take long.
    let isCostly: Bool
    /// The whole target, where the pattern has no holes and no separate query.
    let exactTarget: [UInt8]?
    /// Whether a condition on the state must hold.
    let asksState: Bool
    /// Whether a reply changes the state.
    let setsState: Bool
    /// Whether its conditions on the state, or the changes by a reply, have values of the content.
    let stateNeedsContent: Bool
    let hasTurnsByConnection: Bool
    let turnGroup: Int?
    /// The index of the last turn, which stays.
    let lastTurn: Int
    /// Whether a turn may choose among several replies.
    let drawsReplies: Bool
    /// How often the exchange may be used; nil: without limit.
    let useLimit: Int?
    /// Whether the first turn follows the last one; nil: as everywhere in the stage.
    let startsOver: Bool?
    /// The number of turns before they repeat: its replies, or the most replies of exchanges that share its turns.
    let turnCount: Int

    /// Whether it answers every request that it matches, in a sequence that is not strict.
    var takesEach: Bool { useLimit == nil && !asksState && exchange.request.script == nil }

    /// Whether all its guards are in `admitted`.
    func isOpen(to admitted: [Int]) -> Bool {
        exchange.guards.isEmpty || exchange.guards.allSatisfy(admitted.contains)
    }

    init(_ exchange: Exchange, isStrict: Bool, turnCount: Int? = nil) {
        self.exchange = exchange
        origin = exchange.origin
        methods = exchange.request.methods
        protocolName = exchange.request.protocolName
        answersExtendedConnect =
            exchange.answersOpeningHandshake && exchange.request.protocolName == nil
            && exchange.request.methods.map { $0.contains(Array("GET".utf8)) } ?? true
        headers = exchange.request.headers
        looksAtBody = exchange.request.looksAtBody
        isCostly = exchange.request.isCostly
        asksState = !exchange.when.isEmpty
        setsState = exchange.replies.contains { !$0.sets.isEmpty }
        stateNeedsContent = exchange.stateUse.need == .content
        self.turnCount = max(1, turnCount ?? exchange.turnCount)
        hasTurnsByConnection = exchange.turns == .connection
        turnGroup = exchange.turnGroup
        lastTurn = exchange.turnCount - 1
        drawsReplies = !exchange.draws.isEmpty
        exactTarget =
            exchange.request.query == nil && exchange.request.expression == nil
            ? exchange.request.target.exactBytes : nil
        // In a strict sequence every reply is one step.
        startsOver = exchange.after.map { $0 == .again }
        useLimit = exchange.times ?? (isStrict ? exchange.turnCount : nil)
    }
}

extension Exchange.ReadPolicy {
    /// The most bytes to take from the system before the exchange is known; nil: no limit.
    package var portionByteCount: Int? {
        switch self {
        case .paced(let byteCount, _): byteCount
        // Smaller portions would cost many system calls for an exact peer window.
        case .bytes(let byteCount) where byteCount >= Self.leastHeadPortion: byteCount
        case .all, .none, .bytes: nil
        }
    }

    private static let leastHeadPortion = 512
}
