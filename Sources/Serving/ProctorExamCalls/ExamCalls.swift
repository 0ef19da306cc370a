internal import ProctorBase
internal import ProctorDocument
internal import ProctorEvents
internal import ProctorGrading
internal import ProctorJournal
import ProctorProgram
import ProctorReplies
import ProctorScenario
import ProctorServer

/// Calls about exams whose cases are set by tests (Docs/use/exam-in-tests.md).
struct ExamCalls: Sendable {
    let api: ControlAPI
    let exams: Locked<ServedExams>

    private static let patternLimit = 10_000

    /// Begins an exam; one of that name with the same body goes on, so that several processes can share it.
    func beginExam(_ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        let isName =
            1...100 ~= request.id.utf8.count
            && request.id.utf8.allSatisfy { byte in
                byte.isASCIILetter || byte.isASCIIDigit || "-._".utf8.contains(byte)
            }
        guard isName else { throw .badRequest("an exam's name has 1 to 100 letters, digits, '-', '.' and '_'") }
        if let exam = exams.withLock({ $0[request.id] }), exam.body == request.body { return Self.described(exam) }
        let members = try request.members(allowed: [
            "cases", "client", "version", "abilities", "moments", "facts", "protocol", "ledger",
        ])
        let patterns = try Self.texts(members["cases"], of: "cases", limit: Self.patternLimit)
        guard !patterns.isEmpty else {
            throw .badRequest(
                "'cases' is a list with at least one of family/, family/scenario, family/scenario#case and '*'")
        }
        let terms = try await Self.terms(members)
        let selection = try await selection(patterns)
        let exam = ServedExam(terms, selection, body: request.body)
        let kept = exams.withLock { exams in
            // Another process may have begun the same exam meanwhile.
            if let other = exams[request.id], other.body == request.body { return other }
            exams.replace(request.id, by: exam)
            return exam
        }
        return Self.described(kept)
    }

    private static func terms(_ members: [String: Node]) async throws(ControlError) -> ExamTerms {
        func text(_ name: String) throws(ControlError) -> String? {
            guard let node = members[name] else { return nil }
            guard let text = node.text, !text.isEmpty else {
                throw .badRequest("'\(name)' is a text, found \(node.found)")
            }
            return text
        }
        var terms = ExamTerms(client: try text("client") ?? "client", version: try text("version"))
        for word in try texts(members["abilities"], of: "abilities", limit: 100) {
            guard let ability = Ability(rawValue: word) else {
                let hint = NearestName.find(word, in: Ability.allCases.map(\.rawValue)).map { "did you mean '\($0)'?" }
                throw .badRequest(
                    "there is no ability '\(EscapedText.escape(word.utf8, limit: 60))'; \(hint ?? "Docs/clients/abilities.md lists them")"
                )
            }
            terms.abilities.insert(ability)
        }
        if let node = members["moments"] { terms.moments = Set(try texts(node, of: "moments", limit: 100)) }
        if let node = members["facts"] { terms.facts = try texts(node, of: "facts", limit: 100) }
        if let node = members["protocol"] {
            terms.wantedProtocol = try ControlAPI.protocol(node.text, found: node.found)
        }
        if let ledger = try text("ledger") {
            terms.ledger = try await WorkThreads.reading.attempt(within: .ofInput) { _ throws(ControlError) in
                let (model, diagnostics) = Ledger.parse(Array(ledger.utf8), file: "ledger")
                if let model, diagnostics.isEmpty { return (ledger, model) }
                throw ControlError(
                    400, "broken-ledger", message: diagnostics.map(\.description).joined(separator: "\n"))
            }
        }
        return terms
    }

    private static func texts(_ node: Node?, of name: String, limit: Int) throws(ControlError) -> [String] {
        guard let node else { return [] }
        guard let items = node.items, items.count <= limit else {
            throw .badRequest("'\(name)' is a list of at most \(limit) texts, found \(node.found)")
        }
        return try items.map { item throws(ControlError) in
            guard let text = item.text else { throw .badRequest("'\(name)' has texts, found \(item.found)") }
            return text
        }
    }

    /// Reads the scenarios that the patterns may mean, and chooses their cases.
    private func selection(_ patterns: [String]) async throws(ControlError) -> CaseSelection {
        let catalogue = api.catalogue
        let prefixes = patterns.map { String($0.prefix { !"*?#".contains($0) }) }
        let isNamed = { (id: String) in prefixes.contains { id.hasPrefix($0) } }
        var scenarios: [Scenario] = []
        for prefix in Set(prefixes) where !prefixes.contains(where: { $0 != prefix && prefix.hasPrefix($0) }) {
            scenarios += try await api.scenarios(below: prefix)
        }
        if let broken = catalogue.broken.first(where: { isNamed($0.id) }) {
            throw ControlError(broken.id, broken.failure)
        }
        scenarios += api.addedScenarios.filter { isNamed($0.id) }
        do throws(CaseSelection.Failure) {
            return try CaseSelection(patterns, among: scenarios.sorted { $0.id < $1.id })
        } catch {
            // The nearest name may stand elsewhere.
            let name = String(error.pattern.prefix { $0 != "#" })
            let hint = scenarios.isEmpty ? catalogue.nearestID(to: name).map { "; did you mean '\($0)'?" } : nil
            throw ControlError(404, "unknown-case", message: error.description + (hint ?? ""))
        }
    }

    private static func described(_ exam: ServedExam) -> BuiltInReply {
        .object { json in
            json.member("client", exam.terms.client)
            json.objects("cases", of: exam.cases) { json, entry in
                json.member("case", "\(entry.scenario.id)#\(entry.item.name)")
                json.member("kind", entry.item.kind.rawValue)
                guard let refusal = exam.terms.refusal(of: entry.item, in: entry.scenario) else { return }
                json.member("outcome", refusal.outcome.word)
                json.member("reason", refusal.reason)
            }
        }
    }

    private func exam(_ request: ControlRequest) throws(ControlError) -> ServedExam {
        guard let exam = exams.withLock({ $0[request.id] }) else {
            throw ControlError(
                404, "unknown-exam",
                message: "there is no exam '\(request.id)'; PUT begins one, and \(ServedExams.limit) are kept")
        }
        return exam
    }

    /// Opens a run of a case, or of a control, and gives its assignment.
    func sit(_ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        let exam = try exam(request)
        if let control = try control(request) {
            guard let scenario = control.scenario(in: api.catalogue.scenario), let item = scenario.cases.first else {
                throw Self.unknown(control.name)
            }
            let run = try await api.startSitting(speaking: exam.terms.spokenProtocol) { CompiledScenario(scenario) }
            return try await assignment(of: item, in: run, knownIn: nil)
        }
        let name = request.query["case"] ?? ""
        guard let entry = exam.entry(named: name) else {
            throw ControlError(404, "unknown-case", message: "the exam has no case '\(name)'")
        }
        let scenario = entry.scenario
        let run = try await api.startSitting(speaking: exam.terms.spokenProtocol) { [api] in
            try await api.compiled(scenario.id) ?? CompiledScenario(scenario)
        }
        run.setLedger(exam.terms.ledger?.ledger)
        return try await assignment(of: entry.item, in: run, knownIn: exam.terms.ledger?.ledger)
    }

    /// The control that the query names; nil: it names none.
    private func control(_ request: ControlRequest) throws(ControlError) -> ExamControl? {
        guard let name = request.query["control"] else { return nil }
        if let control = ExamControl(named: name) { return control }
        throw Self.unknown(name)
    }

    private static func unknown(_ control: String) -> ControlError {
        ControlError(
            404, "unknown-case", message: "there is no control '\(EscapedText.escape(control.utf8, limit: 60))'")
    }

    private func assignment(
        of item: Case, in run: Run, knownIn ledger: Ledger?
    ) async throws(ControlError) -> BuiltInReply {
        do throws(AssignmentFailure) {
            var assignment = try run.assignment(for: item)
            let id = CaseID(scenario: run.scenario.id, name: item.name)
            assignment.deadline = await CaseTimes.deadline(assignment.deadline, of: id, knownIn: ledger)
            let text = assignment.json
            return .object(status: 201) { json in
                json.member("run", run.id)
                json.key("assignment")
                json.value(complete: text)
            }
        } catch {
            await run.stop()
            throw ControlError(409, "no-assignment", message: error.description)
        }
    }

    /// Judges what the client did in a run of ``sit(_:)``, and ends the run.
    ///
    /// The body has the results of the steps (``GivenResults``), or a whole trace. A pass that rests on controls which were not
    /// asked yet is none: the answer names them, and the same call judges again when they were asked.
    func judgeSitting(_ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        let exam = try exam(request)
        let id = request.query["run"] ?? ""
        if let held = exam.removeHeld(id) { return try await judgeHeld(held, in: exam, request) }
        guard let run = api.livingRun(id) else {
            throw ControlError(404, "unknown-run", message: "there is no run '\(id)'")
        }
        let control = try control(request)
        let item = try api.item(of: run, request)
        let trace = try GivenResults.trace(of: request.body, under: exam.terms) ?? request.body
        let assignment = control == nil ? try? run.assignment(for: item) : nil
        // First lets the client's open connections end, so that the journal is complete.
        await run.stop(grace: CaseTimes.settling(of: item))
        let task = try await api.task(trace, of: run, by: item, request)
        if let control {
            let outcome = try await api.judge(request.body.count, for: request) { budget in
                try task.judge(within: budget).verdict.outcome
            }
            let isToBeAsked = exam.record(outcome, of: control)
            return .object { json in
                json.member("control", control.name)
                json.member("outcome", outcome.word)
                json.member("again", isToBeAsked)
            }
        }
        return .json(
            try await api.judge(request.body.count, for: request) { [api] budget in
                let graded = try task.judge(within: budget)
                let controls =
                    assignment.map { graded.evidence.controls(of: item, by: $0, after: graded.verdict.outcome) } ?? []
                let held = HeldSitting(run: run, item: item, task: task, graded: graded, controls: controls)
                return try Self.answerByControls(held, in: exam, of: api, holdsOpen: true, within: budget)
            })
    }

    private func judgeHeld(
        _ held: HeldSitting, in exam: ServedExam, _ request: ControlRequest
    ) async throws(ControlError) -> BuiltInReply {
        .json(
            try await api.judge(request.body.count, for: request) { [api] budget in
                try Self.answerByControls(held, in: exam, of: api, holdsOpen: false, within: budget)
            })
    }

    /// The judgement with what is known of the controls on which the pass rests; `holdsOpen`: the sitting is held until the others
    /// were asked.
    private static func answerByControls(
        _ held: HeldSitting, in exam: ServedExam, of api: ControlAPI, holdsOpen: Bool, within budget: WorkBudget
    ) throws -> [UInt8] {
        var (evidence, open) = (held.graded.evidence, [ExamControl]())
        for control in held.controls {
            let known = exam.reason(control, in: api.catalogue.scenario)
            if known == nil { open.append(control) }
            evidence.setReason(known ?? control.absence, for: control)
        }
        let graded =
            evidence.failedControl == nil
            ? held.graded : try held.task.judge(held.graded.trace, by: evidence, within: budget)
        var judgement = Judgement(graded, of: held.run, within: budget)
        if holdsOpen, !open.isEmpty {
            exam.addHeld(held)
            judgement.controls = open
        }
        judgement.passOverUnjudged()
        exam.record(graded, of: held.item, in: held.run.scenario)
        if judgement.controls.isEmpty { api.numbers.verdicts.count(judgement.outcome.word) }
        return judgement.json(report: false)
    }

    /// The ledger with the failures of the exam so far (``LedgerText``).
    func ledger(_ request: ControlRequest) throws(ControlError) -> BuiltInReply {
        BuiltInReply(status: 200, contentType: "application/yaml", body: try exam(request).ledger)
    }

    /// The records of the exam so far, as `proctor exam --json` writes them.
    func records(_ request: ControlRequest) throws(ControlError) -> BuiltInReply {
        let exam = try exam(request)
        return BuiltInReply(
            status: 200, contentType: "application/x-ndjson",
            bytes: exam.records.reduce(into: exam.header.json) { $0 += $1.json() })
    }
}
