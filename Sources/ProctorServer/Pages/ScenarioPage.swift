internal import ProctorBase
import ProctorNotation
internal import ProctorScenario

/// What the bare address of a scenario answers: its summary and the curl lines to try.
struct ScenarioPage: Sendable {
    let scenario: Scenario
    let place: PlaceOfScenario

    var reply: BuiltInReply {
        var lines = [scenario.id, scenario.summary]
        if !scenario.spec.isEmpty { lines.append(scenario.spec.joined(separator: ", ")) }
        lines += ["", "base: \(place.base)"]
        if let proxy = place.namesProxy { lines.append("names: by the proxy http://\(proxy), or there by Host") }
        if let remark = scenario.turnsRemark {
            lines += ["", "\(remark). From the start:", "    " + place.resetLine(scenario)]
        }
        lines.append("")
        for item in scenario.cases {
            lines.append("\(item.name) (\(item.kind.rawValue))\(item.summary.map { ": \($0)" } ?? "")")
            let line = CurlLine(steps: item.client, scenario: scenario, place: place)
            lines.append("    " + line.text)
            if let shortfall = line.shortfall { lines.append("    (not quite: \(shortfall))") }
            lines.append("    about: \(item.subjectText)")
            if let wire = item.wire { lines.append("    wire: \(wire.text.trimmedLines)") }
            if let cookies = item.cookies { lines.append("    cookies: \(cookies.text)") }
        }
        return BuiltInReply(status: 200, body: lines.joined(separator: "\n") + "\n")
    }
}

/// The 421 that the shared port gives for a scenario with a root of its own.
struct MisdirectedPage: Sendable {
    let scenario: Scenario
    let base: String
    /// Authority of the proxy that leads to its names; nil where it has none.
    var namesProxy: String?

    var reply: BuiltInReply {
        let way =
            namesProxy.map {
                "\na name that is looked up nowhere; come by the proxy, or there by Host:\n"
                    + "  curl --proxy http://\($0) \(base)/"
            } ?? ""
        let reason = scenario.rootReason.map { "\($0.text)  (\($0.location))" } ?? "it asks for it"
        var reply = BuiltInReply(
            status: 421,
            body: """
                scenario \(scenario.id) needs a root of its own: \(reason)
                it stands at \(base)/\(way)

                """)
        reply.fields.append(("Content-Location", base + "/"))
        return reply
    }
}

extension String {
    /// An expression over several lines as one.
    var trimmedLines: String {
        split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " } }.joined(separator: " ")
    }
}
