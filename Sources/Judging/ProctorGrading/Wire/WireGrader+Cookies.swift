import ProctorBase
import ProctorHTTP
import ProctorNotation
import ProctorProgram
import ProctorScenario

/// Compares the cookies of all requests with those that a conforming user agent sends (RFC 6265 §5.4).
extension WireGrader {
    /// The failures by the case's `cookies:`; empty when the case has none.
    func cookieFindings(_ record: WireRecord) -> [Finding] {
        guard let demand = item.cookies else { return [] }
        if item.client.first?.session?.cookies == .never { return forbidden(record) }
        guard !record.exchanges.isEmpty else {
            let sentence = "cookies: no request came whose cookies could be judged"
            let nothing = CookieVerdict(sent: [], expected: nil, conformsTo: [], differences: [])
            return [Finding(subject: .cookies(nothing), sentence: sentence, location: item.location)]
        }
        var findings = unjudged(record)
        let departed = record.cookieVerdicts.filter { !conforms($0.note, demand) }
        findings += departed.map { departure($0, in: record, demand: demand) }
        if departed.isEmpty, let finding = editionFinding(record) { findings.append(finding) }
        findings += orderFindings(record, demand)
        return findings.sorted { ($0.sequence ?? 0) < ($1.sequence ?? 0) }
    }

    /// Differences in cookies in a case without `cookies:`, except those that its facts want and that held.
    func cookieNotes(_ record: WireRecord, granted: Set<FactName>) -> [Finding] {
        guard item.cookies == nil, item.client.first?.session?.cookies != .never else { return [] }
        let granted = Set(granted.compactMap(\.requestOfCookies))
        return record.cookieVerdicts.filter { seen in
            seen.note.conformsTo.isEmpty && seen.request.map { !granted.contains($0) } ?? true
        }.map { finding($0.note.withoutDepartures(), $0.sequence, record.reference($0.request), weight: .observation) }
    }

    /// The editions by which every request of the run is right; empty when the case has no `cookies:`, or when nothing
    /// was judged.
    func editionsMet(in record: WireRecord) -> [CookieEdition] {
        guard item.cookies != nil, item.client.first?.session?.cookies != .never, unjudged(record).isEmpty,
            CookieEvidence.reasonNotJudged(in: record, item: item) == nil
        else { return [] }
        return CookieEdition.allCases.filter { edition in
            record.cookieVerdicts.allSatisfy { $0.note.conformsTo.contains(edition) }
        }
    }

    // MARK: Failures

    private func conforms(_ verdict: CookieVerdict, _ demand: Case.CookieDemand) -> Bool {
        demand.edition.map { verdict.conformsTo.contains($0) } ?? !verdict.conformsTo.isEmpty
    }

    /// A failure for a request that is wrong by the edition that the case requires, or by all editions.
    private func departure(
        _ seen: Seen<CookieVerdict>, in record: WireRecord, demand: Case.CookieDemand
    ) -> Finding {
        let verdict = seen.note.withoutDepartures()
        let reason = demand.edition.flatMap { edition in
            verdict.conformsTo.first.map {
                "the case asks for \(CookieText.name(edition)), and the request is right by \(CookieText.name($0)) alone"
            }
        }
        return finding(
            demand.edition.map { verdict.read(by: $0) } ?? verdict, seen.sequence, record.reference(seen.request),
            weight: .failure, because: reason)
    }

    /// Findings for the right cookies in an order other than the recommended one.
    private func orderFindings(_ record: WireRecord, _ demand: Case.CookieDemand) -> [Finding] {
        guard demand.order != .any else { return [] }
        return record.cookieVerdicts.filter { conforms($0.note, demand) }.compactMap { seen in
            let verdict = (demand.edition.map { seen.note.read(by: $0) } ?? seen.note).withoutDepartures()
            guard !verdict.differences.isEmpty else { return nil }
            return finding(
                verdict, seen.sequence, record.reference(seen.request),
                weight: demand.order == .required ? .failure : .observation)
        }
    }

    /// With `session: { cookies: never }`, no request may have a Cookie field.
    private func forbidden(_ record: WireRecord) -> [Finding] {
        record.exchanges.compactMap { exchange in
            let fields = exchange.values("Cookie")
            guard !fields.isEmpty else { return nil }
            let verdict = CookieVerdict(
                sent: fields, expected: nil, conformsTo: [],
                differences: [
                    CookieDifference(
                        .forbidden, [],
                        sentence: "a Cookie field came, though the program says session: { cookies: never }",
                        section: "RFC 6265 §7.2")
                ])
            return finding(verdict, exchange.sequence, exchange.reference, weight: .failure)
        }
    }

    /// A failure when the server did not judge the cookies, so that a missing judgement is no pass.
    private func unjudged(_ record: WireRecord) -> [Finding] {
        let judged = Set(record.cookieVerdicts.compactMap(\.request))
        return record.exchanges.compactMap { exchange in
            let fields = exchange.values("Cookie")
            guard !fields.isEmpty, !judged.contains(exchange.number) else { return nil }
            return Finding(
                subject: .cookies(CookieVerdict(sent: fields, expected: nil, conformsTo: [], differences: [])),
                sentence:
                    "cookies of request \(exchange.number): the journal has no verdict on them; grade the journal of a run",
                sequence: exchange.sequence, location: item.location)
        }
    }

    /// A failure when each request is right by some edition, but no edition is right for all of them.
    private func editionFinding(_ record: WireRecord) -> Finding? {
        let verdicts = record.cookieVerdicts
        let isOne = CookieEdition.allCases.contains { edition in
            verdicts.allSatisfy { $0.note.conformsTo.contains(edition) }
        }
        guard !isOne else { return nil }
        let parts = CookieEdition.allCases.compactMap { edition in
            verdicts.first { $0.note.conformsTo == [edition] }.map { (edition, $0) }
        }
        guard let last = parts.max(by: { $0.1.sequence < $1.1.sequence }) else { return nil }
        let words = parts.map { edition, seen in
            "request \(seen.request.map(String.init) ?? "?") is right by \(CookieText.name(edition)) alone"
        }
        return Finding(
            subject: .cookies(last.1.note.withoutDepartures()),
            sentence: "cookies: no one edition is right for all requests: \(words.joined(separator: ", "))",
            sequence: last.1.sequence, request: record.reference(last.1.request), location: item.location)
    }

    /// The finding; `reason`, if any, is written before the differences.
    private func finding(
        _ verdict: CookieVerdict, _ sequence: UInt64, _ request: Finding.Request?, weight: Finding.Weight,
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

/// Whether a run contains a request by which a client's cookies can be judged (RFC 6265 §5.4).
///
/// Such a request comes after a reply that sets cookies and whose head the client can have read. Without one, a client
/// that stores no cookies can't be distinguished from one that stores all.
enum CookieEvidence {
    /// What is missing, half a sentence; nil when cookies can be judged, or when the case has no `cookies:`.
    static func reasonNotJudged(in record: WireRecord, item: Case) -> String? {
        guard item.cookies != nil else { return nil }
        guard !record.exchanges.isEmpty else { return "no request came" }
        if let reason = missingRequest(record, item) { return reason }
        guard let first = record.cookieSettings.first else {
            return record.exchanges.count > 1 ? nil : "no reply set a cookie, and no request followed the first one"
        }
        let followers = record.exchanges.filter { $0.sequence > first.sequence }
        let owner = first.request.map { " to request \($0)" } ?? ""
        guard !followers.isEmpty else { return "no request followed the reply\(owner), which sets cookies" }
        let settings = record.cookieSettings.map(\.sequence).sorted()
        guard followers.contains(where: { !leavesAllOpen($0, settings) }) else {
            return "every request behind the reply\(owner), which sets cookies, may have begun before it was read"
        }
        return nil
    }

    /// A request of a load or of a redirect that the case expects and that did not arrive.
    private static func missingRequest(_ record: WireRecord, _ item: Case) -> String? {
        let count = record.exchanges.count
        guard let wire = item.wire else {
            let loads = Plural.count(item.client.count, "load")
            return count < item.client.count ? "\(loads) brought \(Plural.count(count, "request"))" : nil
        }
        let diagnosis = wire.diagnosis(of: record.exchanges.map(\.symbol), ambient: item.ambient["wire"], terminals: [])
        guard diagnosis?.endsTooEarly == true else { return nil }
        return "request \(count), which the case waits for, never came"
    }

    /// Whether the client may have sent the request before it read any reply that sets cookies.
    ///
    /// `settings` are the sequences of those replies, in order.
    private static func leavesAllOpen(_ request: SeenExchange, _ settings: [UInt64]) -> Bool {
        guard let verdict = request.cookieVerdict else { return false }
        return verdict.undecidedCount >= settings.firstSortedIndex { $0 >= request.sequence }
    }
}
