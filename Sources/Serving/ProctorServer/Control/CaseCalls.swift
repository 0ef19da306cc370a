internal import ProctorBase
internal import ProctorDocument
internal import ProctorEvents
internal import ProctorGrading
internal import ProctorJournal
import ProctorProgram
internal import ProctorReplies
package import ProctorScenario
internal import ProctorServing

// Calls about the cases of a run: assignments, reports and verdicts.
extension ControlAPI {
    /// The case that `?case=` names, or the only case.
    package func item(of run: Run, _ request: ControlRequest) throws(ControlError) -> Case {
        let names = run.scenario.cases.map(\.name)
        guard let name = request.query["case"] ?? (names.count == 1 ? names[0] : nil) else {
            throw .badRequest(
                names.isEmpty
                    ? "\(run.scenario.id) has no case"
                    : "say which case as ?case=NAME; \(run.scenario.id) has \(names.joined(separator: ", "))")
        }
        do throws(UnknownCase) {
            return try run.scenario.case(named: name)
        } catch {
            throw ControlError(404, "unknown-case", message: error.description)
        }
    }

    /// The run, and the case where the call names one; else nil.
    private func findWithNamedCase(_ request: ControlRequest) throws(ControlError) -> (run: Run, item: Case?) {
        let run = try find(request)
        return (run, request.query["case"] == nil ? nil : try item(of: run, request))
    }

    func environment(_ request: ControlRequest) throws(ControlError) -> BuiltInReply {
        let (run, item) = try findWithNamedCase(request)
        return .object { json in
            json.member("run", run.id)
            json.object("environment") { json in
                for (name, value) in ClientEnvironment(of: run, for: item).variables {
                    json.member(named: name, value)
                }
            }
        }
    }

    func proxyConfiguration(_ request: ControlRequest) throws(ControlError) -> BuiltInReply {
        let (run, item) = try findWithNamedCase(request)
        return BuiltInReply(
            status: 200, contentType: ClientProxy.configurationContentType,
            body: ClientProxy.configuration(ClientProxy(of: run, for: item)))
    }

    func assignment(_ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        let run = try find(request)
        let item = try item(of: run, request)
        let wantsBytes = try request.choice("files", among: ["paths", "bytes"]) == "bytes"
        if let refusal = run.refusal(of: item) {
            throw ControlError(409, "no-assignment", message: "the case can't be asked so: \(refusal)")
        }
        var assignment: Assignment
        do throws(AssignmentFailure) {
            assignment = try run.assignment(for: item)
        } catch {
            throw ControlError(409, "no-assignment", message: error.description)
        }
        if wantsBytes {
            let named = assignment
            assignment = try await WorkThreads.security.attempt(within: .ofInput) { _ throws(ControlError) in
                try named.withFilesAsBytes()
            }
        }
        return .json(assignment.json + [0x0A])
    }

    /// Counts reports of the client, and wakes replies that wait for them.
    func reached(_ request: ControlRequest) throws(ControlError) -> BuiltInReply {
        let run = try find(request)
        let members = try request.members(allowed: ["event", "task", "count"])
        guard let text = members["event"]?.text, !text.isEmpty, text.utf8.count <= 100 else {
            throw .badRequest("'event' is the name of what the client has reported, 1 to 100 bytes")
        }
        let ofWire: EventNameSet = [.request, .replied]
        guard let event = EventName(rawValue: text), !ofWire.contains(event) else {
            let names = EventName.allCases.lazy.filter { !ofWire.contains($0) }.map(\.rawValue)
            let hint = NearestName.find(text, in: Array(names)).map { "did you mean '\($0)'?" }
            throw .badRequest(
                "no client reports '\(EscapedText.escape(text.utf8))'; \(hint ?? "Docs/judging/traces.md names the events")"
            )
        }
        func number(_ name: String, in range: ClosedRange<Int>) throws(ControlError) -> Int? {
            guard let node = members[name] else { return nil }
            guard let number = range.number(node) else { throw .badRequest(range.sentence(about: name)) }
            return number
        }
        run.stage.noteReached(
            event, task: try number("task", in: 0...9_999) ?? 0, count: try number("count", in: 0...1_000) ?? 1)
        return .object { $0.member("reached", event.rawValue) }
    }

    /// The verdict on a run: by the case, or where the scenario has none, by what holds for every run.
    func verdict(_ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        let run = try find(request)
        let isWithoutCase = run.scenario.cases.isEmpty && request.query["case"] == nil
        let item = isWithoutCase ? nil : try item(of: run, request)
        let journal = run.journal.snapshot()
        let verdict = try await judge(0, for: request) { budget in
            item.map { run.wireVerdict(of: $0, journal, within: budget) }
                ?? run.wireVerdictWithoutCase(journal, within: budget)
        }
        numbers.verdicts.count(verdict.outcome.word)
        let timeline = Self.timeline(of: run, journal, for: item, showsReplies: verdict.outcome == .fail)
        return .object {
            $0.verdictMembers(of: verdict, for: item, droppedCount: journal.droppedCount)
            $0.texts(of: verdict, timeline)
        }
    }

    /// What came and went in the run so far, for a person; a case that is named has the fields shown that it is about.
    func timeline(_ request: ControlRequest) throws(ControlError) -> BuiltInReply {
        let (run, item) = try findWithNamedCase(request)
        let journal = run.journal.snapshot()
        return .object { json in
            json.member("run", run.id)
            json.texts("timeline", Self.timeline(of: run, journal, for: item).lines)
        }
    }

    private static func timeline(
        of run: Run, _ journal: Journal.Snapshot, for item: Case?, showsReplies: Bool = false
    ) -> WireTimeline {
        var shown = item.map { ShownFields($0) } ?? ShownFields()
        if run.isOnSharedPort { shown = shown.ofSharedPort }
        return WireTimeline(
            journal.entries, droppedCount: journal.droppedCount, shown: showsReplies ? shown.withReplies : shown)
    }
}
