internal import ProctorBase
internal import ProctorHTTP
package import ProctorJournal
package import ProctorScenario

/// The 404 for a request that no exchange answers: the nearest exchange, with each difference.
package struct MissPage {
    package let request: RequestView
    package let miss: Miss
    package let scenario: Scenario
    /// The scenario's description, where it is below a path of the shared port; nil for a run.
    package let explanation: [UInt8]?

    package init(request: RequestView, miss: Miss, scenario: Scenario, explanation: [UInt8]?) {
        (self.request, self.miss, self.scenario, self.explanation) = (request, miss, scenario, explanation)
    }

    package var reply: BuiltInReply {
        let method = EscapedText.escape(request.head.methodBytes)
        var lines = [
            "scenario \(scenario.id) does not expect \(method) \(EscapedText.escape(request.target))", "",
        ]
        if let nearest = miss.nearestExchange {
            let exchange = scenario.exchanges[nearest]
            lines.append("nearest: \(exchange.request.text)  (\(exchange.location))")
            lines += miss.differences.map { "  \($0)" }
        } else {
            lines += listed + miss.differences
        }
        let remark =
            explanation.map { "what this scenario is: \(EscapedText.escape($0)) (without a slash at the end)" }
            ?? "This run has failed; a run is judged by the requests it expects."
        return BuiltInReply(status: 404, lines: lines + ["", remark])
    }

    /// What the scenario answers, for a request to which no exchange is near.
    private var listed: [String] {
        let exchanges = scenario.exchanges
        guard !exchanges.isEmpty else { return ["this scenario has no exchanges at all  (\(scenario.location))"] }
        let lines = exchanges.prefix(Self.mostListed).map { exchange in
            let origin = scenario.origins.count > 1 ? " at \(scenario.origins[exchange.origin].name)" : ""
            return "  \(exchange.request.text)\(origin)  (\(exchange.location))"
        }
        let rest = exchanges.count - lines.count
        return ["it expects:"] + lines + (rest > 0 ? ["  and \(rest) more"] : [])
    }

    private static let mostListed = 10
}
