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
        guard let body = record.makeBody() else { return .unimplemented }
        defer { body.cleanUp() }
        let request = ReferenceRequest(
            step.request(with: body.body, in: setup), on: network, timeout: step.timeout.map { .milliseconds($0) })
        // A thread of its own, since the call may block it.
        guard let caller = WorkerThread({ [self] in send(request, record) }) else {
            return record.refuse("steps[\(index)]: the system gives no thread for the call")
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
        let recording = OutcomeRecording(ofRequest: record, queue: queue)
        guard shape == .connectionSync else {
            record.notes.schedule("queue", at: queue.label)
            record.notes.record(.resume)
            request.send(on: queue) { [self] call in
                guard case .handler(let outcome) = call else { return recordCall(call, record) }
                recording.called(outcome.content, outcome.response, error: outcome.error)
            }
            return record.notes.record(.returned)
        }
        record.notes.record(.resume)
        let outcome = request.sendSynchronously { [self] in recordCall($0, record) }
        record.notes.record(.returned)
        recording.returned(outcome.content, outcome.response, error: outcome.error)
    }

    /// Records a call that only a client with a deliberate fault makes.
    private func recordCall(_ call: DelegateCall, _ record: StepRecord) {
        guard case .response(let response) = call else { return }
        record.enter(
            .response, EventDetail(response), queue: queue.here, method: "connection:didReceiveResponse:"
        ).returns()
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

extension TaskOutcome {
    /// nil after an error, unless there is content beside it.
    fileprivate var content: [UInt8]? { error == nil || !bytes.isEmpty ? bytes : nil }
}
