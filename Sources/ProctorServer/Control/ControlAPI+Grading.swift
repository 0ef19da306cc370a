internal import ProctorBase
internal import ProctorEvents
internal import ProctorGrading
import ProctorProgram
internal import ProctorScenario

/// Calls about the cases of a run: what the client is to do, and how it did.
extension ControlAPI {
    /// The case that `?case=` names, or the only one there is.
    func `case`(of run: Run, _ request: ControlRequest) throws(ControlError) -> Case {
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
            throw ControlError(404, "unknown-case", error.description)
        }
    }

    func verdict(of id: String, _ request: ControlRequest) throws(ControlError) -> BuiltInReply {
        let run = try find(id, request)
        let item = try `case`(of: run, request)
        let snapshot = run.journal.snapshot()
        var json = JSONText()
        json.verdict(
            run.wireVerdict(of: item), of: item,
            timeline: WireTimeline(
                snapshot.entries, droppedCount: snapshot.droppedCount, shown: ShownFields(item)),
            droppedCount: snapshot.droppedCount)
        return BuiltInReply(status: 200, json: json)
    }

    func assignment(of id: String, _ request: ControlRequest) throws(ControlError) -> BuiltInReply {
        let run = try find(id, request)
        let item = try `case`(of: run, request)
        do throws(AssignmentFailure) {
            let json = try run.assignment(for: item).json
            return BuiltInReply(status: 200, contentType: "application/json", bytes: json + [0x0A])
        } catch {
            throw ControlError(409, "no-assignment", error.description)
        }
    }

    /// Judges the trace in the body by a case, together with what the run's journal says so far.
    ///
    /// How many are judged at a time is bounded, and so is how long their traces are together.
    func grade(_ id: String, _ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        let run = try find(id, request)
        let item = try `case`(of: run, request)
        let journal = run.journal.snapshot()
        let grader = CaseGrader(item, scenario: run.scenario.id, context: run.context)
        let body = request.body
        guard await gradings.enter(body.count) else {
            throw .busy("\(GradingTurns.waitingLimit) traces wait to be judged, which is the limit")
        }
        defer { gradings.leave(body.count) }
        // A long trace takes its time, which is not taken from the loop's other connections.
        let result = await withTaskExecutorPreference(globalConcurrentExecutor) {
            await Self.judge(body, journal, grader)
        }
        switch result {
        case .success(let bytes):
            return BuiltInReply(status: 200, contentType: "application/json", bytes: bytes)
        case .failure(let error): throw .badRequest("\(error)")
        }
    }

    /// The verdict as JSON, with its text for a person.
    @concurrent
    private static func judge(
        _ body: [UInt8], _ journal: Journal.Snapshot, _ grader: CaseGrader
    ) async -> Result<[UInt8], TraceReadingError> {
        do throws(TraceReadingError) {
            let trace = try Trace(body, file: "body")
            guard trace.header != nil || !trace.events.isEmpty else { throw Self.noEvent(trace) }
            let evidence = CaseEvidence(trace, journal: journal.entries, droppedCount: journal.droppedCount)
            let verdict = grader.grade(evidence)
            return .success(verdict.json(text: "\(Timeline(evidence, verdict: verdict))\n\n\(verdict)"))
        } catch {
            return .failure(error)
        }
    }

    private static func noEvent(_ trace: Trace) -> TraceReadingError {
        let hint = trace.misspelling.map { "; line \($0.line): did '\($0.word)' mean '\($0.nearest)'?" }
        return TraceReadingError(
            location: SourceLocation(file: "body", line: 1, column: 1),
            sentence: "there is no event in it: send JSON lines or a log that names delegate methods, as they are "
                + "(curl: --data-binary @FILE)" + (hint ?? ""))
    }
}
