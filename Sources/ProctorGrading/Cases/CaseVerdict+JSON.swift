import ProctorBase
import ProctorEvents
import ProctorHTTP
import ProctorScenario

extension CaseVerdict {
    /// One JSON object on one line, with a line feed.
    ///
    /// | key | value |
    /// |---|---|
    /// | `case`, `scenario`, `name`, `kind` | which case, and how binding it is |
    /// | `outcome` | a word of ``CaseVerdict/Outcome``: `pass` `fail` `partly` … |
    /// | `ability` | what the client lacks, where the outcome is `lacks` |
    /// | `subject` | what the case is about: `request`, or `request, reply, callbacks, connections` as far as it goes |
    /// | `claims` | objects with `about` (as in `subject`), `claim` (as the case says it), `state` (`held` `broken` `not-judged` `left-out`) and, where it was not judged, `reason` |
    /// | `reason` | one sentence; not there when there is none |
    /// | `ms` | how long the client took, where that was measured |
    /// | `ending` | `how` (`finished` `exited` `crashed` `hung` `could-not-start`) and, where there are: `code` `signal` `ms` `stderr` `reason` |
    /// | `rules` | numbers of rules that broke, whatever they weigh |
    /// | `findings` | objects with `about` (`expression` `fact` `miss` `violation` `opaque` `credential` `cookies` `rule` `grammar` `content` `edge` `ending` `unreportedRule` `result` `slices` `bound`), `weight` (`failure` `observation`), `sentence`, and, where there are: `known` `details` `wanted` `got` `rules` `lane` `event` (of the trace) `entry` (of the journal) `location` |
    /// | `cookiesBy` | the editions (`rfc6265` `rfc6265bis`) by which all cookies are right, where the case asks for cookies and any were judged |
    /// | `notJudged` | sentences |
    /// | `undecided` | names of facts |
    /// | `text` | timeline and findings for a person, where the control API was asked for a verdict |
    /// | `untold` | events that the case expects and this client never tells, as its ledger says; not there when there are none |
    /// | `ledger` | `entry` (its place) and `because` where an entry speaks of the case, `notes`; not there when there is neither |
    ///
    /// Keys are only ever added.
    package var json: [UInt8] { json(text: nil) }

    /// The verdict as JSON; `text`, for a person, becomes the key `text`.
    package func json(text: String?) -> [UInt8] {
        var json = JSONText()
        json.open("{")
        json.member("case", id.description)
        json.member("scenario", id.scenario)
        json.member("name", id.name)
        json.member("kind", kind.rawValue)
        json.member("outcome", outcome.word)
        if case .lacks(let ability) = outcome { json.member("ability", ability.rawValue) }
        if !reason.isEmpty { json.member("reason", reason) }
        if !claims.isEmpty { json.member("subject", Claim.Subject.text(of: claims.map(\.claim))) }
        json.claims(claims)
        if let milliseconds { json.member("ms", milliseconds) }
        append(ending, to: &json)
        append("rules", brokenRules.map(\.description), to: &json)
        json.key("findings")
        json.open("[")
        for finding in findings { append(finding, to: &json) }
        json.close("]")
        append("cookiesBy", cookiesBy.map(\.rawValue), to: &json)
        append("notJudged", notJudged, to: &json)
        append("undecided", undecidedFacts.map(\.text), to: &json)
        if !untoldEvents.isEmpty { append("untold", untoldEvents.map(\.description), to: &json) }
        if deviation != nil || !ledgerNotes.isEmpty {
            json.key("ledger")
            json.open("{")
            if let deviation {
                json.member("entry", deviation.location.description)
                json.member("because", deviation.because)
            }
            append("notes", ledgerNotes, to: &json)
            json.close("}")
        }
        if let text { json.member("text", text) }
        json.close("}")
        json.lineEnd()
        return json.bytes
    }

    private func append(_ ending: ClientEnding, to json: inout JSONText) {
        json.key("ending")
        json.open("{")
        json.member("how", ending.word)
        switch ending {
        case .finished: break
        case .exited(let code, _): json.member("code", code)
        case .crashed(let signal, _): json.member("signal", signal)
        case .hung(let milliseconds, _): json.member("ms", milliseconds)
        case .couldNotStart(let reason): json.member("reason", reason)
        }
        if let line = ending.lastErrorLine { json.member("stderr", line) }
        json.close("}")
    }

    private func append(_ finding: Finding, to json: inout JSONText) {
        json.element()
        json.open("{")
        json.member("about", finding.subject.word)
        json.member("weight", finding.weight.rawValue)
        json.member("sentence", finding.sentence)
        if let known = finding.known { json.member("known", known) }
        append("details", finding.details, to: &json)
        if let wanted = finding.wanted { json.member("wanted", wanted) }
        if let got = finding.got { json.member("got", got) }
        append("rules", finding.rules.map(\.description), to: &json)
        if let lane = finding.lane { json.member("lane", lane.description) }
        if let event = finding.event { json.member("event", event) }
        if let entry = finding.sequence { json.member("entry", entry) }
        if let location = finding.location { json.member("location", location.description) }
        json.close("}")
    }

    private func append(_ key: StaticString, _ values: [String], to json: inout JSONText) {
        guard !values.isEmpty else { return }
        json.key(key)
        json.open("[")
        for value in values { json.element(value) }
        json.close("]")
    }
}

extension Finding.Subject {
    var word: String {
        switch self {
        case .expression: "expression"
        case .fact: "fact"
        case .miss: "miss"
        case .violation: "violation"
        case .opaque: "opaque"
        case .credential: "credential"
        case .cookies: "cookies"
        case .rule: "rule"
        case .grammar: "grammar"
        case .content: "content"
        case .edge: "edge"
        case .ending: "ending"
        case .unreportedRule: "unreportedRule"
        case .result: "result"
        case .slices: "slices"
        case .bound: "bound"
        case .state: "state"
        case .reply: "reply"
        }
    }
}
