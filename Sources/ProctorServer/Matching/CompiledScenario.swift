internal import ProctorScenario

/// A scenario with what matching and playing need worked out once.
final class CompiledScenario: Sendable {
    let scenario: Scenario
    let exchanges: [CompiledExchange]
    /// Whether any exchange asks about the body, so that it must be read before an exchange is chosen.
    let looksAtBodies: Bool
    /// Whether a connection must remember which turns it took.
    let hasTurnsByConnection: Bool
    /// For each origin, the least portion in which an exchange reads content; `.max` where none reads in portions.
    private let portionByteCounts: [Int]
    /// For each exchange, the number of its first reply among all replies of the scenario.
    let firstReplyNumber: [Int]
    // By the number of a reply.
    /// Where its plans begin among all plans: two for each variant of its coding, with content and without for HEAD.
    let firstPlanSlot: [Int]
    /// Whether fields of a request choose another plan, or change it.
    let looksAtFields: [Bool]
    let planSlotCount: Int
    let coded = CodedBodies()

    init(_ scenario: Scenario) {
        self.scenario = scenario
        exchanges = scenario.exchanges.map { CompiledExchange($0, isStrict: scenario.sequence == .strict) }
        looksAtBodies = scenario.exchanges.contains { $0.request.body != nil }
        hasTurnsByConnection = scenario.exchanges.contains { $0.turns == .connection }
        portionByteCounts = scenario.origins.indices.map { origin in
            scenario.exchanges.filter { $0.origin == origin }.compactMap(\.reads.portionByteCount).min() ?? .max
        }
        var numbers: [Int] = []
        var slots: [Int] = []
        var looks: [Bool] = []
        var slotCount = 0
        for exchange in scenario.exchanges {
            numbers.append(slots.count)
            for reply in exchange.replies {
                let variantCount = reply.structured?.coding?.variantCount ?? 1
                slots.append(slotCount)
                slotCount += 2 * variantCount
                looks.append(variantCount > 1 || reply.structured?.honours.isEmpty == false)
            }
        }
        firstReplyNumber = numbers
        firstPlanSlot = slots
        looksAtFields = looks
        planSlotCount = slotCount
    }

    /// Whether the body must be read before an exchange can be chosen, or a miss explained.
    func looksAtBody(of request: RequestView, origin: Int) -> Bool {
        guard looksAtBodies else { return false }
        let candidates = exchanges.filter { $0.exchange.origin == origin && $0.matchesHead(of: request) }
        return candidates.isEmpty || candidates.contains { $0.exchange.request.body != nil }
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

    init(_ exchange: Exchange, isStrict: Bool) {
        self.exchange = exchange
        exactTarget = exchange.request.query == nil ? exchange.request.target.exactBytes : nil
        // In a strict sequence every reply is one step.
        useLimit = exchange.times ?? (isStrict ? exchange.replies.count : nil)
    }
}

extension Exchange.ReadPolicy {
    /// nil where content is not read in portions.
    var portionByteCount: Int? {
        guard case .paced(let byteCount, _) = self else { return nil }
        return byteCount
    }
}
