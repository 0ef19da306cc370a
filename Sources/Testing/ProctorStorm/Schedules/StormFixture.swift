import ProctorDocument
import ProctorEvents
import ProctorFixtures
package import ProctorScenario

/// A schedule as a fixture: exchanges for its loads, and a case whose steps begin them.
package struct StormFixture: Sendable {
    package let schedule: StormSchedule
    /// What the case asks for beside its steps; nothing: it only observes.
    var claims = StormClaims()

    static let caseName = "storm"

    package init(_ schedule: StormSchedule) {
        self.schedule = schedule
    }

    /// nil where the language refuses it, which is a mistake of this program's.
    package func scenario() -> (scenario: Scenario, item: Case)? {
        let text = text()
        let (scenario, diagnostics) = ScenarioLoader.parse(Array(text.utf8), id: "storm", file: "a storm")
        guard diagnostics.isEmpty, let scenario, let item = scenario.cases.last else { return nil }
        return (scenario, item)
    }

    /// Why the language refuses it.
    package var faults: [String] {
        ScenarioLoader.parse(Array(text().utf8), id: "storm", file: "a storm").diagnostics.map(\.description)
    }

    /// The text of the fixture, with comments above; `head` is the first line.
    package func text(head: String = "# A storm", comments: [String] = []) -> String {
        var lines = [head] + comments.map { "# \($0)" }
        let summary = claims.summary ?? "Schedule \(schedule.number) of seed \(schedule.seed)"
        lines.append("summary: \(YAMLText.scalar(summary))")
        if !claims.sections.isEmpty { lines.append("spec: [\(claims.sections.joined(separator: ", "))]") }
        lines += origins
        lines.append("exchanges:")
        for index in schedule.loads.indices { lines += exchanges(ofStep: index).map { "  - \($0)" } }
        for name in schedule.plainNames {
            let body = Self.body(name, StormSchedule.plainByteCount)
            lines.append("  - { request: GET /\(name), optional: true, reply: { status: 200, body: \(body) } }")
        }
        if let before = claims.before {
            let reply = "{ status: 200, headers: { Set-Cookie: \"storm=before; Path=/\" }, body: \"before\\n\" }"
            lines.append("  - { request: GET /\(before), optional: true, reply: \(reply) }")
        }
        lines.append("cases:")
        if let before = claims.before {
            lines.append("  # In the same process, in a session of its own.")
            lines.append("  before:")
            lines.append("    kind: observes")
            lines.append("    client: { url: /\(before) }")
        }
        lines.append("  \(Self.caseName):")
        if claims.isEmpty { lines.append("    kind: observes") }
        let needs = schedule.way.needs.map(\.rawValue).filter { ["h2", "h3"].contains($0) }
        if !needs.isEmpty { lines.append("    needs: [\(needs.joined(separator: ", "))]") }
        lines.append("    client:")
        lines += steps.map { "      - \($0)" }
        if !claims.facts.isEmpty {
            lines.append("    facts:")
            lines += claims.facts.map { "      \($0.name): \($0.value)" }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: Origins

    private var origins: [String] {
        var keys = schedule.way.origin
        // The address of each run is another one, and cookies go by hosts.
        if schedule.setsCookies, !schedule.way.isThroughProxy {
            keys += (keys.isEmpty ? "" : ", ") + "host: localhost"
        }
        if let own = schedule.origin.keys {
            keys += (keys.isEmpty ? "" : ", ") + schedule.originMoment.filled(own)
        }
        var lines = ["  main: { \(keys) }"]
        let places = Set(schedule.loads.compactMap { $0.fault?.place })
        if places.contains("gone") { lines.append("  gone: { role: closed }") }
        if places.contains("full") { lines.append("  full: { role: unreachable }") }
        if schedule.way.isThroughProxy { lines.append("  through: { role: proxy }") }
        return lines.count == 1 && keys.isEmpty ? [] : ["origins:"] + lines
    }

    // MARK: Exchanges

    private func exchanges(ofStep step: Int) -> [String] {
        let load = schedule.loads[step]
        guard let fault = load.fault else {
            return [exchange(load, load.method, "", "{ \(whole(load)) }")] + repetition(load)
        }
        guard let reply = fault.reply else { return [] }
        let ok = "{ \(whole(load)) }"
        // What stands behind the first turn is never played where a repetition is a mistake.
        let turns = claims.onceSent == load.name ? reply.firstTurn : reply
        var filled = turns.replacing(word: "$whole", by: whole(load)).replacing(word: "$ok", by: ok)
            .replacing(word: "$said", by: Self.body(load.name, StormLoad.saidByteCount))
            .replacing(word: "$name", by: load.name)
        if let point = load.awaited {
            filled = filled.replacing(
                text: "wait $t", by: "{ await: \(point.event), task: \(point.step), within: 2s }")
        }
        filled = load.filledMoment.filled(filled)
        // A redirect may change the method.
        return [exchange(load, load.method, "", filled)] + repetition(load)
            + (fault.isRedirect ? [exchange(load, "*", "/moved", ok)] : [])
    }

    private func exchange(_ load: StormLoad, _ method: String, _ path: String, _ reply: String) -> String {
        let request = "request: \"\(method) /\(load.name)\(path)\""
        guard claims.onceSent == load.name, path.isEmpty else {
            return "{ \(request), optional: true, reply: \(reply) }"
        }
        return "{ \(request), times: 1, optional: true, reply: \(reply) }"
    }

    /// What notices that a request comes again.
    private func repetition(_ load: StormLoad) -> [String] {
        guard claims.onceSent == load.name else { return [] }
        let says = "it came again, although it is not idempotent and the server had not said that it did not process it"
        return ["{ request: \"\(load.method) /\(load.name)\", catches: \"\(says)\", reply: { status: 409 } }"]
    }

    private func whole(_ load: StormLoad) -> String {
        let cookie =
            schedule.setsCookies ? ", headers: { Set-Cookie: \"storm=\(schedule.number); Path=/\" }" : ""
        return "status: 200\(cookie), body: \(Self.body(load.name, load.downloadByteCount))"
    }

    private static func body(_ name: String, _ byteCount: Int) -> String {
        "{ repeat: \"\(name) \", bytes: \(byteCount) }"
    }

    // MARK: The client's program

    private var steps: [String] {
        let session = session
        var steps = schedule.loads.map { load in
            var keys = load.method == "GET" ? [] : ["method: \(load.method)"]
            let place = load.fault?.place ?? StormFault.mainPlace
            keys.append(
                place == StormFault.mainPlace ? "url: /\(load.name)" : "url: \"{{origin.\(place)}}/\(load.name)\"")
            if load.uploadByteCount > 0 { keys.append("body: \(Self.body(load.name, load.uploadByteCount))") }
            if let limit = load.limit { keys.append("timeout: \(limit)ms") }
            if let moment = load.cancelAt { keys.append("cancelAt: \(moment)") }
            if load.isTogether { keys.append("together: true") }
            return keys
        }
        steps += schedule.plainNames.map { ["url: /\($0)"] }
        if !session.isEmpty, !steps.isEmpty { steps[0].append("session: { \(session.joined(separator: ", ")) }") }
        return steps.map { "{ \($0.joined(separator: ", ")) }" }
    }

    private var session: [String] {
        (schedule.way.isThroughProxy ? ["proxy: through"] : [])
            + (schedule.connectionBound.map { ["connectionsPerHost: \($0)"] } ?? [])
    }
}

/// What the case of a fixture asks for.
struct StormClaims: Sendable {
    var summary: String?
    /// Where it comes from.
    var sections: [String] = []
    var facts: [(name: String, value: String)] = []
    /// The load of a case before, in a session of its own; nil: there is none.
    var before: String?
    /// The load whose request must not come twice; nil: there is none.
    var onceSent: String?

    var isEmpty: Bool { summary == nil }
}

extension StormLoad {
    /// The values of its fault, within its content.
    var filledMoment: StormMoment {
        var moment = moment
        moment.place = min(moment.place, max(1, downloadByteCount - 1))
        return moment
    }
}

extension String {
    /// The first reply of a list of replies, else the text itself.
    fileprivate var firstTurn: String {
        guard hasPrefix("[") else { return self }
        var depth = 0
        let text = dropFirst()
        for index in text.indices {
            if text[index] == "{" { depth += 1 }
            if text[index] == "}" { depth -= 1 }
            if depth == 0 { return String(text[...index]) }
        }
        return self
    }

    /// The text with each place of another one replaced.
    fileprivate func replacing(text: String, by other: String) -> String {
        var result = ""
        var rest = self[...]
        while !rest.isEmpty {
            if rest.hasPrefix(text) {
                result += other
                rest = rest.dropFirst(text.count)
            } else {
                result.append(rest.removeFirst())
            }
        }
        return result
    }
}
