internal import ProctorBase
internal import ProctorEvents
internal import ProctorHTTP
internal import ProctorProgram
internal import ProctorRecorder
internal import ProctorReference

/// What the program does over the WebSocket of one step, with its completions recorded.
struct WebSocketStep: Sendable {
    let acts: [ConversationAct]
    let socket: ReferenceWebSocket
    let record: StepRecord
    let queue: CallbackQueue

    /// Does the acts in order, up to the first that fails; returns what was received.
    func run() async -> ReceivedMessages {
        var messages = ReceivedMessages()
        for act in acts {
            guard await perform(act, &messages) else { break }
        }
        socket.receiveNoMore()
        return messages
    }

    private func perform(_ act: ConversationAct, _ messages: inout ReceivedMessages) async -> Bool {
        switch act {
        case .send(let message, let isText):
            let message = WebSocketMessage(message.content, isText: isText)
            return await completed(.wsSent, "send(_:completionHandler:)", facts: message.facts) {
                socket.send(message, completion: $0)
            }
        case .ping: return await completed(.wsPong, "sendPing(pongReceiveHandler:)") { socket.ping(completion: $0) }
        case .receive(let count):
            for _ in 0..<count {
                guard let message = await receive() else { return false }
                messages.append(message.bytes, isText: message.isText)
            }
            return true
        case .close(let code, let reason):
            socket.close(code.map { UInt16(clamping: $0) }, reason: Array((reason ?? "").utf8))
            return true
        case .cancel:
            record.cancel()
            return true
        }
    }

    private func receive() async -> WebSocketMessage? {
        await withCheckedContinuation { continuation in
            socket.receive { result in
                switch result {
                case .success(let message):
                    enter(.wsReceived, "receive(completionHandler:)", error: nil, facts: message.facts)
                    continuation.resume(returning: message)
                case .failure(let error):
                    enter(.wsReceived, "receive(completionHandler:)", error: error)
                    continuation.resume(returning: nil)
                }
            }
        }
    }

    private func completed(
        _ name: EventName, _ method: String, facts: EventFacts = [],
        of act: (@escaping @Sendable (LoadError?) -> Void) -> Void
    ) async -> Bool {
        await withCheckedContinuation { continuation in
            act { error in
                enter(name, method, error: error, facts: error == nil ? facts : [])
                continuation.resume(returning: error == nil)
            }
        }
    }

    private func enter(_ name: EventName, _ method: String, error: LoadError?, facts: EventFacts = []) {
        let end = EventDetail(end: error)
        record.enter(
            name, end.argument, lane: .handler, queue: queue.here, method: method, facts: facts.appending(end.facts)
        ).returns()
    }
}

extension WebSocketMessage {
    /// Kind, length and checksum.
    fileprivate var facts: EventFacts { EventFacts.content(of: bytes).appending([EventFact(.isText, .flag(isText))]) }
}

extension WebSocketClose {
    /// What a `result` says of the server's Close frame.
    var facts: EventFacts {
        var facts: EventFacts = [EventFact(.closeCode, .integer(Int(code)))]
        if !reason.isEmpty { facts.add(.closeReason, String(decoding: reason, as: UTF8.self)) }
        return facts
    }
}
