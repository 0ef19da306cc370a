internal import ProctorBase
internal import ProctorEvents
internal import ProctorProgram
internal import ProctorRecorder
internal import ProctorReference
internal import ProctorReferenceStorage

/// Runs steps as requests of NSURLConnection without a delegate: families connectionSync and connectionQueued.
final class RequestSteps: ReferenceClient {
    private let shape: ReferenceShape
    private let setup: SessionSetup
    private let recorder: TraceRecorder
    private let network: LegacyNetwork
    /// The queue for every queued request of the assignment; for the main queue, this client uses one of its own.
    private let queue: CallbackQueue
    private let ending = LegacyEnding()

    init(
        _ assignment: Assignment, as shape: ReferenceShape, breaking: Breakage?, storage: ReferenceStorage? = nil,
        recordingTo recorder: TraceRecorder
    ) throws(CallFailure) {
        (self.shape, self.recorder) = (shape, recorder)
        setup = assignment.session
        var configuration = try ReferenceConfiguration(assignment, breaking: breaking)
        configuration.useStores(of: storage)
        configuration.makeCallFilter = breaking?.makeCallFilter(of: shape)
        network = try LegacyNetwork(configuration: configuration)
        queue = try CallbackQueue(label: setup.queue == .main ? "main" : "D")
    }

    private var family: CallbackFamily { shape == .connectionSync ? .connectionSync : .connectionQueued }

    func perform(_ step: Assignment.Step, index: Int, before end: UInt64) async -> AssignmentRunner.Ending {
        let record = StepRecord(step, number: index, family: family, recordingTo: recorder)
        let body: StepBody
        do {
            body = try StepBody(step, notes: record.notes)
        } catch {
            record.notes.unimplemented("steps[\(index)].body: it can't be put into a file: \(error)")
            return .unimplemented
        }
        defer { body.cleanUp() }
        let request = ReferenceRequest(
            step.request(with: body.body, in: setup), on: network, timeout: step.timeout.map { .milliseconds($0) })
        // A thread of its own, since the call may block it.
        guard let caller = WorkerThread({ [self] in send(request, record) }) else {
            record.notes.unimplemented("steps[\(index)]: the system gives no thread for the call")
            return .unimplemented
        }
        caller.detach()
        let hasEnded = await record.waitForEnd(before: end)
        await waitForQueue()
        record.writeResult(hasEnded: hasEnded)
        return hasEnded ? .finished : .outOfTime
    }

    /// Returns when the calls in the queue have been made, so that a second call of a block is recorded.
    private func waitForQueue() async {
        await withCheckedContinuation { continuation in
            if !queue.submit({ continuation.resume() }) { continuation.resume() }
        }
    }

    /// Sends the request on the program's calling thread; records the return of the call.
    private func send(_ request: ReferenceRequest, _ record: StepRecord) {
        let result = RequestRecording(record, queue: queue)
        guard shape == .connectionSync else {
            record.notes.schedule("queue", at: queue.label)
            record.notes.record(.resume)
            request.send(on: queue) { result.took($0) }
            return record.notes.record(.returned)
        }
        record.notes.record(.resume)
        let outcome = request.sendSynchronously { result.took($0) }
        record.notes.record(.returned)
        result.took(.handler(outcome))
    }

    // MARK: The end

    func abandon() {
        ending.start(network, queue)
    }

    func finish(before end: UInt64) async -> Bool {
        abandon()
        return await ending.isOver(before: end)
    }
}

/// Records the result of a request, and calls that only a client with a deliberate fault makes.
struct RequestRecording: Sendable {
    private let record: StepRecord
    private let queue: CallbackQueue

    init(_ record: StepRecord, queue: CallbackQueue) {
        (self.record, self.queue) = (record, queue)
    }

    func took(_ call: DelegateCall) {
        switch call {
        case .handler(let outcome): took(outcome)
        case .response(let response):
            let detail = EventDetail(response)
            record.enter(
                .response, detail.argument, queue: queue.here, method: "connection:didReceiveResponse:",
                facts: detail.facts
            ).returns()
        default: break
        }
    }

    private func took(_ outcome: TaskOutcome) {
        let isSync = record.family == .connectionSync
        let content = outcome.error == nil || !outcome.bytes.isEmpty ? outcome.bytes : nil
        if let content, outcome.error == nil {
            record.received(whole: KeptBody(content, byteCount: content.count), of: outcome.response)
        }
        record.ended(with: outcome.error, response: outcome.response)
        let failure = EventDetail(end: outcome.error)
        var facts = outcome.response.map { EventDetail($0).facts } ?? []
        if let content { facts = facts.appending(.content(of: content)) }
        facts = facts.appending(failure.facts)
            .appending(.inHands(data: content != nil, response: outcome.response != nil, error: outcome.error != nil))
        record.enter(
            isSync ? .awaited : .handler, failure.argument, lane: .handler, queue: isSync ? nil : queue.here,
            method: isSync ? Self.synchronous : Self.queued, facts: facts
        ).returns()
    }

    private static let synchronous = "sendSynchronousRequest:returningResponse:error:"
    private static let queued = "sendAsynchronousRequest:queue:completionHandler:"
}
