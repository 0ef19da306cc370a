import ProctorBase
internal import ProctorScenario

/// The catalogue as text: every scenario by family, with its address.
struct IndexPage: Sendable {
    let scenarios: [Scenario]

    var reply: BuiltInReply {
        var lines = [
            "proctor serves \(Plural.count(scenarios.count, "scenario")); ask for one by its id to see what it does.",
            "",
        ]
        var family: Substring?
        for scenario in scenarios {
            let first = scenario.id.split(separator: "/").first
            if first != family {
                if family != nil { lines.append("") }
                family = first
            }
            lines.append("/\(scenario.id)")
            lines.append("    \(scenario.summary)")
        }
        return BuiltInReply(status: 200, body: lines.joined(separator: "\n") + "\n")
    }
}

/// The 404 of the shared port.
struct NotFoundPage: Sendable {
    let path: String
    let nearest: String?

    var reply: BuiltInReply {
        var lines = ["no scenario stands at \(path)"]
        if let nearest { lines.append("did you mean /\(nearest) ?") }
        lines.append("the catalogue is at /")
        return BuiltInReply(status: 404, body: lines.joined(separator: "\n") + "\n")
    }
}
