internal import ProctorRecorder
internal import ProctorReference
internal import ProctorTrace

/// Writes down what a completion handler was given, or what `await` gave back.
struct HandlerRecording: Sendable {
    private let record: StepRecord
    private let queue: CallbackQueue

    init(_ record: StepRecord, queue: CallbackQueue) {
        self.record = record
        self.queue = queue
    }

    func called(_ content: [UInt8]?, _ response: LoadResponse?, _ error: LoadError?) {
        write(.handler, content, response, error, method: "dataTask(with:completionHandler:)", on: queue.here)
    }

    func returned(_ content: [UInt8], _ response: LoadResponse) {
        write(.awaited, content, response, nil, method: "data(for:delegate:)", on: nil)
    }

    func threw(_ error: LoadError) { write(.awaited, nil, nil, error, method: "data(for:delegate:)", on: nil) }

    private func write(
        _ name: EventName, _ content: [UInt8]?, _ response: LoadResponse?, _ error: LoadError?, method: String,
        on queue: String?
    ) {
        if let content { record.received(whole: KeptBody(content, byteCount: content.count), of: response) }
        record.ended(with: error, response: response)
        let failure = FailureFacts(error)
        var facts = response.map { ReplyFacts($0).facts } ?? []
        facts.add(.bytes, content?.count)
        let callback = record.enter(
            name, failure.name, lane: .handler, queue: queue, method: method, facts: facts.appending(failure.facts))
        callback.returns()
    }
}

extension CallbackQueue {
    /// Its label, for who is called by it; nil for everybody else.
    var here: String? { isCurrent ? label : nil }
}
