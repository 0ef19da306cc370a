internal import ProctorRecorder
internal import ProctorReference
internal import ProctorTrace

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

    func called(_ content: [UInt8]?, _ response: LoadResponse?, _ error: LoadError?) {
        let method = isUpload ? "uploadTask(with:fromFile:completionHandler:)" : "dataTask(with:completionHandler:)"
        write(.handler, content, response, error, method: method, on: queue.here)
    }

    func returned(_ content: [UInt8], _ response: LoadResponse) {
        write(.awaited, content, response, nil, method: awaitedMethod, on: nil)
    }

    func threw(_ error: LoadError) { write(.awaited, nil, nil, error, method: awaitedMethod, on: nil) }

    private var awaitedMethod: String { isUpload ? "upload(for:fromFile:delegate:)" : "data(for:delegate:)" }

    private func write(
        _ name: EventName, _ content: [UInt8]?, _ response: LoadResponse?, _ error: LoadError?, method: String,
        on queue: String?
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
    /// Its label, for who is called by it; nil for everybody else.
    var here: String? { isCurrent ? label : nil }
}
