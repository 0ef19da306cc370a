internal import ProctorEvents

/// Advice for a test in which requests arrived but no callback was recorded.
enum MissingReports {
    /// The advice, one sentence; nil when no callback is missing.
    static func hint(requestCount count: Int, _ events: [TraceEvent], hasRecorders: Bool) -> String? {
        guard count > 0, !events.contains(where: tellsOfReply) else { return nil }
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

    /// Events that the delegate gets even for a task with a completion handler, so that they do not show a recorded
    /// reply.
    private static let questions: EventNameSet = [
        .created, .delayed, .waiting, .redirect, .challenge, .challengeCancelled, .needBodyStream, .bodySent, .metrics,
    ]

    private static func tellsOfReply(_ event: TraceEvent) -> Bool {
        guard event.phase == .enter, !questions.contains(event.name) else { return false }
        if event.lane == .harness { return event.name == .result || event.name == .unimplemented }
        return [Lane.task, .handler, .proto, .protocolClient].contains(event.lane)
    }
}
