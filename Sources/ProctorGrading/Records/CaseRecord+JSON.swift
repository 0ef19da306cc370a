import ProctorBase
import ProctorScenario

extension CaseRecord {
    /// One JSON object on one line, with a line feed.
    ///
    /// Docs/exam.md lists the keys; they are only ever added. `text`, for a person, becomes the key `text`, and `report` the key of
    /// that name.
    package func json(text: String? = nil, report: VerdictReport? = nil) -> [UInt8] {
        var json = JSONText()
        json.open("{")
        if !client.isEmpty { json.member("client", client) }
        json.member("case", id.description)
        json.member("scenario", id.scenario)
        json.member("name", id.name)
        json.member("family", family)
        json.member("kind", kind.rawValue)
        json.member("summary", ifAny: summary)
        json.member("outcome", outcome)
        json.member("ability", ifAny: ability)
        if !reason.isEmpty { json.member("reason", reason) }
        json.member("cause", ifAny: cause)
        json.sections(causeSpec, "causeSpec")
        if let upstream {
            json.key("upstream")
            json.open("{")
            json.member("issue", ifAny: upstream.issue)
            json.member("state", upstream.state.rawValue)
            json.member("date", upstream.date)
            json.member("says", upstream.says)
            json.close("}")
        }
        json.member("size", ifAny: size)
        json.sections(spec)
        json.member("subject", ifAny: subject)
        json.texts("needs", needs)
        json.objects("claims", claims) { claim, json in
            json.member("about", claim.about)
            json.member("claim", claim.claim)
            json.member("state", claim.state)
            json.member("reason", ifAny: claim.reason)
        }
        json.member("ms", ifAny: milliseconds)
        json.member("ownMicroseconds", ifAny: ownMicroseconds)
        json.key("ending")
        ending.write(to: &json)
        json.texts("rules", rules)
        json.key("findings")
        json.list(findings) { $0.write(to: &$1) }
        json.texts("cookiesBy", cookiesBy)
        json.texts("notJudged", notJudged)
        json.texts("undecided", undecided)
        json.texts("untold", untold)
        if ledgerEntry != nil || !ledgerNotes.isEmpty {
            json.key("ledger")
            json.open("{")
            json.member("entry", ifAny: ledgerEntry)
            json.member("because", ifAny: ledgerReason)
            json.texts("notes", ledgerNotes)
            json.close("}")
        }
        writeExplanation(to: &json)
        json.member("text", ifAny: text)
        if let report {
            json.key("report")
            report.write(to: &json)
        }
        json.close("}")
        json.lineEnd()
        return json.bytes
    }

    private func writeExplanation(to json: inout JSONText) {
        json.member("file", ifAny: file)
        json.member("line", ifAny: line)
        json.member("traceLine", ifAny: traceLine)
        json.member("clientError", ifAny: clientError)
        json.texts("stderr", errorLines)
        json.member("curl", ifAny: curl)
        json.member("curlShortfall", ifAny: curlShortfall)
        json.objects("timeline", timeline) { event, json in
            json.member("ns", ifAny: event.nanoseconds)
            json.member("lane", event.lane)
            json.member("text", event.text)
            json.member("connection", ifAny: event.connection)
            json.member("request", ifAny: event.request)
            json.member("stream", ifAny: event.stream)
            if event.count > 1 { json.member("count", event.count) }
            json.member("wanted", ifAny: event.wanted)
            json.texts("details", event.details)
        }
    }
}

extension EndingRecord {
    fileprivate func write(to json: inout JSONText) {
        json.open("{")
        json.member("how", how)
        json.member("code", ifAny: code)
        json.member("signal", ifAny: signal)
        json.member("ms", ifAny: milliseconds)
        json.member("reason", ifAny: reason)
        json.member("stderr", ifAny: errorLine)
        json.close("}")
    }
}

extension FindingRecord {
    fileprivate func write(to json: inout JSONText) {
        json.open("{")
        json.member("about", about)
        json.member("weight", weight)
        json.member("sentence", sentence)
        json.member("plain", ifAny: plain)
        json.member("known", ifAny: known)
        json.texts("details", details)
        json.member("wanted", ifAny: wanted)
        json.member("got", ifAny: got)
        json.texts("rules", rules)
        json.sections(spec)
        json.member("lane", ifAny: lane)
        json.member("event", ifAny: event)
        if let entry { json.member("entry", entry) }
        json.member("location", ifAny: location)
        json.member("request", ifAny: request)
        json.texts("head", head)
        json.close("}")
    }
}

extension ExamHeader {
    /// One JSON object on one line, with a line feed; its first key tells it from a case.
    package var json: [UInt8] {
        var json = JSONText()
        json.open("{")
        json.member("exam", "proctor")
        json.member("version", Self.currentVersion)
        json.member("client", client)
        json.member("clientName", ifAny: clientName)
        json.member("clientVersion", ifAny: clientVersion)
        json.member("adapter", ifAny: adapter)
        json.member("adapterVersion", ifAny: adapterVersion)
        json.member("command", ifAny: command)
        json.member("platform", platform)
        json.member("ledger", ifAny: ledger)
        json.member("proctor", proctor)
        json.member("system", ifAny: system)
        json.member("date", ifAny: date)
        json.member("cases", ifAny: caseCount)
        json.member("protocol", ifAny: protocolName)
        json.member("shard", ifAny: shard)
        json.member("absence", ifAny: absence)
        json.close("}")
        json.lineEnd()
        return json.bytes
    }

    /// The version of the format that is written, and the highest that is read.
    package static let currentVersion = 1
}

extension JSONText {
    fileprivate mutating func member(_ key: StaticString, ifAny value: String?) {
        if let value { member(key, value) }
    }

    fileprivate mutating func member(_ key: StaticString, ifAny value: Int?) {
        if let value { member(key, value) }
    }

    /// Nothing for an empty list.
    fileprivate mutating func texts(_ key: StaticString, _ values: [String]) {
        guard !values.isEmpty else { return }
        self.key(key)
        open("[")
        for value in values { element(value) }
        close("]")
    }

    /// Nothing for an empty list.
    fileprivate mutating func objects<Element>(
        _ key: StaticString, _ elements: [Element], _ write: (Element, inout JSONText) -> Void
    ) {
        guard !elements.isEmpty else { return }
        self.key(key)
        list(elements) { element, json in
            json.open("{")
            write(element, &json)
            json.close("}")
        }
    }

    /// Objects with `section` and, where there is one, `link`.
    fileprivate mutating func sections(_ spec: [SpecReference], _ key: StaticString = "spec") {
        objects(key, spec) { reference, json in
            json.member("section", reference.section)
            json.member("link", ifAny: reference.link)
        }
    }
}
