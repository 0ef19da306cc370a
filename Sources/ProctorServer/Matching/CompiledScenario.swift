internal import ProctorCrypto
internal import ProctorHTTP
internal import ProctorScenario

/// A scenario with what matching and playing need worked out once.
final class CompiledScenario: Sendable {
    let scenario: Scenario
    let exchanges: [CompiledExchange]
    /// By their index in the scenario.
    let guards: [CompiledGuard]
    /// Why it can't be served here: guards need a hash function that the system doesn't give.
    let hashRefusal: HashRefusal?
    /// Turns that exchanges share.
    let turnGroupCount: Int
    /// Whether any exchange asks about the body, so that it must be read before an exchange is chosen.
    let looksAtBodies: Bool
    /// Whether any guard may have to see the body before it can judge.
    private let guardsLookAtBodies: Bool
    /// Whether a connection must remember which turns it took.
    let hasTurnsByConnection: Bool
    /// Whether a connection must remember how far it has come with a scheme that is bound to it.
    let hasMessages: Bool
    /// For each origin, the least portion in which an exchange reads content; `.max` where none reads in portions.
    private let portionByteCounts: [Int]
    /// For each exchange, the number of its first reply among all replies of the scenario.
    let firstReplyNumber: [Int]
    /// For each guard, the number of its first reply.
    let firstRefusalNumber: [Int]
    // By the number of a reply.
    /// Where its plans begin among all plans: two for each variant of its coding, with content and without for HEAD.
    let firstPlanSlot: [Int]
    /// Whether fields of a request choose another plan, or change it.
    let looksAtFields: [Bool]
    /// Whether it sets cookies, as far as is known before text is bound.
    let mentionsSetCookie: [Bool]
    let planSlotCount: Int
    /// Whether any reply sets a cookie, or any case asks about them; a raw reply from a file is not looked into.
    let watchesCookies: Bool
    let coded = CodedBodies()

    /// Throws where a hash function can't be computed.
    typealias HashCheck = @Sendable ([HashFunction]) throws(HashRefusal) -> Void

    init(
        _ scenario: Scenario,
        checkHashes: HashCheck = { wanted throws(HashRefusal) in try OpenSSLHasher().check(wanted) }
    ) {
        self.scenario = scenario
        var mostReplies: [Int: Int] = [:]
        for exchange in scenario.exchanges {
            guard let group = exchange.turnGroup else { continue }
            mostReplies[group] = max(mostReplies[group] ?? 0, exchange.replies.count)
        }
        turnGroupCount = (mostReplies.keys.max() ?? -1) + 1
        exchanges = scenario.exchanges.map { exchange in
            CompiledExchange(
                exchange, isStrict: scenario.sequence == .strict,
                turnCount: exchange.turnGroup.flatMap { mostReplies[$0] } ?? exchange.replies.count)
        }
        guards = scenario.guards.map(CompiledGuard.init)
        hashRefusal = Self.refusal(of: Set(guards.flatMap(\.hashFunctions)), checkHashes)
        looksAtBodies = scenario.exchanges.contains { $0.request.body != nil }
        guardsLookAtBodies = guards.contains(where: \.looksAtBodies)
        hasTurnsByConnection = scenario.exchanges.contains { $0.turns == .connection }
        hasMessages = guards.contains(where: \.hasMessages)
        portionByteCounts = scenario.origins.indices.map { origin in
            scenario.exchanges.filter { $0.origin == origin }.compactMap(\.reads.portionByteCount).min() ?? .max
        }
        var numbers: [Int] = []
        var slots: [Int] = []
        var looks: [Bool] = []
        var sets: [Bool] = []
        var slotCount = 0
        func number(_ replies: [Reply]) {
            numbers.append(slots.count)
            for reply in replies {
                let variantCount = reply.structured?.coding?.variantCount ?? 1
                slots.append(slotCount)
                slotCount += 2 * variantCount
                sets.append(reply.mentionsSetCookie)
                looks.append(variantCount > 1 || reply.structured?.honours.isEmpty == false)
            }
        }
        for exchange in scenario.exchanges { number(exchange.replies) }
        for item in guards { number(item.replies.all) }
        firstReplyNumber = Array(numbers.prefix(scenario.exchanges.count))
        firstRefusalNumber = Array(numbers.dropFirst(scenario.exchanges.count))
        firstPlanSlot = slots
        looksAtFields = looks
        mentionsSetCookie = sets
        watchesCookies = sets.contains(true) || scenario.cases.contains { $0.cookies != nil }
        planSlotCount = slotCount
    }

    private static func refusal(of functions: Set<HashFunction>, _ check: HashCheck) -> HashRefusal? {
        do throws(HashRefusal) {
            try check(functions.sorted { $0.byteCount < $1.byteCount })
            return nil
        } catch {
            return error
        }
    }

    /// Whether the body must be read before an exchange can be chosen, or a miss explained.
    func looksAtBody(of request: RequestView, origin: Int) -> Bool {
        guard looksAtBodies || guardsLookAtBodies else { return false }
        let candidates = exchanges.filter { $0.exchange.origin == origin && $0.matchesHead(of: request) }
        if looksAtBodies, candidates.isEmpty || candidates.contains(where: { $0.exchange.request.body != nil }) {
            return true
        }
        guard guardsLookAtBodies else { return false }
        return candidates.contains { $0.exchange.guards.contains { guards[$0].looksAtBody(of: request.head) } }
    }

    /// Decodes content and loads files that choosing an exchange asks for: the stage's lock is not held for that.
    func prepare(_ request: RequestView, origin: Int) {
        guard looksAtBodies, let decoded = request.decoded else { return }
        for candidate in exchanges where candidate.exchange.origin == origin {
            guard let body = candidate.exchange.request.body, candidate.matchesHead(of: request) else { continue }
            decoded.prepare(for: body)
        }
    }

    /// What the first exchange that fits the head says about `Expect`, before the body is known.
    func expectation(of request: RequestView, origin: Int) -> Exchange.ExpectationPolicy {
        candidate(for: request, origin: origin)?.expectation ?? .continue
    }

    /// How that exchange has the body read; all of it is needed to choose one.
    func reads(of request: RequestView, origin: Int) -> Exchange.ReadPolicy {
        candidate(for: request, origin: origin)?.reads ?? .all
    }

    private func candidate(for request: RequestView, origin: Int) -> Exchange? {
        exchanges.first { $0.exchange.origin == origin && $0.matchesHead(of: request) }?.exchange
    }

    /// What may be taken from the system at once before the exchange is known.
    func portionByteCount(ofOrigin origin: Int) -> Int { portionByteCounts[origin] }
}

/// An exchange with the cheap questions about a request answered first.
struct CompiledExchange: Sendable {
    let exchange: Exchange
    /// The whole target when the pattern has no holes and no separate query.
    let exactTarget: [UInt8]?
    /// How often it may be used before it is used up; nil is without end.
    let useLimit: Int?
    /// How many turns there are before they start over: its replies, or the most replies of those it shares turns with.
    let turnCount: Int

    /// Whether all its guards have admitted a request.
    func isOpen(to admitted: [Int]) -> Bool {
        exchange.guards.isEmpty || exchange.guards.allSatisfy(admitted.contains)
    }

    init(_ exchange: Exchange, isStrict: Bool, turnCount: Int? = nil) {
        self.exchange = exchange
        self.turnCount = max(1, turnCount ?? exchange.replies.count)
        exactTarget = exchange.request.query == nil ? exchange.request.target.exactBytes : nil
        // In a strict sequence every reply is one step.
        useLimit = exchange.times ?? (isStrict ? exchange.replies.count : nil)
    }
}

extension Exchange.ReadPolicy {
    /// What is taken from the system at once before the exchange is known; nil: as much as there is.
    var portionByteCount: Int? {
        switch self {
        case .paced(let byteCount, _): byteCount
        // Less would cost more calls than the exactness of the peer's window is worth.
        case .bytes(let byteCount) where byteCount >= Self.leastHeadPortion: byteCount
        case .all, .none, .bytes: nil
        }
    }

    private static let leastHeadPortion = 512
}
