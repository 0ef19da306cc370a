import ProctorBase
import ProctorScenario

/// The members of one object of a record; a member of another type than expected is an error that names it.
struct RecordFields {
    private let members: [String: JSONTree]

    init(_ tree: JSONTree, _ what: String) throws(LineFault) {
        guard case .object(let members) = tree else { throw LineFault(0, "\(what) is an object") }
        self.members = members
    }

    func has(_ key: String) -> Bool { members[key] != nil }

    func text(_ key: String) throws(LineFault) -> String {
        guard let text = try textIfAny(key) else { throw LineFault(0, "the key '\(key)' is missing") }
        return text
    }

    func textIfAny(_ key: String) throws(LineFault) -> String? {
        switch members[key] {
        case nil, .null: return nil
        case .text(let bytes): return String(decoding: bytes, as: UTF8.self)
        default: throw LineFault(0, "'\(key)' is a text")
        }
    }

    func integerIfAny(_ key: String) throws(LineFault) -> Int? {
        switch members[key] {
        case nil, .null: return nil
        case .number(let number):
            // Doubles hold such numbers exactly, so that every reader of JSON can.
            if let value = number.integer, value.magnitude <= 1 << 53 { return value }
        default: break
        }
        throw LineFault(0, "'\(key)' is a whole number")
    }

    /// Not negative.
    func countIfAny(_ key: String) throws(LineFault) -> Int? {
        guard let value = try integerIfAny(key) else { return nil }
        guard value >= 0 else { throw LineFault(0, "'\(key)' is 0 or more") }
        return value
    }

    /// Empty where the key is missing.
    func texts(_ key: String) throws(LineFault) -> [String] {
        var texts: [String] = []
        for item in try list(key) {
            guard case .text(let bytes) = item else { throw LineFault(0, "'\(key)' is a list of texts") }
            texts.append(String(decoding: bytes, as: UTF8.self))
        }
        return texts
    }

    /// Empty where the key is missing.
    func objects(_ key: String) throws(LineFault) -> [RecordFields] {
        var objects: [RecordFields] = []
        for item in try list(key) { objects.append(try RecordFields(item, "each of '\(key)'")) }
        return objects
    }

    func objectIfAny(_ key: String) throws(LineFault) -> RecordFields? {
        guard let tree = members[key] else { return nil }
        return try RecordFields(tree, "'\(key)'")
    }

    private func list(_ key: String) throws(LineFault) -> [JSONTree] {
        switch members[key] {
        case nil, .null: return []
        case .list(let items): return items
        default: throw LineFault(0, "'\(key)' is a list")
        }
    }

    func sections(_ key: String = "spec") throws(LineFault) -> [SpecReference] {
        var sections: [SpecReference] = []
        for object in try objects(key) { sections.append(SpecReference(try object.text("section"))) }
        return sections
    }
}

extension ExamHeader {
    init(_ fields: RecordFields) throws(LineFault) {
        let version = try fields.countIfAny("version") ?? 0
        guard try fields.text("exam") == "proctor", 1...Self.currentVersion ~= version else {
            throw LineFault(
                0, "records of version \(version) can't be read; this proctor reads 1 to \(Self.currentVersion)")
        }
        self.init(
            client: try fields.text("client"), platform: try fields.text("platform"),
            proctor: try fields.text("proctor"))
        guard !client.isEmpty else { throw LineFault(0, "'client' is empty") }
        clientName = try fields.textIfAny("clientName")
        clientVersion = try fields.textIfAny("clientVersion")
        adapter = try fields.textIfAny("adapter")
        adapterVersion = try fields.textIfAny("adapterVersion")
        command = try fields.textIfAny("command")
        ledger = try fields.textIfAny("ledger")
        system = try fields.textIfAny("system")
        date = try fields.textIfAny("date")
        caseCount = try fields.countIfAny("cases")
        protocolName = try fields.textIfAny("protocol")
        shard = try fields.textIfAny("shard")
        absence = try fields.textIfAny("absence")
    }
}

extension CaseRecord {
    init(_ fields: RecordFields) throws(LineFault) {
        let kindWord = try fields.text("kind")
        guard let kind = Case.Kind(rawValue: kindWord) else {
            throw LineFault(0, "'kind' is must, should or observes, not '\(EscapedText.of(kindWord.utf8, limit: 60))'")
        }
        let outcome = try fields.text("outcome")
        guard CaseVerdict.Outcome.words.contains(outcome) else {
            throw LineFault(0, "there is no outcome '\(EscapedText.of(outcome.utf8, limit: 60))'")
        }
        let id = CaseID(scenario: try fields.text("scenario"), name: try fields.text("name"))
        self.init(id: id, kind: kind, outcome: outcome)
        client = try fields.textIfAny("client") ?? ""
        summary = try fields.textIfAny("summary")
        ability = try fields.textIfAny("ability")
        reason = try fields.textIfAny("reason") ?? ""
        cause = try fields.textIfAny("cause")
        causeSpec = try fields.sections("causeSpec")
        if let object = try fields.objectIfAny("upstream") { upstream = try UpstreamReport(object) }
        size = try fields.countIfAny("size")
        spec = try fields.sections()
        subject = try fields.textIfAny("subject")
        needs = try fields.texts("needs")
        for object in try fields.objects("claims") { claims.append(try ClaimRecord(object)) }
        milliseconds = try fields.countIfAny("ms")
        ownMicroseconds = try fields.countIfAny("ownMicroseconds")
        if let object = try fields.objectIfAny("ending") { ending = try EndingRecord(object) }
        rules = try fields.texts("rules")
        for object in try fields.objects("findings") { findings.append(try FindingRecord(object)) }
        cookiesBy = try fields.texts("cookiesBy")
        notJudged = try fields.texts("notJudged")
        undecided = try fields.texts("undecided")
        untold = try fields.texts("untold")
        if let ledger = try fields.objectIfAny("ledger") {
            ledgerEntry = try ledger.textIfAny("entry")
            ledgerReason = try ledger.textIfAny("because")
            ledgerNotes = try ledger.texts("notes")
        }
        for object in try fields.objects("timeline") { timeline.append(try EventRecord(object)) }
        clientError = try fields.textIfAny("clientError")
        errorLines = try fields.texts("stderr")
        curl = try fields.textIfAny("curl")
        curlShortfall = try fields.textIfAny("curlShortfall")
        file = try fields.textIfAny("file")
        line = try fields.countIfAny("line")
        traceLine = try fields.countIfAny("traceLine")
    }
}

extension UpstreamReport {
    fileprivate init(_ fields: RecordFields) throws(LineFault) {
        let word = try fields.text("state")
        guard let state = State(rawValue: word) else {
            throw LineFault(0, "no report is '\(EscapedText.of(word.utf8, limit: 60))'")
        }
        self.init(
            state: state, issue: try fields.textIfAny("issue"), date: try fields.text("date"),
            says: try fields.text("says"))
    }
}

extension ClaimRecord {
    fileprivate init(_ fields: RecordFields) throws(LineFault) {
        about = try fields.text("about")
        claim = try fields.text("claim")
        state = try fields.text("state")
        reason = try fields.textIfAny("reason")
    }
}

extension EndingRecord {
    fileprivate init(_ fields: RecordFields) throws(LineFault) {
        how = try fields.text("how")
        code = try fields.integerIfAny("code")
        signal = try fields.textIfAny("signal")
        milliseconds = try fields.countIfAny("ms")
        reason = try fields.textIfAny("reason")
        errorLine = try fields.textIfAny("stderr")
    }
}

extension FindingRecord {
    fileprivate init(_ fields: RecordFields) throws(LineFault) {
        about = try fields.text("about")
        weight = try fields.text("weight")
        sentence = try fields.text("sentence")
        plain = try fields.textIfAny("plain")
        known = try fields.textIfAny("known")
        details = try fields.texts("details")
        wanted = try fields.textIfAny("wanted")
        got = try fields.textIfAny("got")
        rules = try fields.texts("rules")
        spec = try fields.sections()
        lane = try fields.textIfAny("lane")
        event = try fields.integerIfAny("event")
        entry = try fields.countIfAny("entry").map { UInt64($0) }
        location = try fields.textIfAny("location")
        request = try fields.countIfAny("request")
        head = try fields.texts("head")
    }
}

extension EventRecord {
    fileprivate init(_ fields: RecordFields) throws(LineFault) {
        self.init(
            nanoseconds: try fields.integerIfAny("ns"), lane: try fields.text("lane"), text: try fields.text("text"))
        connection = try fields.countIfAny("connection")
        request = try fields.countIfAny("request")
        stream = try fields.countIfAny("stream")
        count = try fields.countIfAny("count") ?? 1
        wanted = try fields.textIfAny("wanted")
        details = try fields.texts("details")
    }
}
