package import ProctorBase
package import ProctorGrading
import ProctorNotation
import ProctorProgram
package import ProctorReplies
package import ProctorScenario

extension JSONText {
    mutating func scenarioMembers(of scenario: Scenario) {
        member("id", scenario.id)
        member("summary", scenario.summary)
        texts("spec", scenario.spec)
        member("file", scenario.location.file)
        member("needsRoot", scenario.rootReason != nil)
        texts("origins", scenario.origins.map(\.name))
        objects("cases", of: scenario.sittings) { json, item in
            json.member("name", item.name)
            json.member("kind", item.kind.rawValue)
            if let summary = item.summary { json.member("summary", summary) }
            if let wire = item.wire { json.member("wire", wire.text.trimmedLines) }
        }
    }

    package mutating func runMembers(of run: Run) {
        member("run", run.id)
        member("scenario", run.scenario.id)
        member("base", run.base)
        object("origins") { json in
            for (name, url) in run.origins { json.member(named: name, url) }
        }
        if let proxy = run.namesProxy {
            objects("names", of: run.names) { json, host in
                json.member("name", host.name)
                json.member("port", host.port)
                json.member("address", host.address)
                if let addresses = host.addresses { json.texts("addresses", addresses) }
            }
            member("namesProxy", proxy)
        }
        if let resolver = run.resolver { member("resolver", resolver) }
        member("seed", run.seed)
        if run.wantedProtocol != .http11 { member("protocol", run.wantedProtocol.rawValue) }
        if let life = run.lifeSeconds { member("lifeSeconds", life) }
        if run.isStanding { member("standing", true) }
    }

    /// What a client must know of a run before it is driven.
    mutating func details(of run: Run) {
        runMembers(of: run)
        append(run.stage.compiled.runDetails)
    }

    package mutating func verdictMembers(of verdict: WireVerdict, for item: Case?, droppedCount: Int) {
        if let item {
            member("case", item.name)
            member("kind", item.kind.rawValue)
        }
        member("verdict", verdict.outcome.word)
        if case .setupFailed(let reason) = verdict.outcome { member("reason", reason) }
        if let sentence = verdict.sentence { member("sentence", sentence) }
        member("undecidedFacts", verdict.undecidedFactCount)
        if droppedCount > 0 { member("droppedEntries", droppedCount) }
        claims(verdict.claims)
        objects("findings", of: verdict.findings) { json, finding in
            json.member("weight", finding.weight.rawValue)
            json.member("sentence", finding.sentence)
            if let plain = finding.plain { json.member("plain", plain) }
            json.texts("details", finding.details)
            if let wanted = finding.wanted { json.member("wanted", wanted) }
            if let got = finding.got { json.member("got", got) }
            if let sequence = finding.sequence { json.member("seq", sequence) }
            if let location = finding.location { json.member("location", location.description) }
        }
    }

    /// The timeline, and all of the verdict as text.
    mutating func texts(of verdict: WireVerdict, _ timeline: WireTimeline) {
        texts("timeline", timeline.lines)
        member("text", Self.text(of: verdict, timeline))
    }

    /// The sentence of what went wrong, the timeline, and in detail the findings and what was not judged, for the message of a
    /// test that fails.
    private static func text(of verdict: WireVerdict, _ timeline: WireTimeline) -> String {
        // What could not be judged besides explains no failure.
        let open =
            verdict.outcome == .fail
            ? []
            : verdict.claims.compactMap { judged -> String? in
                guard case .notJudged(let reason) = judged.state else { return nil }
                return "not judged: \(judged.claim.description) (\(reason))"
            }
        let seen = timeline.lines.isEmpty ? ["nothing came"] : ["timeline:"] + timeline.lines
        let details = Finding.inWords(verdict.findings, after: verdict.outcome == .fail ? verdict.sentence : nil) + open
        return ([verdict.headline] + seen + (details.isEmpty ? [] : ["in detail:"] + details)).joined(separator: "\n")
    }
}

extension BuiltInReply {
    package static func object(status: Int = 200, _ write: (inout JSONText) -> Void) -> BuiltInReply {
        var json = JSONText()
        json.object(write)
        return BuiltInReply(status: status, json: json)
    }

    /// `bytes` are JSON without the line end.
    package static func json(_ bytes: [UInt8]) -> BuiltInReply {
        BuiltInReply(status: 200, contentType: "application/json", bytes: bytes)
    }
}
