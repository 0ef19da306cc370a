package import ProctorBase
import ProctorEvents
import ProctorHTTP
package import ProctorJournal
import ProctorNotation
import ProctorProgram
package import ProctorScenario

/// Judges a client's requests by its case; pure, and the same for every run of the same journal.
package struct WireGrader: Sendable {
    let item: Case
    private let context: TemplateContext?

    /// `context` has the values of late-bound text in facts; without it such facts are undecided.
    package init(_ case: Case, context: TemplateContext? = nil) {
        item = `case`
        self.context = context
    }

    /// Judges a whole journal of one run that served this case alone.
    ///
    /// `droppedCount` is the number of entries that the journal had no room for; where entries are missing, the only
    /// verdict is a failure for a client that reached a bound of its run.
    ///
    /// `result` is the end of a command without a trace; nil means that there is none.
    package func grade(
        _ entries: [JournalEntry], droppedCount: Int = 0, result: CommandResult? = nil,
        within budget: WorkBudget = WorkBudget(stepLimit: CaseGrader.stepLimit)
    ) -> WireVerdict {
        var evidence = CaseEvidence.ofCommand(entries, result: result)
        evidence.droppedCount = droppedCount
        return WireVerdict(CaseGrader(item, scenario: "", context: context).grade(evidence, within: budget), of: item)
    }

    /// The findings of the wire, and of facts also the client's; without a journal only the client's.
    ///
    /// Each fact that could not be decided has a reason, half a sentence.
    func findings(
        in record: WireRecord?, client: ClientRecord?, namesErrors: Bool = true, within budget: WorkBudget
    ) throws(SpentBudget) -> (findings: [Finding], undecidedFacts: [(name: FactName, reason: String)]) {
        var findings: [Finding] = []
        if let record, let finding = try expressionFinding(record, within: budget) { findings.append(finding) }
        let (factFindings, undecidedFacts) = factFindings(
            FactCheck(
                record: record, client: client, context: context, namesErrors: namesErrors,
                untolerated: item.untolerated))
        findings += factFindings
        if let record {
            findings += cookieFindings(record)
            findings += departureFindings(record)
            findings += alwaysAsked(record)
            findings += opaqueFindings(record)
            findings += record.bounds.map { Self.finding($0.bound, at: $0.sequence) }
            findings += record.stateRefusals.map { Self.finding($0.refusal, at: $0.sequence) }
            findings += record.failedReplies.map { Self.finding($0.failure, at: $0.sequence) }
        }
        return (findings, undecidedFacts)
    }

    /// Notes that may explain failures; they fail nothing by themselves.
    func notes(in record: WireRecord, beside findings: [Finding]) -> [Finding] {
        guard findings.contains(where: { $0.weight == .failure }) else { return [] }
        let failed = Set(
            findings.compactMap { finding -> FactName? in
                if case .fact(let name) = finding.subject { name } else { nil }
            })
        // A fact that the case asks for and that held explains nothing.
        let granted = Set(item.facts.map(\.name)).subtracting(failed)
        return refusals(in: record, granted: granted) + cookieNotes(record, granted: granted)
    }

    /// The bounds of the run that the client reached, the changes of its state that were refused, and the
    /// replies that could not be made; each is a failure.
    static func boundFindings(in entries: [JournalEntry]) -> [Finding] {
        entries.compactMap { entry in
            switch entry.event {
            case .boundReached(let bound): finding(bound, at: entry.sequence)
            case .stateRefused(let refusal): finding(refusal, at: entry.sequence)
            case .replyFailed(let failure): finding(failure, at: entry.sequence)
            default: nil
            }
        }
    }

    private static func finding(_ failure: FailedReply, at sequence: UInt64) -> Finding {
        Finding(subject: .reply(failure), sentence: failure.sentence, sequence: sequence)
    }

    private static func finding(_ refusal: StateRefusal, at sequence: UInt64) -> Finding {
        Finding(subject: .state(refusal), sentence: refusal.sentence, sequence: sequence)
    }

    private static func finding(_ bound: ReachedBound, at sequence: UInt64) -> Finding {
        Finding(subject: .bound(bound), sentence: bound.sentence, sequence: sequence)
    }

    private func expressionFinding(_ record: WireRecord, within budget: WorkBudget) throws(SpentBudget) -> Finding? {
        guard let wire = item.wire else { return nil }
        let ambient = item.ambient["wire"]
        let events = record.symbols(named: wire.eventNames.union(ambient?.eventNames ?? []))
        let symbols = events.map(\.symbol)
        let diagnosis = try wire.diagnosis(of: symbols, ambient: ambient, terminals: [], within: budget)
        guard let diagnosis else { return nil }
        let isRefused = diagnosis.got != nil && events.indices.contains(diagnosis.position - 1)
        let sequence = isRefused ? events[diagnosis.position - 1].sequence : nil
        let failed = diagnosis.got == nil ? record.failedHandshakes.map { LabelledText.lines("tls", [$0]) } ?? [] : []
        let lines = diagnosis.lines()
        return Finding(
            subject: .expression(diagnosis), sentence: "wire: \(diagnosis.sentence)",
            details: lines + failed, notationLineCount: lines.count, wanted: wire.text,
            got: symbols.map(\.description).joined(separator: " "),
            sequence: sequence,
            request: record.requests.firstIndex { $0.sequence == sequence }.map { record.request($0) },
            location: item.location)
    }

    private func factFindings(_ check: FactCheck) -> ([Finding], undecided: [(name: FactName, reason: String)]) {
        var findings: [Finding] = []
        var undecided: [(name: FactName, reason: String)] = []
        for fact in item.facts {
            switch check.check(fact) {
            case .holds: break
            case .undecided(let reason): undecided.append((fact.name, reason))
            case .fails(let wanted, let got, let sequence, let mismatch):
                findings.append(
                    Finding(
                        subject: .fact(fact.name), sentence: "\(fact.name.text): wanted \(wanted), got \(got)",
                        wanted: wanted, got: got, sequence: sequence, location: fact.location, mismatch: mismatch))
            }
        }
        return (findings, undecided)
    }

    /// Misses and violations, in the order in which they came.
    private func alwaysAsked(_ record: WireRecord) -> [Finding] {
        let misses = record.misses.filter { miss in
            // A browser asks for it by itself.
            miss.request.map { !record.requests[$0].head.isForFavicon } ?? true
        }.map { sequence, request, miss in
            let name = request.map { "request \($0), \(record.requests[$0].symbol.argument ?? "")," } ?? "a request"
            let nearest = miss.nearestExchange.map { "; nearest is exchange \($0)" } ?? ""
            let differences = miss.differences.isEmpty ? "" : ": " + miss.differences.joined(separator: "; ")
            return Finding(
                subject: .miss(miss), sentence: "\(name) matches no exchange\(nearest)\(differences)",
                sequence: sequence, request: request.map { record.request($0) })
        }
        let graded = Set(
            item.facts.compactMap { fact -> Int? in
                guard case .wire(let index, .violations) = fact.name else { return nil }
                return index
            })
        let violations = record.violations.compactMap { sequence, request, connection, violation -> Finding? in
            // The case itself has a fact about it.
            if let request, graded.contains(request) { return nil }
            let owner = request.map { "request \($0)" } ?? "connection \(record.connections[connection].number)"
            return Finding(
                subject: .violation(violation), weight: weight(of: violation, record.connections[connection]),
                sentence: "\(owner): \(violation)", got: violation.kind.rawValue, sequence: sequence,
                request: request.map { record.request($0) })
        }
        let spoken = record.http2Connections
        let gradedConnections = Set(
            item.facts.compactMap { fact -> Int? in
                guard case .http2(let index, .violations) = fact.name, spoken.indices.contains(index) else {
                    return nil
                }
                return spoken[index]
            })
        let frameViolations = record.frameViolations.compactMap { seen -> Finding? in
            if let request = seen.request, graded.contains(request) { return nil }
            if gradedConnections.contains(seen.connection) { return nil }
            let connection = "connection \(record.connections[seen.connection].number)"
            let owner = seen.request.map { "request \($0)" } ?? connection + FrameText.place(seen.violation.stream)
            return Finding(
                subject: .frameViolation(seen.violation), weight: weight(of: seen.violation),
                sentence: "\(owner): \(FrameText.text(seen.violation.description, limit: 1_000))",
                got: FrameText.text(seen.violation.kind), sequence: seen.sequence)
        }
        return (misses + violations + frameViolations).sorted { ($0.sequence ?? 0) < ($1.sequence ?? 0) }
    }

    /// Bytes that a script expected behind a reply and did not get.
    private func opaqueFindings(_ record: WireRecord) -> [Finding] {
        record.expectations.filter { $0.expected.outcome != .met }.map { sequence, request, expected in
            let owner = request.map { "request \($0), \(record.requests[$0].symbol.argument ?? "")" } ?? "a connection"
            let (wanted, got) = (ReceivedText.wanted(expected), ReceivedText.got(expected))
            return Finding(
                subject: .opaque(expected), sentence: "\(owner): behind the reply wanted \(wanted), got \(got)",
                wanted: wanted, got: got, sequence: sequence)
        }
    }

    private func weight(of violation: Violation, _ connection: WireRecord.SeenConnection) -> Finding.Weight {
        // Such bytes can be ignored, but RFC 9112 §9.6 says MUST NOT, and no exchange answers them.
        if violation.kind == .requestAfterClose { return .failure }
        // Bytes behind a whole request, where the program does not make the client leave within the next head.
        if violation.kind == .incompleteHead, !connection.requests.isEmpty, !item.letsClientLeave { return .failure }
        // A failure also where the origin accepted it: the specification leaves the client no choice.
        if let departure = Departure(violation.kind), item.untolerated.contains(departure) { return .failure }
        guard violation.kind.isFatal(in: .request), !violation.kind.isDeparture else { return .observation }
        let origin = connection.origin
        switch violation.kind {
        // The client used the protocol of the URL's scheme, and the origin uses another.
        case .tlsHandshake, .plainHTTP:
            return origin.map(item.contraryOrigins.contains) ?? false ? .observation : .failure
        default: return .failure
        }
    }
}

extension WireGrader {
    private func weight(of violation: FrameViolationNote) -> Finding.Weight {
        let isUntolerated = Departure(frameViolation: violation.kind).map(item.untolerated.contains) ?? false
        return violation.isFailure || isUntolerated ? .failure : .observation
    }
}

extension FrameViolationNote {
    /// Whether the specification leaves the client no choice, as it says by what a server must end for it.
    ///
    /// SETTINGS_MAX_HEADER_LIST_SIZE only advises (RFC 9113 §10.5.1).
    fileprivate var isFailure: Bool { scope != .none && section != "RFC 9113 §10.5.1" }
}

extension Case {
    /// Whether the program makes the client end a load or its session by itself, or at a time limit.
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
    /// Why credentials were refused, without refusals that the case asks for.
    private func refusals(in record: WireRecord, granted: Set<FactName>) -> [Finding] {
        record.verdicts.compactMap { sequence, request, verdict in
            guard verdict.isRefusal, !Self.isGranted(verdict, request, granted: granted) else { return nil }
            return Finding(
                subject: .credential(verdict), weight: .observation,
                sentence: Self.sentence(verdict, request, record: record),
                details: LabelledText.lines("fault", GuardText.details(of: verdict)),
                got: verdict.faults.map(\.kind.rawValue).joined(separator: " "), sequence: sequence,
                request: request.map { record.request($0) })
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
    /// The first fault of a refused credential, in a sentence; nil for any other finding.
    var faultSentence: String? {
        guard case .credential(let verdict) = subject else { return nil }
        return GuardText.details(of: verdict).first
    }
}

extension WireGrader {
    /// Judges a whole journal of a run without a case by what applies to every run: no request without an exchange, no
    /// unreadable request, no endless repetition; of a scenario that has no case, each exchange is asked for.
    ///
    /// `observed` where nothing is wrong and the scenario has no case; `notJudged` where it has some.
    package static func gradeWithoutCase(
        _ entries: [JournalEntry], droppedCount: Int = 0, of scenario: Scenario, context: TemplateContext? = nil,
        within budget: WorkBudget = WorkBudget(stepLimit: CaseGrader.stepLimit)
    ) -> WireVerdict {
        let bounds = boundFindings(in: entries)
        // Dropped entries are more repetitions.
        if droppedCount > 0, let first = bounds.first {
            return WireVerdict(outcome: .fail, sentence: first.sentence, findings: bounds)
        }
        if let fault = WireRecord.fault(in: entries, droppedCount: droppedCount) {
            return WireVerdict(outcome: .setupFailed(fault))
        }
        let record = WireRecord(entries)
        let nothing = Case(
            name: "", kind: .must, summary: nil, spec: [], client: [], wire: nil, lanes: [:], ambient: [:], facts: [],
            untolerated: scenario.untolerated, contraryOrigins: scenario.cases.flatMap(\.contraryOrigins),
            location: scenario.location)
        var findings: [Finding]
        do throws(SpentBudget) {
            try budget.spend(entries.count)
            findings = try WireGrader(nothing).findings(in: record, client: nil, within: budget).findings
        } catch {
            return WireVerdict(outcome: .setupFailed("judging was not finished: \(error)"))
        }
        let sentences = PlainSentences(nothing, record: record, base: context?.base)
        for index in findings.indices { findings[index].plain = sentences.plain(findings[index]) }
        let isFailed = findings.contains { $0.weight == .failure }
        let outcome: WireVerdict.Outcome = isFailed ? .fail : scenario.cases.isEmpty ? .observed : .notJudged
        // Each case may ask for some exchanges alone.
        var verdict = WireVerdict(outcome: outcome, sentence: sentences.first(of: findings), findings: findings)
        verdict.noConnection = sentences.noConnection
        return verdict.naming(
            UnaskedExchanges(of: scenario, in: entries), elsewhere: scenario.cases.isEmpty ? .failure : .observation)
    }
}

extension WireRecord {
    /// As findings name it.
    func request(_ number: Int) -> Finding.Request {
        Finding.Request(number: number, name: requests[number].symbol.argument ?? "")
    }
}

extension RequestHead {
    /// Whether a browser asks by itself, for the icon of a page.
    fileprivate var isForFavicon: Bool { path.map { $0.elementsEqual("/favicon.ico".utf8) } ?? false }
}
