internal import ProctorBase
internal import ProctorGrading
import ProctorNotation
import ProctorProgram
internal import ProctorScenario

/// Small objects that several calls answer with.
enum ControlJSON {
    static func run(_ run: Run) -> JSONText {
        var json = JSONText()
        json.run(run)
        return json
    }

    /// One member: `{"deleted":"r1"}`.
    static func done(_ what: StaticString, _ value: String) -> JSONText {
        var json = JSONText()
        json.open("{")
        json.member(what, value)
        json.close("}")
        return json
    }
}

extension JSONText {
    mutating func list<Element>(
        _ key: StaticString, _ elements: some Sequence<Element>, _ write: (inout JSONText, Element) -> Void
    ) {
        self.key(key)
        open("[")
        for element in elements {
            self.element()
            write(&self, element)
        }
        close("]")
    }

    mutating func texts(_ key: StaticString, _ texts: [String]) {
        self.key(key)
        open("[")
        for text in texts { element(text) }
        close("]")
    }

    mutating func scenario(_ scenario: Scenario) {
        open("{")
        member("id", scenario.id)
        member("summary", scenario.summary)
        texts("spec", scenario.spec)
        member("file", scenario.location.file)
        member("needsRoot", scenario.rootReason != nil)
        texts("origins", scenario.origins.map(\.name))
        list("cases", scenario.cases) { json, item in
            json.open("{")
            json.member("name", item.name)
            json.member("kind", item.kind.rawValue)
            if let summary = item.summary { json.member("summary", summary) }
            if let wire = item.wire { json.member("wire", wire.text.trimmedLines) }
            json.close("}")
        }
        close("}")
    }

    mutating func run(_ run: Run) {
        open("{")
        member("run", run.id)
        member("scenario", run.scenario.id)
        member("base", run.base)
        key("origins")
        open("{")
        for (name, url) in run.origins { member(named: name, url) }
        close("}")
        if let proxy = run.namesProxy {
            list("names", run.names) { json, host in
                json.open("{")
                json.member("name", host.name)
                json.member("port", host.port)
                json.member("address", host.address)
                json.close("}")
            }
            member("namesProxy", proxy)
        }
        if let life = run.lifeSeconds { member("lifeSeconds", life) }
        if run.isStanding { member("standing", true) }
        close("}")
    }

    mutating func verdict(_ verdict: WireVerdict, of item: Case, timeline: WireTimeline, droppedCount: Int) {
        open("{")
        member("case", item.name)
        member("kind", item.kind.rawValue)
        switch verdict.outcome {
        case .pass: member("verdict", "pass")
        case .fail: member("verdict", "fail")
        case .partly: member("verdict", "partly")
        case .observed: member("verdict", "observed")
        case .notJudged: member("verdict", "not-judged")
        case .setupFailed(let reason):
            member("verdict", "setup-failed")
            member("reason", reason)
        }
        member("undecidedFacts", verdict.undecidedFactCount)
        if droppedCount > 0 { member("droppedEntries", droppedCount) }
        claims(verdict.claims)
        list("findings", verdict.findings) { json, finding in
            json.open("{")
            json.member("weight", finding.weight.rawValue)
            json.member("sentence", finding.sentence)
            json.texts("details", finding.details)
            if let wanted = finding.wanted { json.member("wanted", wanted) }
            if let got = finding.got { json.member("got", got) }
            if let sequence = finding.sequence { json.member("seq", sequence) }
            if let location = finding.location { json.member("location", location.description) }
            json.close("}")
        }
        texts("timeline", timeline.lines)
        close("}")
    }
}
