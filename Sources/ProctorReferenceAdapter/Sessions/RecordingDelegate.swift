internal import ProctorBase
internal import ProctorEvents
internal import ProctorHTTP
import ProctorProgram
internal import ProctorRecorder
internal import ProctorReference

/// A delegate that writes every call down, when it begins and when it returns, and does what the step says.
final class RecordingDelegate: ReferenceSessionDelegate {
    private let roles: SessionRoles
    /// `session` or `task`: whose delegate it is.
    private let who: String
    private let recorder: TraceRecorder

    init(roles: SessionRoles, who: String, recorder: TraceRecorder) {
        self.roles = roles
        self.who = who
        self.recorder = recorder
    }

    /// Writes a call down; `inside` is done before it returns, unless the program cancelled in it.
    private func record(
        _ name: EventName, _ argument: String? = nil, of task: ReferenceTask, in session: ReferenceSession,
        method: String, facts: EventFacts = [], inside: (StepRecord) -> Void = { _ in }
    ) {
        guard let record = roles.record(of: task) else { return }
        let callback = record.enter(
            name, argument, queue: session.queue.here, method: method, who: who, facts: facts)
        if !callback.isCancelled { inside(record) }
        callback.returns()
    }

    // MARK: Questions

    func session(
        _ session: ReferenceSession, task: ReferenceTask, willRedirectTo request: ClientRequest,
        from response: LoadResponse, answer: @escaping @Sendable (ClientRequest?) -> Void
    ) {
        let reply = ReplyFacts(response)
        record(
            .redirect, reply.status, of: task, in: session,
            method: "urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:)",
            facts: reply.facts.appending(.proposed(request))
        ) { $0.answerRedirect(proposed: request, answer) }
    }

    func session(
        _ session: ReferenceSession, task: ReferenceTask, didReceive challenge: LoadChallenge,
        answer: @escaping @Sendable (LoadEvent.ChallengeAnswer) -> Void
    ) {
        // As if the method were not there.
        guard roles.record(of: task)?.answersChallenges == true else { return answer(.byDefault) }
        let facts = ChallengeFacts(challenge, scope: "task")
        record(
            .challenge, facts.kind, of: task, in: session, method: "urlSession(_:task:didReceive:completionHandler:)",
            facts: facts.facts
        ) { _ = $0.answerChallenge(answer) }
    }

    /// As if the method were not there for what a connection asks, so that it shows in the lane of its task; a session
    /// that is broken on purpose brings other kinds here.
    func session(
        _ session: ReferenceSession, didReceive challenge: LoadChallenge,
        answer: @escaping @Sendable (LoadEvent.ChallengeAnswer) -> Void
    ) {
        guard !challenge.space.isOfConnection else { return session.askTask(challenge, answer: answer) }
        let facts = ChallengeFacts(challenge, scope: "session")
        let callback = RecordedCallback(
            TraceEvent(
                lane: .session, name: .challenge, argument: facts.kind, queue: session.queue.here,
                facts: facts.facts.appending([
                    EventFact(.who, .text(who)), EventFact(.sel, .text("urlSession(_:didReceive:completionHandler:)")),
                ])),
            recordedBy: recorder)
        callback.returns()
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
        let reply = ReplyFacts(response)
        record(
            .response, reply.status, of: task, in: session,
            method: "urlSession(_:dataTask:didReceive:completionHandler:)", facts: reply.facts
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
        answer: @escaping @Sendable (_ isStored: Bool) -> Void
    ) {
        record(
            .willCache, of: task, in: session,
            method: "urlSession(_:dataTask:willCacheResponse:completionHandler:)",
            facts: [EventFact(.bytes, .integer(byteCount))]
        ) { $0.answerWillCache(answer) }
    }

    // MARK: News

    func session(_ session: ReferenceSession, didCreate task: ReferenceTask) {
        record(.created, of: task, in: session, method: "urlSession(_:didCreateTask:)")
    }

    func session(_ session: ReferenceSession, task: ReferenceTask, didSendBody progress: TransferProgress) {
        record(
            .bodySent, of: task, in: session,
            method: "urlSession(_:task:didSendBodyData:totalBytesSent:totalBytesExpectedToSend:)", facts: progress.facts
        )
    }

    func session(_ session: ReferenceSession, task: ReferenceTask, didReceiveInterim head: ReplyHead) {
        record(
            .informational, String(head.status), of: task, in: session,
            method: "urlSession(_:task:didReceiveInformationalResponse:)",
            facts: [EventFact(.status, .integer(head.status))])
    }

    func session(_ session: ReferenceSession, task: ReferenceTask, didReceive content: [UInt8]) {
        roles.record(of: task)?.received(content)
        record(
            .data, of: task, in: session, method: "urlSession(_:dataTask:didReceive:)",
            facts: .content(of: content))
    }

    func session(_ session: ReferenceSession, didTurnIntoDownload task: ReferenceTask) {
        record(.becameDownload, of: task, in: session, method: "urlSession(_:dataTask:didBecome:)")
    }

    func session(_ session: ReferenceSession, task: ReferenceTask, didResumeAt offset: Int, expected: Int) {
        record(
            .downloadResumed, String(offset), of: task, in: session,
            method: "urlSession(_:downloadTask:didResumeAtOffset:expectedTotalBytes:)",
            facts: [EventFact(.offset, .integer(offset)), EventFact(.expected, .integer(expected))])
    }

    func session(_ session: ReferenceSession, task: ReferenceTask, didWrite progress: TransferProgress) {
        record(
            .progress, of: task, in: session,
            method: "urlSession(_:downloadTask:didWriteData:totalBytesWritten:totalBytesExpectedToWrite:)",
            facts: progress.facts)
    }

    func session(_ session: ReferenceSession, task: ReferenceTask, didFinishDownloadingTo path: String) {
        var facts: EventFacts = [EventFact(.file, .text(path))]
        if let body = KeptBody(ofFile: path) {
            roles.record(of: task)?.received(whole: body, of: task.response)
            facts = facts.appending(body.contentFacts)
        }
        record(
            .fileReady, of: task, in: session, method: "urlSession(_:downloadTask:didFinishDownloadingTo:)",
            facts: facts)
    }

    func session(_ session: ReferenceSession, task: ReferenceTask, didCollect metrics: ReferenceMetrics) {
        record(
            .metrics, of: task, in: session, method: "urlSession(_:task:didFinishCollecting:)",
            facts: [EventFact(.transactions, .integer(metrics.exchangeCount))])
    }

    func session(_ session: ReferenceSession, task: ReferenceTask, didCompleteWith error: LoadError?) {
        roles.record(of: task)?.ended(with: error, response: task.response)
        let failure = FailureFacts(error)
        record(
            .complete, failure.name, of: task, in: session, method: "urlSession(_:task:didCompleteWithError:)",
            facts: failure.facts)
    }

    func sessionDidBecomeInvalid(_ session: ReferenceSession) {
        let callback = RecordedCallback(
            TraceEvent(
                lane: .session, name: .sessionInvalid, argument: "ok", queue: session.queue.here,
                facts: [
                    EventFact(.who, .text(who)), EventFact(.sel, .text("urlSession(_:didBecomeInvalidWithError:)")),
                ]),
            recordedBy: recorder)
        callback.returns()
    }
}

extension TransferProgress {
    fileprivate var facts: EventFacts {
        .arithmetic(n: byteCount, total: total, expected: expected)
    }
}

/// Which step a task of a session belongs to.
final class SessionRoles: Sendable {
    private let state = Locked(State())

    private struct State {
        var records: [Int: StepRecord] = [:]
        /// Of the step that runs, which makes one task.
        var current: StepRecord?
    }

    /// Tasks that are seen for the first time belong to this step.
    func begin(_ record: StepRecord) { state.withLock { $0.current = record } }

    func assign(_ record: StepRecord, to task: Int) { state.withLock { $0.records[task] = record } }

    /// nil before the first step.
    func record(of task: ReferenceTask) -> StepRecord? {
        state.withLock { state in
            if let record = state.records[task.number] { return record }
            state.records[task.number] = state.current
            return state.current
        }
    }
}

/// Writes down what a completion handler was given, or what `await` gave back.
struct HandlerRecording: Sendable {
    private let record: StepRecord
    private let isUpload: Bool
    private let queue: CallbackQueue

    /// A body that comes from a file is an upload's, any other one belongs to the request.
    init(_ record: StepRecord, _ body: ProctorReference.RequestBody, queue: CallbackQueue) {
        self.record = record
        if case .file = body { isUpload = true } else { isUpload = false }
        self.queue = queue
    }

    func called(_ content: [UInt8]?, _ response: LoadResponse?, error: LoadError?) {
        let method = isUpload ? "uploadTask(with:fromFile:completionHandler:)" : "dataTask(with:completionHandler:)"
        write(.handler, content: content, response, error: error, method: method, on: queue.here)
    }

    func returned(_ content: [UInt8], _ response: LoadResponse) {
        write(.awaited, content: content, response, method: awaitedMethod)
    }

    func threw(_ error: LoadError) { write(.awaited, error: error, method: awaitedMethod) }

    private var awaitedMethod: String { isUpload ? "upload(for:fromFile:delegate:)" : "data(for:delegate:)" }

    private func write(
        _ name: EventName, content: [UInt8]? = nil, _ response: LoadResponse? = nil, error: LoadError? = nil,
        method: String, on queue: String? = nil
    ) {
        if let content { record.received(whole: KeptBody(content, byteCount: content.count), of: response) }
        record.ended(with: error, response: response)
        let failure = FailureFacts(error)
        var facts = response.map { ReplyFacts($0).facts } ?? []
        if let content { facts = facts.appending(.content(of: content)) }
        let callback = record.enter(
            name, failure.name, lane: .handler, queue: queue, method: method, facts: facts.appending(failure.facts))
        callback.returns()
    }
}

extension CallbackQueue {
    /// Its label on its own thread; nil on others.
    var here: String? { isCurrent ? label : nil }
}
