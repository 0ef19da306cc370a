internal import ProctorBase
internal import ProctorEvents
internal import ProctorHTTP
import ProctorProgram
internal import ProctorRecorder
internal import ProctorReference

/// Records the calls of a session and its tasks, and answers as the step of each task says.
final class RecordingDelegate: CallReceiver, PartialDelegate {
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

    /// Records a call; a question is answered before the record of its return, unless the program cancelled in it.
    func receive(
        _ call: DelegateCall, of task: ReferenceTask, in session: ReferenceSession,
        answer: @escaping @Sendable (LoadEvent) -> Void
    ) {
        if case .trailers(let fields) = call { roles.record(of: task)?.keepTrailers(fields.namesAndValues) }
        guard let row = call.rowOfSessions, let record = roles.record(of: task) else { return }
        // Behaves as if the method were missing.
        if case .challenge = call, !record.answersChallenges { return answer(.challengeAnswered(.byDefault)) }
        record.keepResult(of: call, response: task.response)
        let callback = record.enter(
            row.name, call.detail(asking: record.fieldNames, scope: "task"), queue: session.queue.here,
            method: "urlSession(\(row.method))", who: who)
        if !callback.isCancelled { record.reply(to: call, answer) }
        callback.returns()
    }

    /// Behaves as if the method were missing, so that challenges of a connection are in the task's lane.
    ///
    /// A session with a deliberate fault may ask about other kinds here.
    func session(
        _ session: ReferenceSession, didReceive challenge: LoadChallenge,
        answer: @escaping @Sendable (ChallengeAnswer) -> Void
    ) {
        if !challenge.space.isOfConnection {
            record(
                .challenge, EventDetail(challenge, scope: "session"), of: session,
                method: "didReceive:completionHandler:")
        }
        session.askTask(challenge, answer: answer)
    }

    func sessionDidBecomeInvalid(_ session: ReferenceSession) {
        record(.sessionInvalid, EventDetail("ok"), of: session, method: "didBecomeInvalidWithError:")
    }

    private func record(_ name: EventName, _ detail: EventDetail, of session: ReferenceSession, method: String) {
        let origin: EventFacts = [EventFact(.who, .text(who)), EventFact(.sel, .text("urlSession(_:\(method))"))]
        RecordedCallback(
            TraceEvent(
                lane: .session, name: name, argument: detail.argument, queue: session.queue.here,
                facts: detail.facts.appending(origin)),
            recordedBy: recorder
        ).returns()
    }
}

extension StepRecord {
    /// Keeps what a call says for the result of the step.
    func keepResult(of call: DelegateCall, response: LoadResponse?) {
        switch call {
        case .response(let response): received(response)
        case .data(let content): received(content)
        case .fileReady(let file):
            receivedFile(at: file.path)
            if let body = KeptBody(ofFile: file.path) { received(whole: body, of: response) }
        case .webSocketOpened(let protocolName?): addFacts(file: [EventFact(.protocol, .text(protocolName))])
        case .webSocketClosed(let close): addFacts(file: close.facts)
        case .complete(let error): ended(with: error, response: response)
        default: break
        }
    }

    /// Answers a question as the program says.
    fileprivate func reply(to call: DelegateCall, _ answer: @escaping @Sendable (LoadEvent) -> Void) {
        switch call {
        case .redirect(let next, _): answerRedirect(proposed: next) { answer(.redirectAnswered($0)) }
        case .challenge: _ = answerChallenge { answer(.challengeAnswered($0)) }
        case .needBodyStream: answerBodyStream { answer(.bodyStreamAnswered($0)) }
        case .response:
            answerResponse { wanted in
                answer(
                    .responseAnswered(
                        wanted == .cancel ? .cancel : wanted == .becomeDownload ? .becomeDownload : .allow))
            }
        case .willCache: answerStoring { answer(.cacheAnswered($0)) }
        default: break
        }
    }
}

extension DelegateCall {
    /// The event, and the labels of URLSession's method; nil for a call that no task of a session makes.
    fileprivate var rowOfSessions: (name: EventName, method: String)? {
        switch self {
        case .created: (.created, "_:didCreateTask:")
        case .redirect: (.redirect, "_:task:willPerformHTTPRedirection:newRequest:completionHandler:")
        case .challenge: (.challenge, "_:task:didReceive:completionHandler:")
        case .needBodyStream: (.needBodyStream, "_:task:needNewBodyStream:")
        case .bodySent: (.bodySent, "_:task:didSendBodyData:totalBytesSent:totalBytesExpectedToSend:")
        case .informational: (.informational, "_:task:didReceiveInformationalResponse:")
        case .response: (.response, "_:dataTask:didReceive:completionHandler:")
        case .data: (.data, "_:dataTask:didReceive:")
        case .becameDownload: (.becameDownload, "_:dataTask:didBecome:")
        case .willCache: (.willCache, "_:dataTask:willCacheResponse:completionHandler:")
        case .downloadResumed: (.downloadResumed, "_:downloadTask:didResumeAtOffset:expectedTotalBytes:")
        case .progress: (.progress, "_:downloadTask:didWriteData:totalBytesWritten:totalBytesExpectedToWrite:")
        case .fileReady: (.fileReady, "_:downloadTask:didFinishDownloadingTo:")
        case .webSocketOpened: (.wsOpen, "_:webSocketTask:didOpenWithProtocol:")
        case .webSocketClosed: (.wsClose, "_:webSocketTask:didCloseWith:reason:")
        case .metrics: (.metrics, "_:task:didFinishCollecting:")
        case .complete: (.complete, "_:task:didCompleteWithError:")
        default: nil
        }
    }

    /// Argument and facts of the call's event.
    ///
    /// A redirect has the header fields of these names; a challenge has the scope, which is nil in families without one.
    func detail(asking names: [String] = [], scope: String? = nil) -> EventDetail {
        switch self {
        case .canonicalize(let request): return EventDetail(facts: .proposed(request))
        case .redirect(let next, let response):
            return EventDetail(response, asking: names).appending(.proposed(next))
        case .challenge(let challenge), .challengeCancelled(let challenge): return EventDetail(challenge, scope: scope)
        case .bodySent(let progress), .progress(let progress):
            return EventDetail(
                facts: .arithmetic(n: progress.byteCount, total: progress.total, expected: progress.expected))
        case .informational(let head):
            return EventDetail(String(head.status), facts: [EventFact(.status, .integer(head.status))])
        case .response(let response): return EventDetail(response)
        case .data(let content): return EventDetail(facts: .content(of: content))
        case .willCache(let response, let byteCount): return EventDetail(storing: response, byteCount: byteCount)
        case .downloadResumed(_, let offset, let expected):
            return EventDetail(
                String(offset),
                facts: [EventFact(.offset, .integer(offset)), EventFact(.expected, .integer(expected))])
        case .fileReady(let file):
            let facts: EventFacts = [EventFact(.file, .text(file.path))]
            return EventDetail(facts: facts.appending(KeptBody(ofFile: file.path)?.contentFacts ?? []))
        case .webSocketOpened(let protocolName): return EventDetail(protocolName)
        case .webSocketClosed(let close): return EventDetail(String(close.code), facts: close.facts)
        case .metrics(let metrics):
            var facts: EventFacts = [EventFact(.transactions, .integer(metrics.exchangeCount))]
            facts.add(.protocol, metrics.protocolName)
            return EventDetail(facts: facts)
        case .complete(let error): return EventDetail(end: error)
        default: return EventDetail()
        }
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
        if let response { record.keepTrailers(response.trailers.namesAndValues) }
        record.ended(with: error, response: response)
        let end = EventDetail(end: error)
        let facts = EventFacts.outcome(
            content: content.map { .content(of: $0) }, response: response.map { EventDetail($0).facts }, end: end)
        record.enter(
            name, EventDetail(end.argument, facts: facts), lane: .handler, queue: queue, method: method
        ).returns()
    }
}

extension [HTTPField] {
    var namesAndValues: [(name: String, value: String)] { map { ($0.name, $0.value) } }
}

extension CallbackQueue {
    /// The queue's label when called on its own thread; nil on others.
    var here: String? { isCurrent ? label : nil }
}
