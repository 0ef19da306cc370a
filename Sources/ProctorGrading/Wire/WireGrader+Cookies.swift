import ProctorHTTP
import ProctorProgram
import ProctorScenario

/// Holds the cookies of all requests against what a conforming user agent sends (RFC 6265 §5.4).
extension WireGrader {
    /// What fails by the case's `cookies:`; empty where it asks for nothing.
    func cookieFindings(_ record: WireRecord) -> [Finding] {
        guard let demand = item.cookies else { return [] }
        if item.client.first?.session?.cookies == .never { return forbidden(record) }
        guard !record.requests.isEmpty else {
            let sentence = "cookies: no request came whose cookies could be judged"
            let nothing = CookieVerdict(sent: [], expected: nil, conformsTo: [], differences: [])
            return [Finding(.cookies(nothing), .failure, sentence, location: item.location)]
        }
        var findings = unjudged(record)
        let verdicts = record.cookieVerdicts
        let departed = verdicts.filter { !conforms($0.verdict, demand) }
        findings += departed.map { departure($0.verdict, $0.sequence, request: $0.request, demand: demand) }
        if departed.isEmpty, let finding = editionFinding(verdicts) { findings.append(finding) }
        findings += orderFindings(verdicts, demand)
        return findings.sorted { ($0.sequence ?? 0) < ($1.sequence ?? 0) }
    }

    /// What differs in cookies beside something that failed, where the case asks for none: it may be what it failed by.
    ///
    /// What the case measures itself, and got, explains nothing and is left out.
    func cookieNotes(_ record: WireRecord, beside findings: [Finding]) -> [Finding] {
        guard item.cookies == nil, item.client.first?.session?.cookies != .never,
            findings.contains(where: { $0.weight == .failure })
        else { return [] }
        let failed = Set(
            findings.compactMap { finding -> FactName? in
                if case .fact(let name) = finding.subject { name } else { nil }
            })
        let granted = Set(
            item.facts.map(\.name).filter { !failed.contains($0) }.compactMap { name -> Int? in
                if case .wire(let index, let fact) = name, fact.isOfCookies { index } else { nil }
            })
        return record.cookieVerdicts.compactMap { sequence, request, verdict in
            guard verdict.conformsTo.isEmpty, request.map({ !granted.contains($0) }) ?? true else { return nil }
            return finding(verdict, sequence, request: request, weight: .observation)
        }
    }

    /// The editions by which every request of the run is right; empty where the case asks for none, or nothing was judged.
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

    /// Of a request that is wrong by the edition that the case asks for, or by all of them.
    private func departure(
        _ verdict: CookieVerdict, _ sequence: UInt64, request: Int?, demand: Case.CookieDemand
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
    private func orderFindings(
        _ verdicts: [(sequence: UInt64, request: Int?, verdict: CookieVerdict)], _ demand: Case.CookieDemand
    ) -> [Finding] {
        guard demand.order != .any else { return [] }
        return verdicts.filter { conforms($0.verdict, demand) }.compactMap { sequence, request, verdict in
            let verdict = demand.edition.map { verdict.read(by: $0) } ?? verdict
            guard !verdict.differences.isEmpty else { return nil }
            return finding(
                verdict, sequence, request: request, weight: demand.order == .required ? .failure : .observation)
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
            return finding(verdict, request.sequence, request: index, weight: .failure)
        }
    }

    /// Journals of servers that do not judge cookies would let everything pass.
    private func unjudged(_ record: WireRecord) -> [Finding] {
        let judged = Set(record.cookieVerdicts.compactMap(\.request))
        return record.requests.enumerated().compactMap { index, request in
            let fields = request.head.fields.values(named: Array("Cookie".utf8)).map { Array($0) }
            guard !fields.isEmpty, !judged.contains(index) else { return nil }
            return Finding(
                .cookies(CookieVerdict(sent: fields, expected: nil, conformsTo: [], differences: [])), .failure,
                "cookies of request \(index): the journal has no verdict on them; grade the journal of a run",
                sequence: request.sequence, location: item.location)
        }
    }

    /// Every request is right by some edition, and no edition is right for all.
    private func editionFinding(
        _ verdicts: [(sequence: UInt64, request: Int?, verdict: CookieVerdict)]
    ) -> Finding? {
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
            .cookies(last.1.verdict), .failure,
            "cookies: no one edition is right for all requests: \(words.joined(separator: ", "))",
            sequence: last.1.sequence, location: item.location)
    }

    /// `reason` stands before the differences, where there is one.
    private func finding(
        _ verdict: CookieVerdict, _ sequence: UInt64, request: Int?, weight: Finding.Weight,
        because reason: String? = nil
    ) -> Finding {
        let owner = request.map { "request \($0)" } ?? "a request"
        let sentences = (reason.map { [$0] } ?? []) + verdict.differences.map { CookieText.sentence($0) }
        let wanted = CookieText.expected(verdict)
        let got = CookieText.sent(verdict)
        return Finding(
            .cookies(verdict), weight, "cookies of \(owner): \(sentences.first ?? "they differ")",
            details: LabelledText.lines("also", Array(sentences.dropFirst())) + LabelledText.lines("wanted", [wanted])
                + LabelledText.lines("got", [got]),
            wanted: wanted, got: got, sequence: sequence, location: weight == .failure ? item.location : nil)
    }
}

extension FactName.WireFact {
    /// Whether the case looks at the request's cookies itself.
    fileprivate var isOfCookies: Bool {
        switch self {
        case .cookieNames, .cookie: true
        case .header(let name): name.lowercased() == "cookie"
        default: false
        }
    }
}

extension Finding {
    /// What was wrong with a request's cookies, in a sentence; nil for any other finding.
    var cookieSentence: String? {
        guard case .cookies(let verdict) = subject else { return nil }
        return verdict.differences.first.map { CookieText.sentence($0) }
    }
}
