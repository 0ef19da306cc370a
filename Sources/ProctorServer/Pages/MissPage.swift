internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorScenario

/// The 404 that a request nobody expected gets: the nearest exchange, and what differed, field by field.
struct MissPage {
    let request: RequestView
    let miss: Miss
    let scenario: Scenario
    /// Where the scenario explains itself, when it stands below a path of the shared port; nil for a run.
    let explanation: [UInt8]?

    var reply: BuiltInReply {
        let method = EscapedText.of(request.head.methodBytes)
        var lines = [
            "scenario \(scenario.id) does not expect \(method) \(EscapedText.of(request.target))", "",
        ]
        if let nearest = miss.nearestExchange {
            let exchange = scenario.exchanges[nearest]
            lines.append("nearest: \(exchange.request.text)  (\(exchange.location))")
            lines += miss.differences.map { "  \($0)" }
        } else {
            lines.append("this origin has no exchanges at all  (\(scenario.location))")
        }
        if let explanation {
            lines += ["", "what this scenario is: \(EscapedText.of(explanation)) (without a slash at the end)"]
        } else {
            lines += ["", "This run has failed; a run is judged by the requests it expects."]
        }
        return BuiltInReply(status: 404, body: lines.joined(separator: "\n") + "\n")
    }
}
