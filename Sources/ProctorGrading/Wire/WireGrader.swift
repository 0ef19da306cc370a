import ProctorEvents
import ProctorHTTP
public import ProctorJournal
import ProctorNotation
import ProctorProgram
public import ProctorScenario

/// Judges what a client put on the wire by the case it was set; pure, and the same for every run of the same journal.
public struct WireGrader: Sendable {
    let item: Case
    private let context: TemplateContext?

    /// `context` says what late-bound text in facts stands for; without it such facts are undecided.
    public init(_ case: Case, context: TemplateContext? = nil) {
        item = `case`
        self.context = context
    }

    /// Judges a whole journal of one run that served this case alone.
    ///
    /// `droppedCount` is what the journal had no room for; then, or when entries are missing in between, nothing is
    /// judged, but that a client which reached a bound of its run fails.
    ///
    /// `result` is what a command without a trace said of its end; nil: nothing.
    public func grade(
        _ entries: [JournalEntry], droppedCount: Int = 0, result: CommandResult? = nil
    ) -> WireVerdict {
        var evidence = CaseEvidence.ofCommand(entries, result: result)
        evidence.droppedCount = droppedCount
        return WireVerdict(CaseGrader(item, scenario: "", context: context).grade(evidence), of: item)
    }

    /// What the wire, and of facts also the client, has to say; no journal: only the client.
    ///
    /// With each fact that could not be decided stands the reason, half a sentence.
    func findings(
        in record: WireRecord?, client: ClientRecord?, namesErrors: Bool = true
    ) -> (findings: [Finding], undecidedFacts: [(name: FactName, reason: String)]) {
        var findings: [Finding] = []
        if let record, let finding = expressionFinding(record) { findings.append(finding) }
        let (factFindings, undecidedFacts) = factFindings(
            FactCheck(record: record, client: client, context: context, namesErrors: namesErrors))
        findings += factFindings
        if let record {
            findings += cookieFindings(record)
            findings += alwaysAsked(record)
            findings += opaqueFindings(record)
            findings += record.bounds.map { Self.finding($0.bound, at: $0.sequence) }
        }
        return (findings, undecidedFacts)
    }

    /// What may explain findings that fail, and fails nothing by itself.
    func notes(in record: WireRecord, beside findings: [Finding]) -> [Finding] {
        refusals(in: record, beside: findings, of: item.facts) + cookieNotes(record, beside: findings)
    }

    /// The bounds of the run that the client has reached; each is a failure.
    static func boundFindings(in entries: [JournalEntry]) -> [Finding] {
        entries.compactMap { entry in
            guard case .boundReached(let bound) = entry.event else { return nil }
            return finding(bound, at: entry.sequence)
        }
    }

    private static func finding(_ bound: ReachedBound, at sequence: UInt64) -> Finding {
        Finding(.bound(bound), .failure, bound.sentence, sequence: sequence)
    }

    private func expressionFinding(_ record: WireRecord) -> Finding? {
        guard let wire = item.wire else { return nil }
        let symbols = record.requests.map(\.symbol)
        guard let diagnosis = wire.diagnosis(of: symbols, ambient: item.ambient["wire"], terminals: []) else {
            return nil
        }
        let isRefused = diagnosis.got != nil && record.requests.indices.contains(diagnosis.position - 1)
        let failed = diagnosis.got == nil ? record.failedHandshakes.map { LabelledText.lines("tls", [$0]) } ?? [] : []
        return Finding(
            .expression(diagnosis), .failure, "wire: \(diagnosis.sentence)", details: diagnosis.lines() + failed,
            wanted: wire.text, got: symbols.map(\.description).joined(separator: " "),
            sequence: isRefused ? record.requests[diagnosis.position - 1].sequence : nil, location: item.location)
    }

    private func factFindings(_ check: FactCheck) -> ([Finding], undecided: [(name: FactName, reason: String)]) {
        var findings: [Finding] = []
        var undecided: [(name: FactName, reason: String)] = []
        for fact in item.facts {
            switch check.check(fact) {
            case .holds: break
            case .undecided(let reason): undecided.append((fact.name, reason))
            case .fails(let wanted, let got, let sequence):
                findings.append(
                    Finding(
                        .fact(fact.name), .failure, "\(fact.name.text): wanted \(wanted), got \(got)", wanted: wanted,
                        got: got, sequence: sequence, location: fact.location))
            }
        }
        return (findings, undecided)
    }

    /// Misses and violations, in the order in which they came.
    private func alwaysAsked(_ record: WireRecord) -> [Finding] {
        let misses = record.misses.map { sequence, request, miss in
            let name = request.map { "request \($0), \(record.requests[$0].symbol.argument ?? "")," } ?? "a request"
            let nearest = miss.nearestExchange.map { "; nearest is exchange \($0)" } ?? ""
            let differences = miss.differences.isEmpty ? "" : ": " + miss.differences.joined(separator: "; ")
            return Finding(
                .miss(miss), .failure, "\(name) matches no exchange\(nearest)\(differences)", sequence: sequence)
        }
        let graded = Set(
            item.facts.compactMap { fact -> Int? in
                guard case .wire(let index, .violations) = fact.name else { return nil }
                return index
            })
        let violations = record.violations.compactMap { sequence, request, connection, violation -> Finding? in
            // The case says itself what it wants to see there.
            if let request, graded.contains(request) { return nil }
            let owner = request.map { "request \($0)" } ?? "connection \(record.connections[connection].number)"
            return Finding(
                .violation(violation), weight(of: violation, record.connections[connection]),
                "\(owner): \(violation)", got: violation.kind.rawValue, sequence: sequence)
        }
        return (misses + violations).sorted { ($0.sequence ?? 0) < ($1.sequence ?? 0) }
    }

    /// What a script expected behind a reply and did not get.
    private func opaqueFindings(_ record: WireRecord) -> [Finding] {
        record.expectations.filter { $0.expected.outcome != .met }.map { sequence, request, expected in
            let owner = request.map { "request \($0), \(record.requests[$0].symbol.argument ?? "")" } ?? "a connection"
            let (wanted, got) = (ReceivedText.wanted(expected), ReceivedText.got(expected))
            return Finding(
                .opaque(expected), .failure, "\(owner): behind the reply wanted \(wanted), got \(got)", wanted: wanted,
                got: got, sequence: sequence)
        }
    }

    private func weight(of violation: Violation, _ connection: WireRecord.SeenConnection) -> Finding.Weight {
        // Such bytes can be read over, but RFC 9112 §9.6 says MUST NOT, and no exchange answers it.
        if violation.kind == .requestAfterClose { return .failure }
        // Bytes behind a whole request, where nothing had the client leave within the next head.
        if violation.kind == .incompleteHead, !connection.requests.isEmpty, !item.letsClientLeave { return .failure }
        // Also where the origin has read over it: the specification leaves the client no choice.
        guard violation.kind.isFatal(in: .request), !violation.kind.isDeparture else { return .observation }
        let origin = connection.origin
        switch violation.kind {
        // The client spoke what the scheme of the URL says, and the origin does not.
        case .tlsHandshake, .plainHTTP:
            return origin.map(item.contraryOrigins.contains) ?? false ? .observation : .failure
        default: return .failure
        }
    }
}

extension Case {
    /// Whether the program has the client end a load or its session by itself, or at a limit of time.
    fileprivate var letsClientLeave: Bool {
        client.contains { step in
            step.cancelAt != nil || step.timeout != nil || step.onResponse != .allow || step.session?.end != nil
                || step.session?.requestTimeout != nil || step.session?.resourceTimeout != nil
                || step.protocolScript != nil || step.onBodyStream != .fresh
                || step.onRedirect.contains { if case .cancel = $0 { true } else { false } }
                || step.onChallenge.contains { $0 == .cancel || $0 == .cancelTask || $0 == .reject }
        }
    }
}

extension WireGrader {
    /// Why credentials were refused, beside something that failed; they may be what it failed by.
    ///
    /// Refusals that the case asks for, and got, explain nothing and are left out.
    func refusals(in record: WireRecord, beside findings: [Finding], of facts: [Fact]) -> [Finding] {
        guard findings.contains(where: { $0.weight == .failure }) else { return [] }
        let failed = Set(
            findings.compactMap { finding -> FactName? in
                if case .fact(let name) = finding.subject { name } else { nil }
            })
        let granted = Set(facts.map(\.name).filter { !failed.contains($0) })
        return record.verdicts.compactMap { sequence, request, verdict in
            guard verdict.isRefusal, !Self.isGranted(verdict, request, granted: granted) else { return nil }
            return Finding(
                .credential(verdict), .observation, Self.sentence(verdict, request, record: record),
                details: LabelledText.lines("fault", GuardText.details(of: verdict)),
                got: verdict.faults.map(\.kind.rawValue).joined(separator: " "), sequence: sequence)
        }
    }

    private static func isGranted(_ verdict: GuardVerdict, _ request: Int?, granted: Set<FactName>) -> Bool {
        granted.contains(.guarding(guardName: nil, .faults))
            || granted.contains(.guarding(guardName: verdict.guardName, .faults))
            || request.map { granted.contains(.wire(index: $0, .guardFaults)) } ?? false
    }

    private static func sentence(_ verdict: GuardVerdict, _ request: Int?, record: WireRecord) -> String {
        let owner = request.map { "request \($0), \(record.requests[$0].symbol.argument ?? ""): " } ?? ""
        return EventText.printable(owner, limit: 500) + GuardText.sentence(verdict)
    }
}

extension Finding {
    /// The first thing that was wrong with a refused credential, in a sentence; nil for any other finding.
    var faultSentence: String? {
        guard case .credential(let verdict) = subject else { return nil }
        return GuardText.details(of: verdict).first
    }
}

extension WireGrader {
    /// Judges a whole journal of a run that was set no case, by what is asked of every run: no request that nothing expects,
    /// none that can't be read, no repeating without end.
    ///
    /// `observed` where nothing is wrong and the scenario has no case to judge by; `notJudged` where it has some.
    public static func gradeWithoutCase(
        _ entries: [JournalEntry], droppedCount: Int = 0, of scenario: Scenario
    ) -> WireVerdict {
        let bounds = boundFindings(in: entries)
        // What is missing is more of the same.
        if droppedCount > 0, !bounds.isEmpty { return WireVerdict(outcome: .fail, findings: bounds) }
        if let fault = WireRecord.fault(in: entries, droppedCount: droppedCount) {
            return WireVerdict(outcome: .setupFailed(fault))
        }
        let record = WireRecord(entries)
        let nothing = Case(
            name: "", kind: .must, summary: nil, spec: [], client: [], wire: nil, lanes: [:], ambient: [:], facts: [],
            contraryOrigins: scenario.cases.flatMap(\.contraryOrigins), location: scenario.location)
        let findings = WireGrader(nothing).findings(in: record, client: nil).findings
        guard !findings.contains(where: { $0.weight == .failure }) else {
            return WireVerdict(outcome: .fail, findings: findings)
        }
        return WireVerdict(outcome: scenario.cases.isEmpty ? .observed : .notJudged, findings: findings)
    }
}
