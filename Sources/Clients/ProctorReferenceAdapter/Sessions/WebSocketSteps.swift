internal import ProctorAssignments
internal import ProctorEvents
internal import ProctorProgram
internal import ProctorRecorder
internal import ProctorReference

/// The WebSocket of one step.
struct StepSocket: ConversationSocket {
    let socket: ReferenceWebSocket
    let queue: CallbackQueue

    var queueLabel: String? { queue.here }

    /// Does the acts, and drops the messages that come afterwards; returns what was received.
    func run(_ acts: [ConversationAct], _ record: StepRecord) async -> ReceivedMessages {
        let messages = await Conversation(over: self, record).run(acts)
        socket.receiveNoMore()
        return messages
    }

    func send(_ bytes: [UInt8], isText: Bool, completion: @escaping @Sendable (EventDetail) -> Void) {
        socket.send(WebSocketMessage(bytes, isText: isText)) { completion(EventDetail(end: $0)) }
    }

    func ping(completion: @escaping @Sendable (EventDetail) -> Void) {
        socket.ping { completion(EventDetail(end: $0)) }
    }

    func receive(
        completion: @escaping @Sendable (_ message: (bytes: [UInt8], isText: Bool)?, _ end: EventDetail) -> Void
    ) {
        socket.receive { result in
            switch result {
            case .success(let message): completion((message.bytes, message.isText), .success)
            case .failure(let error): completion(nil, EventDetail(end: error))
            }
        }
    }

    func close(code: Int?, reason: String?) {
        socket.close(code.map { UInt16(clamping: $0) }, reason: Array((reason ?? "").utf8))
    }
}

extension WebSocketClose {
    /// What a `result` says of the server's Close frame.
    var facts: EventFacts {
        var facts: EventFacts = [EventFact(.closeCode, .integer(Int(code)))]
        if !reason.isEmpty { facts.add(.closeReason, String(decoding: reason, as: UTF8.self)) }
        return facts
    }
}
