package import ProctorBase
import ProctorEvents
import ProctorHTTP
package import ProctorJournal
import ProctorNotation
import ProctorProgram
package import ProctorScenario

/// Grades a client's requests by its case; a pure function of the journal.
package struct WireGrader: Sendable {
    let item: Case
    private let context: TemplateContext?

    /// `context` has the values of late-bound text in facts; without it such facts are undecided.
    package init(_ case: Case, context: TemplateContext? = nil) {
        item = `case`
        self.context = context
    }

    /// Grades the whole journal of a run that served only this case.
    ///
    /// `droppedCount` is the number of entries that did not fit into the journal; when entries are missing, the only
    /// verdict is a failure for a client that reached a bound of its run.
    ///
    /// `result` is the end of a command without a trace; nil means that there is none.
    package func grade(
        _ entries: [JournalEntry], droppedCount: Int = 0, result: CommandResult? = nil,
        within budget: WorkBudget = WorkBudget(stepLimit: CaseGrader.stepLimit)
    ) -> WireVerdict {
        var evidence = CaseEvidence.ofCommand(entries, result: result)
        evidence.droppedCount = droppedCount
        // Nobody declares abilities here: who runs a client against a case says that the client can do it. Standards
        // beside the RFCs stay, and what can't be reported stays undecided.
        var item = item
        item.needs.formIntersection(Ability.ofStandards)
        var verdict = WireVerdict(
            CaseGrader(item, scenario: "", context: context).grade(evidence, within: budget), of: item)
        verdict.lacksResult = result == nil
        return verdict
    }

    /// The findings about the wire and the facts, those of the client included; without a journal only about the
    /// client.
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
            findings += mistakeFindings(record)
            findings += alwaysAsked(record)
            findings += opaqueFindings(record)
            findings += gatheredFindings(record)
            findings += Self.boundFindings(in: record)
        }
        return (findings, undecidedFacts)
    }

    /// Remarks that may explain failures; they fail nothing by themselves.
    func notes(in record: WireRecord, beside findings: [Finding]) -> [Finding] {
        guard findings.contains(where: { $0.weight == .failure }) else { return [] }
        let failed = Set(
            findings.compactMap { finding -> FactName? in
                if case .fact(let name) = finding.subject { name } else { nil }
            })
        // A departure that the case asks for by a fact which held explains nothing.
        let granted = Set(item.facts.map(\.name)).subtracting(failed)
        return refusals(in: record, granted: granted) + cookieNotes(record, granted: granted)
    }

    /// A failure for each bound of the run that the client reached, each refused change of its state, each reply that
    /// could not be made, and each message that is not as the scenario's description says.
    static func boundFindings(in record: WireRecord) -> [Finding] {
        func findings<Note>(
            _ seen: [Seen<Note>], _ subject: (Note) -> Finding.Subject, _ sentence: KeyPath<Note, String>
        ) -> [Finding] {
            seen.map {
                Finding(subject: subject($0.note), sentence: $0.note[keyPath: sentence], sequence: $0.sequence)
            }
        }
        return findings(record.bounds, Finding.Subject.bound, \.sentence)
            + findings(record.stateRefusals, Finding.Subject.state, \.sentence)
            + findings(record.failedReplies, Finding.Subject.reply, \.sentence)
            + findings(record.descriptions, Finding.Subject.description, \.sentence)
            + findings(record.webhooks, Finding.Subject.webhook, \.sentence)
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
            request: record.exchanges.first { $0.sequence == sequence }?.reference,
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
                var finding = Finding(
                    subject: .fact(fact.name), sentence: "\(fact.name.text): wanted \(wanted), got \(got)",
                    wanted: wanted, got: got, sequence: sequence, location: fact.location, mismatch: mismatch)
                if case .kind(let kind) = mismatch {
                    finding.fault = check.record?.listedFault(named: kind, in: fact.name)
                }
                findings.append(finding)
            }
        }
        return (findings, undecided)
    }

    /// A failure for each request that an exchange answered which catches a mistake.
    private func mistakeFindings(_ record: WireRecord) -> [Finding] {
        guard !item.mistakes.isEmpty else { return [] }
        return record.exchanges.compactMap { exchange in
            guard let chosen = exchange.chosen, let mistake = item.mistakes[chosen.exchange] else { return nil }
            let mistakeText = EventText.printable(mistake, limit: 1_000)
            return Finding(
                subject: .caught(mistakeText),
                sentence: "request \(exchange.number), \(exchange.shown), which exchange \(chosen.exchange) caught: "
                    + mistakeText,
                sequence: chosen.sequence, request: exchange.reference, location: item.location)
        }
    }

    /// Findings for misses and violations, in the order of arrival.
    private func alwaysAsked(_ record: WireRecord) -> [Finding] {
        // The requests and connections about whose violations the case has a fact.
        var requests: Set<Int> = []
        var connections: Set<Int> = []
        for fact in item.facts where record.group(of: fact.name)?.isThere != false {
            switch fact.name {
            case .wire(let index, "violations"): requests.insert(index)
            case .grouped(let group, let index?, "violations"):
                if let place = record.gatherer(of: group)?.place(at: index) { connections.insert(place) }
            default: break
            }
        }
        func isAsked(_ request: Int?) -> Bool { request.map(requests.contains) ?? false }
        let findings =
            record.misses.compactMap { missFinding($0, in: record) }
            + record.violations.filter { !isAsked($0.request) }.map { violationFinding($0, in: record) }
            + record.frameViolations.filter { seen in
                !isAsked(seen.request) && !(seen.connection.map(connections.contains) ?? false)
            }.map { violationFinding($0, in: record) }
        return findings.sorted { ($0.sequence ?? 0) < ($1.sequence ?? 0) }
    }

    /// The finding for a miss; nil for what a client requests by itself.
    private func missFinding(_ seen: Seen<Miss>, in record: WireRecord) -> Finding? {
        let exchange = seen.request.map { record.exchanges[$0] }
        guard exchange?.head.isOfClientItself != true else { return nil }
        let name = exchange.map { "request \($0.number), \($0.name)," } ?? "a request"
        let nearest = seen.note.nearestExchange.map { "; nearest is exchange \($0)" } ?? ""
        let differences = seen.note.differences.isEmpty ? "" : ": " + seen.note.differences.joined(separator: "; ")
        return Finding(
            subject: .miss(seen.note), sentence: "\(name) matches no exchange\(nearest)\(differences)",
            wanted: exchange.flatMap { exchange in
                record.hasCome(seen.note.nearestExchange, before: exchange)
                    ? nil : MissWords.wanted(of: seen.note, insteadOf: exchange.name)
            }, sequence: seen.sequence, request: exchange?.reference)
    }

    func violationFinding(_ seen: Seen<Violation>, in record: WireRecord) -> Finding {
        let connection = seen.connection.map { record.connections[$0] }
        let owner = seen.request.map { "request \($0)" } ?? "connection \(connection?.number ?? 0)"
        return Finding(
            subject: .violation(seen.note),
            weight: weight(of: seen.note, connection, request: seen.request.map { record.exchanges[$0] }),
            sentence: "\(owner): \(seen.note)", got: seen.note.kind.rawValue, sequence: seen.sequence,
            request: record.reference(seen.request))
    }

    private func violationFinding(_ seen: Seen<FrameViolationNote>, in record: WireRecord) -> Finding {
        let connection = "connection \(seen.connection.map { record.connections[$0].number } ?? 0)"
        let owner = seen.request.map { "request \($0)" } ?? connection + FrameText.place(seen.note.stream)
        return Finding(
            subject: .frameViolation(seen.note), weight: weight(of: seen.note),
            sentence: "\(owner): \(FrameText.text(seen.note.description, limit: 1_000))",
            got: FrameText.text(seen.note.kind), sequence: seen.sequence, request: record.reference(seen.request))
    }

    /// Findings for bytes that a script expected after a reply and did not get.
    private func opaqueFindings(_ record: WireRecord) -> [Finding] {
        record.expectations.filter { $0.note.outcome != .met }.map { seen in
            let owner = seen.request.map { "request \($0), \(record.exchanges[$0].name)" } ?? "a connection"
            let (wanted, got) = (ReceivedText.wanted(seen.note), ReceivedText.got(seen.note))
            return Finding(
                subject: .opaque(seen.note), sentence: "\(owner): behind the reply wanted \(wanted), got \(got)",
                wanted: wanted, got: got, sequence: seen.sequence, request: record.reference(seen.request))
        }
    }

    /// What modules above found wrong on their wires, beside what the case has a fact about.
    private func gatheredFindings(_ record: WireRecord) -> [Finding] {
        record.gatherers.flatMap { $0.unaskedDepartures(item.facts, in: record) }.map { departure in
            let owner = departure.request.map { "request \($0), \(record.exchanges[$0].name)" } ?? "a connection"
            return Finding(
                subject: .gathered(departure),
                sentence: "\(owner): \(EventText.printable(departure.sentence, limit: 1_000))",
                wanted: departure.wanted, got: departure.got, sequence: departure.sequence,
                request: record.reference(departure.request))
        }
    }

    private func weight(
        of violation: Violation, _ connection: SeenConnection?, request: SeenExchange?
    ) -> Finding.Weight {
        // RFC 9112 §9.6 says MUST NOT, although a server can ignore such bytes; no exchange answers them.
        if violation.kind == .requestAfterClose || violation.kind == .hostOfAnotherOrigin { return .failure }
        // Bytes after a complete request are a failure unless the program may make the client leave within the next
        // head.
        if violation.kind == .incompleteHead, connection?.requests.isEmpty == false, !item.letsClientLeave {
            return .failure
        }
        if violation.kind.isCutContent, let connection, let request, request.owesContent(on: connection),
            !item.letsClientLeave
        {
            return .failure
        }
        // A failure also where the origin accepted it: the specification leaves the client no choice.
        if let departure = Departure(violation.kind), item.untolerated.contains(departure) { return .failure }
        guard violation.kind.isFatal(in: .request), !violation.kind.isDeparture else { return .observation }
        // The client used the protocol of the URL's scheme, but the origin speaks another one.
        let isOfScheme = violation.kind == .tlsHandshake || violation.kind == .plainHTTP
        return isOfScheme && connection?.origin.map(item.contraryOrigins.contains) ?? false ? .observation : .failure
    }

    private func weight(of violation: FrameViolationNote) -> Finding.Weight {
        let isUntolerated = Departure(frameViolation: violation.kind).map(item.untolerated.contains) ?? false
        return violation.isFailure || isUntolerated ? .failure : .observation
    }
}

extension FrameViolationNote {
    /// Whether the specification leaves the client no choice: it requires the server to end a stream or the connection.
    ///
    /// SETTINGS_MAX_HEADER_LIST_SIZE is only advisory (RFC 9113 §10.5.1).
    fileprivate var isFailure: Bool { scope != .none && section != "RFC 9113 §10.5.1" }
}

extension Case {
    /// Whether the program, or a time limit, makes the client end a load or its session.
    fileprivate var letsClientLeave: Bool {
        client.contains { step in
            step.step.canEndLoad || step.session?.setup.canEndLoad == true || step.session?.end != nil
                || step.onResponse != .allow || step.bodyFailsAt != nil || step.bodyLength != nil
                || step.protocolScript != nil || step.onBodyStream != .fresh
                || step.onRedirect.contains { if case .cancel = $0 { true } else { false } }
                || step.onChallenge.contains { $0 == .cancel || $0 == .cancelTask || $0 == .reject }
        }
    }
}

extension WireGrader {
    /// Why credentials were refused, without refusals that the case wants.
    private func refusals(in record: WireRecord, granted: Set<FactName>) -> [Finding] {
        record.verdicts.compactMap { seen in
            let verdict = seen.note
            let isGranted =
                granted.contains(.guarding(guardName: nil, "faults"))
                || granted.contains(.guarding(guardName: verdict.guardName, "faults"))
                || seen.request.map { granted.contains(.wire(index: $0, "auth.faults")) } ?? false
            guard verdict.isRefusal, !isGranted else { return nil }
            let owner = seen.request.map { "request \($0), \(record.exchanges[$0].name): " } ?? ""
            return Finding(
                subject: .credential(verdict), weight: .observation,
                sentence: EventText.printable(owner, limit: 500) + GuardText.sentence(verdict),
                details: LabelledText.lines("fault", GuardText.details(of: verdict)),
                got: verdict.faults.map(\.kind.rawValue).joined(separator: " "), sequence: seen.sequence,
                request: record.reference(seen.request))
        }
    }
}

extension WireGrader {
    /// Grades the whole journal of a run without a case, by the rules for every run.
    ///
    /// No request without an exchange, no unreadable request, no endless repetition; in a scenario without cases, each
    /// exchange must be used. `observed` when nothing is wrong and the scenario has no case; `notJudged` when it has
    /// cases.
    package static func gradeWithoutCase(
        _ entries: [JournalEntry], droppedCount: Int = 0, of scenario: Scenario, context: TemplateContext? = nil,
        within budget: WorkBudget = WorkBudget(stepLimit: CaseGrader.stepLimit)
    ) -> WireVerdict {
        let record = WireRecord(entries)
        let bounds = boundFindings(in: record).sorted { ($0.sequence ?? 0) < ($1.sequence ?? 0) }
        // The dropped entries are further repetitions.
        if droppedCount > 0, let first = bounds.first {
            return WireVerdict(outcome: .fail, sentence: first.sentence, findings: bounds)
        }
        if let fault = record.fault(droppedCount: droppedCount) { return WireVerdict(outcome: .setupFailed(fault)) }
        var nothing = Case(
            name: "", kind: .must, summary: nil, spec: [], client: [], wire: nil, lanes: [:], ambient: [:], facts: [],
            untolerated: scenario.untolerated, contraryOrigins: scenario.cases.flatMap(\.contraryOrigins),
            location: scenario.location)
        nothing.mistakes = scenario.exchanges.mistakes(inCase: nil)
        nothing.exchangePlaces = scenario.exchangePlaces
        var findings: [Finding]
        do throws(SpentBudget) {
            try budget.spend(entries.count)
            findings = try WireGrader(nothing).findings(in: record, client: nil, within: budget).findings
        } catch {
            return WireVerdict(outcome: .setupFailed("judging was not finished: \(error)"))
        }
        let sentences = PlainSentences(nothing, record: record, base: context?.base)
        sentences.addPlainWords(to: &findings)
        let isFailed = findings.contains { $0.weight == .failure }
        let outcome: WireVerdict.Outcome = isFailed ? .fail : scenario.cases.isEmpty ? .observed : .notJudged
        var verdict = WireVerdict(outcome: outcome, sentence: sentences.first(of: findings), findings: findings)
        verdict.noConnection = sentences.noConnection
        return verdict.naming(UnaskedExchanges(of: scenario, in: entries))
    }
}

extension WireRecord {
    /// The request as findings name it; nil for nil.
    func reference(_ request: Int?) -> Finding.Request? { request.map { exchanges[$0].reference } }
}

extension SeenExchange {
    /// The request as findings name it.
    var reference: Finding.Request { Finding.Request(number: number, name: name) }
}
