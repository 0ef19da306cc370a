import ProctorBase
import ProctorScenario

extension CaseRecord: RecordObject {
    init() { self.init(id: CaseID(scenario: "", name: ""), kind: .must, outcome: "") }

    static let fields: [RecordField<Self>] = [
        .textOrEmpty("client", \.client), .derived("case") { $0.id.description }, .needed("scenario", \.scenario),
        .needed("name", \.name), .derived("family") { $0.family },
        .word("kind", \.kind, fault: "'kind' is must, should or observes, not"), .text("summary", \.summary),
        .needed("outcome", \.outcome) { word in
            CaseVerdict.Outcome.words.contains(word)
                ? nil : "there is no outcome '\(EscapedText.escape(word.utf8, limit: 60))'"
        },
        .text("ability", \.ability), .textOrEmpty("reason", \.reason), .text("cause", \.cause),
        .objects("causeSpec", \.causeSpec), .object("upstream", \.upstream), .number("size", \.size),
        .objects("spec", \.spec), .text("subject", \.subject), .texts("needs", \.needs), .objects("claims", \.claims),
        .number("ms", \.milliseconds), .number("ownMicroseconds", \.ownMicroseconds),
        .object("ending", \.endingIfAny), .texts("rules", \.rules),
        .objects("findings", \.findings, isAlwaysThere: true), .texts("cookiesBy", \.cookiesBy),
        .texts("notJudged", \.notJudged), .texts("undecided", \.undecided), .texts("untold", \.untold),
        .object("ledger", \.ledger), .text("file", \.file), .number("line", \.line), .number("traceLine", \.traceLine),
        .text("clientError", \.clientError), .texts("stderr", \.errorLines), .text("curl", \.curl),
        .text("curlShortfall", \.curlShortfall), .objects("timeline", \.timeline),
    ]

    /// One JSON object on one line, with a line feed.
    ///
    /// Docs/use/records.md lists the keys; they are only ever added. `text`, for a person, becomes the key `text`, and `report` the key of
    /// that name.
    package func json(text: String? = nil, report: VerdictReport? = nil) -> [UInt8] {
        line { json in
            if let text { json.member("text", text) }
            guard let report else { return }
            json.key("report")
            report.write(to: &json)
        }
    }

    private var scenario: String {
        get { id.scenario }
        set { id = CaseID(scenario: newValue, name: id.name) }
    }

    private var name: String {
        get { id.name }
        set { id = CaseID(scenario: id.scenario, name: newValue) }
    }

    private var endingIfAny: EndingRecord? {
        get { ending }
        set { ending = newValue ?? ending }
    }

    /// The ledger's entry; nil when no entry is about the case.
    private var ledger: LedgerObject? {
        get {
            ledgerEntry == nil && ledgerNotes.isEmpty
                ? nil : LedgerObject(entry: ledgerEntry, because: ledgerReason, notes: ledgerNotes)
        }
        set { (ledgerEntry, ledgerReason, ledgerNotes) = (newValue?.entry, newValue?.because, newValue?.notes ?? []) }
    }
}

private struct LedgerObject: RecordObject {
    var entry: String?
    var because: String?
    var notes: [String] = []

    static let fields: [RecordField<Self>] = [
        .text("entry", \.entry), .text("because", \.because), .texts("notes", \.notes),
    ]
}

extension SpecReference: RecordObject {
    init() { self.init("") }

    static let fields: [RecordField<Self>] = [.needed("section", \.section), .derived("link") { $0.link }]
}

extension UpstreamReport: RecordObject {
    init() { self.init(state: .open, issue: nil, date: "", says: "") }

    static let fields: [RecordField<Self>] = [
        .text("issue", \.issue), .word("state", \.state, fault: "no report is"), .needed("date", \.date),
        .needed("says", \.says),
    ]
}

extension ClaimRecord: RecordObject {
    init() { self.init(about: "", claim: "", state: "") }

    static let fields: [RecordField<Self>] = [
        .needed("about", \.about), .needed("claim", \.claim), .needed("state", \.state), .text("reason", \.reason),
    ]
}

extension EndingRecord: RecordObject {
    init() { self.init(how: "") }

    static let fields: [RecordField<Self>] = [
        .needed("how", \.how), .number("code", \.code, in: Int.min...), .text("signal", \.signal),
        .number("ms", \.milliseconds), .text("reason", \.reason), .text("stderr", \.errorLine),
    ]
}

extension FindingRecord: RecordObject {
    init() { self.init(about: "", weight: "", sentence: "") }

    static let fields: [RecordField<Self>] = [
        .needed("about", \.about), .needed("weight", \.weight), .needed("sentence", \.sentence),
        .text("plain", \.plain), .text("known", \.known), .text("cause", \.cause), .texts("details", \.details),
        .text("wanted", \.wanted),
        .text("got", \.got), .texts("rules", \.rules), .objects("spec", \.spec), .text("lane", \.lane),
        .number("event", \.event, in: Int.min...), .number("entry", \.entryNumber), .text("location", \.location),
        .number("request", \.request), .texts("head", \.head),
    ]

    private var entryNumber: Int? {
        get { entry.map { Int(clamping: $0) } }
        set { entry = newValue.map { UInt64($0) } }
    }
}

extension EventRecord: RecordObject {
    init() { self.init(lane: "", text: "") }

    static let fields: [RecordField<Self>] = [
        .number("ns", \.nanoseconds, in: Int.min...), .needed("lane", \.lane), .needed("text", \.text),
        .number("connection", \.connection), .number("request", \.request), .number("stream", \.stream),
        .number("count", \.countOfSeveral), .text("wanted", \.wanted), .texts("details", \.details),
    ]

    private var countOfSeveral: Int? {
        get { count > 1 ? count : nil }
        set { count = newValue ?? 1 }
    }
}

extension ExamHeader: RecordObject {
    init() { self.init(client: "", platform: "", proctor: "") }

    /// The version of the format that is written, and the highest version that can be read.
    package static let currentVersion = 1

    static let fields: [RecordField<Self>] = [
        .format("exam", "proctor", version: currentVersion),
        .needed("client", \.client) { $0.isEmpty ? "'client' is empty" : nil }, .text("clientName", \.clientName),
        .text("clientVersion", \.clientVersion), .text("adapter", \.adapter),
        .text("adapterVersion", \.adapterVersion), .text("command", \.command), .needed("platform", \.platform),
        .text("ledger", \.ledger), .needed("proctor", \.proctor), .text("system", \.system), .text("date", \.date),
        .number("cases", \.caseCount), .text("protocol", \.protocolName), .text("shard", \.shard),
        .text("widerCommand", \.widerCommand), .text("absence", \.absence),
    ]

    /// One JSON object on one line, with a line feed; its first key distinguishes it from a case.
    package var json: [UInt8] { line() }
}
