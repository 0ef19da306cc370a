import ProctorBase
import ProctorHTTP
import ProctorNotation
import ProctorProgram
import ProctorScenario

/// Compares the cookies of all requests with those that a conforming user agent sends (RFC 6265 §5.4).
extension WireGrader {
    /// What fails by the case's `cookies:`; empty where the case has none.
    func cookieFindings(_ record: WireRecord) -> [Finding] {
        guard let demand = item.cookies else { return [] }
        if item.client.first?.session?.cookies == .never { return forbidden(record) }
        guard !record.requests.isEmpty else {
            let sentence = "cookies: no request came whose cookies could be judged"
            let nothing = CookieVerdict(sent: [], expected: nil, conformsTo: [], differences: [])
            return [Finding(subject: .cookies(nothing), sentence: sentence, location: item.location)]
        }
        var findings = unjudged(record)
        let verdicts = record.cookieVerdicts.map { seen in
            (sequence: seen.sequence, request: seen.request, verdict: seen.verdict.withoutDepartures())
        }
        let departed = verdicts.filter { !conforms($0.verdict, demand) }
        findings += departed.map { seen in
            departure(seen.verdict, seen.sequence, request: seen.request.map { record.request($0) }, demand: demand)
        }
        if departed.isEmpty, let finding = editionFinding(verdicts) { findings.append(finding) }
        findings += orderFindings(record, demand)
        return findings.sorted { ($0.sequence ?? 0) < ($1.sequence ?? 0) }
    }

    /// Cookie differences in a case without `cookies:`, without those that its facts ask for and that held.
    func cookieNotes(_ record: WireRecord, granted: Set<FactName>) -> [Finding] {
        guard item.cookies == nil, item.client.first?.session?.cookies != .never else { return [] }
        let granted = Set(
            granted.compactMap { name -> Int? in
                if case .wire(let index, let fact) = name, fact.isOfCookies { index } else { nil }
            })
        return record.cookieVerdicts.compactMap { sequence, request, verdict in
            guard verdict.conformsTo.isEmpty, request.map({ !granted.contains($0) }) ?? true else { return nil }
            return finding(
                verdict.withoutDepartures(), sequence, request: request.map { record.request($0) }, weight: .observation
            )
        }
    }

    /// The editions by which every request of the run is right; empty where the case has no `cookies:`, or nothing was
    /// judged.
    func editionsMet(in record: WireRecord) -> [CookieEdition] {
        guard item.cookies != nil, item.client.first?.session?.cookies != .never, unjudged(record).isEmpty,
            CookieEvidence.reasonNotJudged(in: record, item: item) == nil
        else { return [] }
        return CookieEdition.allCases.filter { edition in
            record.cookieVerdicts.allSatisfy { $0.verdict.conformsTo.contains(edition) }
        }
    }

    // MARK: What fails

    private func conforms(_ verdict: CookieVerdict, _ demand: Case.CookieDemand) -> Bool {
        demand.edition.map { verdict.conformsTo.contains($0) } ?? !verdict.conformsTo.isEmpty
    }

    /// A request that is wrong by the edition that the case asks for, or by all editions.
    private func departure(
        _ verdict: CookieVerdict, _ sequence: UInt64, request: Finding.Request?, demand: Case.CookieDemand
    ) -> Finding {
        guard let edition = demand.edition else {
            return finding(verdict, sequence, request: request, weight: .failure)
        }
        let asked = verdict.read(by: edition)
        guard let other = verdict.conformsTo.first else {
            return finding(asked, sequence, request: request, weight: .failure)
        }
        return finding(
            asked, sequence, request: request, weight: .failure,
            because: "the case asks for \(CookieText.name(edition)), and the request is right by "
                + "\(CookieText.name(other)) alone")
    }

    /// The right cookies in another order than the recommended one.
    private func orderFindings(_ record: WireRecord, _ demand: Case.CookieDemand) -> [Finding] {
        guard demand.order != .any else { return [] }
        return record.cookieVerdicts.filter { conforms($0.verdict, demand) }.compactMap { sequence, request, verdict in
            let verdict = (demand.edition.map { verdict.read(by: $0) } ?? verdict).withoutDepartures()
            guard !verdict.differences.isEmpty else { return nil }
            return finding(
                verdict, sequence, request: request.map { record.request($0) },
                weight: demand.order == .required ? .failure : .observation)
        }
    }

    /// With `session: { cookies: never }` no request has a Cookie field, whatever was set.
    private func forbidden(_ record: WireRecord) -> [Finding] {
        record.requests.enumerated().compactMap { index, request in
            let fields = request.head.fields.values(named: Array("Cookie".utf8)).map { Array($0) }
            guard !fields.isEmpty else { return nil }
            let verdict = CookieVerdict(
                sent: fields, expected: nil, conformsTo: [],
                differences: [
                    CookieDifference(
                        .forbidden, [],
                        sentence: "a Cookie field came, though the program says session: { cookies: never }",
                        section: "RFC 6265 §7.2")
                ])
            return finding(verdict, request.sequence, request: record.request(index), weight: .failure)
        }
    }

    /// Fails where the journal's server did not judge cookies, so that a missing judgement is no pass.
    private func unjudged(_ record: WireRecord) -> [Finding] {
        let judged = Set(record.cookieVerdicts.compactMap(\.request))
        return record.requests.enumerated().compactMap { index, request in
            let fields = request.head.fields.values(named: Array("Cookie".utf8)).map { Array($0) }
            guard !fields.isEmpty, !judged.contains(index) else { return nil }
            return Finding(
                subject: .cookies(CookieVerdict(sent: fields, expected: nil, conformsTo: [], differences: [])),
                sentence: "cookies of request \(index): the journal has no verdict on them; grade the journal of a run",
                sequence: request.sequence, location: item.location)
        }
    }

    /// A failure where every request is right by some edition, and no edition is right for all.
    private func editionFinding(_ verdicts: [(sequence: UInt64, request: Int?, verdict: CookieVerdict)]) -> Finding? {
        let isOne = CookieEdition.allCases.contains { edition in
            verdicts.allSatisfy { $0.verdict.conformsTo.contains(edition) }
        }
        guard !isOne else { return nil }
        let parts = CookieEdition.allCases.compactMap { edition in
            verdicts.first { $0.verdict.conformsTo == [edition] }.map { (edition, $0) }
        }
        guard let last = parts.max(by: { $0.1.sequence < $1.1.sequence }) else { return nil }
        let words = parts.map { edition, seen in
            "request \(seen.request.map(String.init) ?? "?") is right by \(CookieText.name(edition)) alone"
        }
        return Finding(
            subject: .cookies(last.1.verdict),
            sentence: "cookies: no one edition is right for all requests: \(words.joined(separator: ", "))",
            sequence: last.1.sequence, location: item.location)
    }

    /// `reason` stands before the differences, where there is one.
    private func finding(
        _ verdict: CookieVerdict, _ sequence: UInt64, request: Finding.Request?, weight: Finding.Weight,
        because reason: String? = nil
    ) -> Finding {
        let owner = request.map { "request \($0.number)" } ?? "a request"
        let sentences = (reason.map { [$0] } ?? []) + verdict.differences.map { CookieText.sentence($0) }
        let wanted = CookieText.expected(verdict)
        let got = CookieText.sent(verdict)
        return Finding(
            subject: .cookies(verdict), weight: weight,
            sentence: "cookies of \(owner): \(sentences.first ?? "they differ")",
            details: LabelledText.lines("also", Array(sentences.dropFirst())) + LabelledText.lines("wanted", [wanted])
                + LabelledText.lines("got", [got]), wanted: wanted, got: got, sequence: sequence,
            request: request, location: weight == .failure ? item.location : nil)
    }
}

extension FactName.WireFact {
    /// Whether the fact is about the Cookie field.
    var isOfCookies: Bool {
        switch self {
        case .cookieNames, .cookie: true
        case .header(let name): name.lowercased() == "cookie"
        default: false
        }
    }
}

extension Finding {
    /// The difference in a request's cookies, in a sentence; nil for any other finding.
    var cookieSentence: String? {
        guard case .cookies(let verdict) = subject else { return nil }
        return verdict.differences.first.map { CookieText.sentence($0) }
    }
}

/// Whether a run shows anything by which a client's cookies can be judged (RFC 6265 §5.4).
///
/// A request shows it when it comes after a reply that sets cookies and whose head the client can have read. Without
/// such a request a client that keeps no cookies cannot be told from one that keeps all.
enum CookieEvidence {
    /// What did not come, half a sentence; nil where cookies can be judged, or the case has no `cookies:`.
    static func reasonNotJudged(in record: WireRecord, item: Case) -> String? {
        guard item.cookies != nil else { return nil }
        guard !record.requests.isEmpty else { return "no request came" }
        if let reason = missingRequest(record, item) { return reason }
        guard let first = record.cookieSettings.first else {
            return record.requests.count > 1 ? nil : "no reply set a cookie, and no request followed the first one"
        }
        let followers = record.requests.filter { $0.sequence > first.sequence }
        let owner = first.request.map { " to request \($0)" } ?? ""
        guard !followers.isEmpty else { return "no request followed the reply\(owner), which sets cookies" }
        let settings = record.cookieSettings.map(\.sequence).sorted()
        guard followers.contains(where: { !leavesAllOpen($0, settings) }) else {
            return "every request behind the reply\(owner), which sets cookies, may have begun before it was read"
        }
        return nil
    }

    /// A request that the case waits for, of a load or of a redirect, and that never came.
    private static func missingRequest(_ record: WireRecord, _ item: Case) -> String? {
        let count = record.requests.count
        guard let wire = item.wire else {
            let loads = Plural.count(item.client.count, "load")
            return count < item.client.count ? "\(loads) brought \(Plural.count(count, "request"))" : nil
        }
        let diagnosis = wire.diagnosis(of: record.requests.map(\.symbol), ambient: item.ambient["wire"], terminals: [])
        guard let diagnosis, diagnosis.got == nil, diagnosis.overflow == nil else { return nil }
        return "request \(count), which the case waits for, never came"
    }

    /// Whether the client may have built the request before it read any reply that sets cookies.
    ///
    /// `settings` are the sequences of those replies, in order.
    private static func leavesAllOpen(_ request: WireRecord.SeenRequest, _ settings: [UInt64]) -> Bool {
        guard let verdict = request.cookieVerdict else { return false }
        return verdict.undecidedCount >= settings.firstSortedIndex { $0 >= request.sequence }
    }
}
