internal import ProctorScenario

/// A scenario with what matching and playing need worked out once.
final class CompiledScenario: Sendable {
    let scenario: Scenario
    let exchanges: [CompiledExchange]
    /// Whether any exchange asks about the body, so that it must be read before an exchange is chosen.
    let looksAtBodies: Bool
    /// For each exchange, the number of its first reply among all replies of the scenario.
    let firstReplyNumber: [Int]
    let replyCount: Int

    init(_ scenario: Scenario) {
        self.scenario = scenario
        exchanges = scenario.exchanges.map { CompiledExchange($0, isStrict: scenario.sequence == .strict) }
        looksAtBodies = scenario.exchanges.contains { $0.request.body != nil }
        var numbers: [Int] = []
        var count = 0
        for exchange in scenario.exchanges {
            numbers.append(count)
            count += exchange.replies.count
        }
        firstReplyNumber = numbers
        replyCount = count
    }

    /// What the first exchange that fits the head says about `Expect`, before the body is known.
    func expectation(of request: RequestView, origin: Int) -> Exchange.ExpectationPolicy {
        let candidate = exchanges.first { $0.exchange.origin == origin && $0.matchesHead(of: request) }
        return candidate?.exchange.expectation ?? .continue
    }
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
