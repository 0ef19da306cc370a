internal import ProctorBase
internal import ProctorEvents
internal import ProctorHTTP
import ProctorProgram
internal import ProctorRecorder
internal import ProctorReference

final class RecordingDelegate: ReferenceSessionDelegate, ReferenceWebSocketDelegate, PartialDelegate {
    let missingMethods: Set<OptionalMethod>
    private let roles: SessionRoles
    private let who: String
    private let recorder: TraceRecorder
    /// nil for the delegate of tasks, which the program owns.
    private let token: DelegateToken?

    init(roles: SessionRoles, who: String, without missing: Set<OptionalMethod>, recorder: TraceRecorder) {
        missingMethods = missing
        (self.roles, self.who, self.recorder) = (roles, who, recorder)
        token = who == "session" ? DelegateToken(of: .session(0), recordingTo: recorder) : nil
    }

    /// Records a call; `inside` is called before its return, unless the program cancelled in it.
    private func record(
        _ name: EventName, _ detail: EventDetail = EventDetail(), of task: ReferenceTask, in session: ReferenceSession,
        method: String, inside: (StepRecord) -> Void = { _ in }
    ) {
        guard let record = roles.record(of: task) else { return }
        let callback = record.enter(
            name, detail, queue: session.queue.here, method: method, who: who)
        if !callback.isCancelled { inside(record) }
        callback.returns()
    }

    // MARK: Questions

    func session(
        _ session: ReferenceSession, task: ReferenceTask, willRedirectTo request: ClientRequest,
        from response: LoadResponse, answer: @escaping @Sendable (ClientRequest?) -> Void
    ) {
        let names = roles.record(of: task)?.fieldNames ?? []
        record(
            .redirect, EventDetail(response, asking: names).appending(.proposed(request)), of: task, in: session,
            method: "urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:)"
        ) { $0.answerRedirect(proposed: request, answer) }
    }

    func session(
        _ session: ReferenceSession, task: ReferenceTask, didReceive challenge: LoadChallenge,
        answer: @escaping @Sendable (ChallengeAnswer) -> Void
    ) {
        // Behaves as if the method were missing.
        guard roles.record(of: task)?.answersChallenges == true else { return answer(.byDefault) }
        record(
            .challenge, EventDetail(challenge, scope: "task"), of: task, in: session,
            method: "urlSession(_:task:didReceive:completionHandler:)"
        ) { _ = $0.answerChallenge(answer) }
    }

    /// Behaves as if the method were missing, so that challenges of a connection are in the task's lane.
    ///
    /// A session with a deliberate fault may ask about other kinds here.
    func session(
        _ session: ReferenceSession, didReceive challenge: LoadChallenge,
        answer: @escaping @Sendable (ChallengeAnswer) -> Void
    ) {
        guard !challenge.space.isOfConnection else { return session.askTask(challenge, answer: answer) }
        recordOfSession(
            .challenge, EventDetail(challenge, scope: "session"), queue: session.queue.here,
            method: "urlSession(_:didReceive:completionHandler:)")
        session.askTask(challenge, answer: answer)
    }

    func session(
        _ session: ReferenceSession, task: ReferenceTask,
        needsBodyStream answer: @escaping @Sendable (BodyStream?) -> Void
    ) {
        record(.needBodyStream, of: task, in: session, method: "urlSession(_:task:needNewBodyStream:)") {
            $0.answerBodyStream(answer)
        }
    }

    func session(
        _ session: ReferenceSession, task: ReferenceTask, didReceive response: LoadResponse,
        answer: @escaping @Sendable (ResponseDisposition) -> Void
    ) {
        roles.record(of: task)?.received(response)
        record(
            .response, EventDetail(response), of: task, in: session,
            method: "urlSession(_:dataTask:didReceive:completionHandler:)"
        ) { record in
            record.answerResponse { wanted in
                switch wanted {
                case .cancel: answer(.cancel)
                case .becomeDownload: answer(.becomeDownload)
                default: answer(.allow)
                }
            }
        }
    }

    func session(
        _ session: ReferenceSession, task: ReferenceTask, willStore response: LoadResponse, byteCount: Int,
        answer: @escaping @Sendable (StoringAnswer) -> Void
    ) {
        record(
            .willCache, EventDetail(storing: response, byteCount: byteCount), of: task, in: session,
            method: "urlSession(_:dataTask:willCacheResponse:completionHandler:)"
        ) { $0.answerStoring(answer) }
    }

    // MARK: News

    func session(_ session: ReferenceSession, didCreate task: ReferenceTask) {
        record(.created, of: task, in: session, method: "urlSession(_:didCreateTask:)")
    }

    func session(_ session: ReferenceSession, task: ReferenceTask, didSendBody progress: TransferProgress) {
        record(
            .bodySent, progress.detail, of: task, in: session,
            method: "urlSession(_:task:didSendBodyData:totalBytesSent:totalBytesExpectedToSend:)")
    }

    func session(_ session: ReferenceSession, task: ReferenceTask, didReceiveInterim head: ReplyHead) {
        record(
            .informational, EventDetail(String(head.status), facts: [EventFact(.status, .integer(head.status))]),
            of: task, in: session, method: "urlSession(_:task:didReceiveInformationalResponse:)")
    }

    func session(_ session: ReferenceSession, task: ReferenceTask, didReceive content: [UInt8]) {
        roles.record(of: task)?.received(content)
        record(
            .data, EventDetail(facts: .content(of: content)), of: task, in: session,
            method: "urlSession(_:dataTask:didReceive:)")
    }

    func session(_ session: ReferenceSession, didTurnIntoDownload task: ReferenceTask) {
        record(.becameDownload, of: task, in: session, method: "urlSession(_:dataTask:didBecome:)")
    }

    func session(_ session: ReferenceSession, task: ReferenceTask, didResumeAt offset: Int, expected: Int) {
        let facts: EventFacts = [EventFact(.offset, .integer(offset)), EventFact(.expected, .integer(expected))]
        record(
            .downloadResumed, EventDetail(String(offset), facts: facts), of: task, in: session,
            method: "urlSession(_:downloadTask:didResumeAtOffset:expectedTotalBytes:)")
    }

    func session(_ session: ReferenceSession, task: ReferenceTask, didWrite progress: TransferProgress) {
        record(
            .progress, progress.detail, of: task, in: session,
            method: "urlSession(_:downloadTask:didWriteData:totalBytesWritten:totalBytesExpectedToWrite:)")
    }

    func session(_ session: ReferenceSession, task: ReferenceTask, didFinishDownloadingTo path: String) {
        var facts: EventFacts = [EventFact(.file, .text(path))]
        roles.record(of: task)?.receivedFile(at: path)
        if let body = KeptBody(ofFile: path) {
            roles.record(of: task)?.received(whole: body, of: task.response)
            facts = facts.appending(body.contentFacts)
        }
        record(
            .fileReady, EventDetail(facts: facts), of: task, in: session,
            method: "urlSession(_:downloadTask:didFinishDownloadingTo:)")
    }

    func session(_ session: ReferenceSession, task: ReferenceTask, didOpenWebSocketWith protocolName: String?) {
        if let protocolName {
            roles.record(of: task)?.addFacts(file: [EventFact(.protocol, .text(protocolName))])
        }
        record(
            .wsOpen, EventDetail(protocolName), of: task, in: session,
            method: "urlSession(_:webSocketTask:didOpenWithProtocol:)")
    }

    func session(_ session: ReferenceSession, task: ReferenceTask, didCloseWebSocketWith close: WebSocketClose) {
        roles.record(of: task)?.addFacts(file: close.facts)
        record(
            .wsClose, EventDetail(String(close.code), facts: close.facts), of: task, in: session,
            method: "urlSession(_:webSocketTask:didCloseWith:reason:)")
    }

    func session(_ session: ReferenceSession, task: ReferenceTask, didCollect metrics: ReferenceMetrics) {
        var facts: EventFacts = [EventFact(.transactions, .integer(metrics.exchangeCount))]
        if let name = metrics.protocolName { facts = facts.appending([EventFact(.protocol, .text(name))]) }
        record(
            .metrics, EventDetail(facts: facts),
            of: task, in: session, method: "urlSession(_:task:didFinishCollecting:)")
    }

    func session(_ session: ReferenceSession, task: ReferenceTask, didCompleteWith error: LoadError?) {
        roles.record(of: task)?.ended(with: error, response: task.response)
        record(
            .complete, EventDetail(end: error), of: task, in: session,
            method: "urlSession(_:task:didCompleteWithError:)")
    }

    func sessionDidBecomeInvalid(_ session: ReferenceSession) {
        recordOfSession(
            .sessionInvalid, EventDetail("ok"), queue: session.queue.here,
            method: "urlSession(_:didBecomeInvalidWithError:)")
    }

    private func recordOfSession(_ name: EventName, _ detail: EventDetail, queue: String?, method: String) {
        let facts = detail.facts.appending([EventFact(.who, .text(who)), EventFact(.sel, .text(method))])
        RecordedCallback(
            TraceEvent(lane: .session, name: name, argument: detail.argument, queue: queue, facts: facts),
            recordedBy: recorder
        ).returns()
    }
}

extension TransferProgress {
    var detail: EventDetail {
        EventDetail(facts: .arithmetic(n: byteCount, total: total, expected: expected))
    }
}

final class SessionRoles: Sendable {
    private let state = Locked(State())

    private struct State {
        var records: [Int: StepRecord] = [:]
        /// The record of the running step, which makes one task.
        var current: StepRecord?
    }

    /// Assigns the tasks that are made from now on to this step.
    func startStep(_ record: StepRecord) { state.withLock { $0.current = record } }

    func assign(_ record: StepRecord, to task: Int) { state.withLock { $0.records[task] = record } }

    /// The record of a task's step; nil before the first step.
    func record(of task: ReferenceTask) -> StepRecord? {
        state.withLock { state in
            if let record = state.records[task.number] { return record }
            state.records[task.number] = state.current
            return state.current
        }
    }
}

/// Records what the caller of a load gets without a delegate: by a completion handler or a block, or as a result.
struct OutcomeRecording: Sendable {
    private let record: StepRecord
    private let queue: CallbackQueue
    /// The name of the method with a handler or a block, and of the one that returns the outcome.
    private let methods: (handler: String, awaited: String)

    /// A body from a file belongs to an upload task, any other body to the request.
    init(_ record: StepRecord, _ body: ProctorReference.RequestBody, queue: CallbackQueue) {
        (self.record, self.queue) = (record, queue)
        methods =
            if case .file = body {
                ("uploadTask(with:fromFile:completionHandler:)", "upload(for:fromFile:delegate:)")
            } else {
                ("dataTask(with:completionHandler:)", "data(for:delegate:)")
            }
    }

    /// Records requests of NSURLConnection.
    init(ofRequest record: StepRecord, queue: CallbackQueue) {
        (self.record, self.queue) = (record, queue)
        methods = (
            "sendAsynchronousRequest:queue:completionHandler:", "sendSynchronousRequest:returningResponse:error:"
        )
    }

    func called(_ content: [UInt8]?, _ response: LoadResponse?, error: LoadError?) {
        write(.handler, content, response, error, method: methods.handler, on: queue.here)
    }

    func returned(_ content: [UInt8]?, _ response: LoadResponse?, error: LoadError? = nil) {
        write(.awaited, content, response, error, method: methods.awaited)
    }

    private func write(
        _ name: EventName, _ content: [UInt8]?, _ response: LoadResponse?, _ error: LoadError?, method: String,
        on queue: String? = nil
    ) {
        if let content, error == nil {
            record.received(whole: KeptBody(content, byteCount: content.count), of: response)
        }
        record.ended(with: error, response: response)
        let end = EventDetail(end: error)
        let facts = EventFacts.outcome(
            content: content.map { .content(of: $0) }, response: response.map { EventDetail($0).facts }, end: end)
        record.enter(
            name, EventDetail(end.argument, facts: facts), lane: .handler, queue: queue, method: method
        ).returns()
    }
}

extension CallbackQueue {
    /// The queue's label when called on its own thread; nil on others.
    var here: String? { isCurrent ? label : nil }
}
