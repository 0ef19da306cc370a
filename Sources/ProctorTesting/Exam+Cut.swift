internal import Foundation
internal import ProctorGrading
internal import ProctorRecorder
internal import ProctorScenario
internal import ProctorServer
internal import ProctorTrace
internal import Testing

extension Exam {
    /// What was seen when the body's time was over.
    struct Cut: Sendable {
        let events: [TraceEvent]
        let journal: Journal.Snapshot
    }

    /// Ends what the body may wait for: its task, the exam's sessions, and the connections to the server.
    func cutShort(_ cancel: @Sendable () -> Void) async {
        note(Cut(events: recorder.events, journal: run.journal.snapshot()))
        cancel()
        abandonSessions()
        await run.stop()
    }

    /// Says what is known of a body that goes on although it was cancelled.
    func tellEndlessBody(at place: SourceLocation) {
        guard let cut else { return }
        let evidence = CaseEvidence(
            events: cut.events, journal: cut.journal.entries, droppedCount: cut.journal.droppedCount)
        let text = """
            the body of withScenario("\(scenario.id)") has not ended, though it was cancelled after \
            \(patience.wholeMilliseconds) ms (within:): it waits for something that knows no cancellation

            \(Timeline(evidence))
            """
        if Test.current != nil {
            Issue.record(Comment(rawValue: text), sourceLocation: place)
        } else {
            FileHandle.standardError.write(Data("\(text)\n".utf8))
        }
    }

    /// What to call so that callbacks are seen, where requests came and nobody told what became of them; nil: nothing.
    func hint(on evidence: CaseEvidence) -> String? {
        let count = (evidence.journal ?? []).count { entry in
            if case .requestHead = entry.event { true } else { false }
        }
        guard count > 0, !evidence.events.contains(where: Self.tellsOfReply) else { return nil }
        let came = count == 1 ? "1 request came" : "\(count) requests came"
        guard hasRecorders else {
            return """
                \(came), and no session reports to the exam: make the session with exam.session(delegate:), or give yours a \
                delegate of exam.recorder(forwardingTo:).
                """
        }
        return """
            \(came), and no session of the exam told what became of them. URLSession tells a delegate nothing of a task that \
            is awaited or has a completion handler. With
                let recorder = exam.recorder()
                let session = recorder.session()
            call recorder.data(for: request, in: session) instead of session.data(for: request), and
            recorder.dataTask(in: session, with: request) { … } instead of session.dataTask(with: request) { … }.
            """
    }

    /// Questions are asked of the delegate even where the end is told to somebody else.
    private static let questions: EventNameSet = [
        .created, .delayed, .waiting, .redirect, .challenge, .challengeCancelled, .needBodyStream, .bodySent, .metrics,
    ]

    private static func tellsOfReply(_ event: TraceEvent) -> Bool {
        guard event.phase == .enter, !questions.contains(event.name) else { return false }
        return [Lane.task, .handler, .proto, .protocolClient].contains(event.lane)
    }
}
