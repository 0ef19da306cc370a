internal import ProctorBase
package import ProctorEvents
package import ProctorProgram
package import ProctorRecorder

/// A WebSocket of a client, as the acts of a program use it.
///
/// Each completion is called once: with ``EventDetail/success``, or with the failure.
package protocol ConversationSocket: Sendable {
    /// The label of the queue on which a completion is called; nil: on none.
    var queueLabel: String? { get }

    func send(_ bytes: [UInt8], isText: Bool, completion: @escaping @Sendable (EventDetail) -> Void)

    /// The completion is called when the Pong has come.
    func ping(completion: @escaping @Sendable (EventDetail) -> Void)

    /// The message is nil after a failure.
    func receive(
        completion: @escaping @Sendable (_ message: (bytes: [UInt8], isText: Bool)?, _ end: EventDetail) -> Void)

    func close(code: Int?, reason: String?)
}

/// What the program does over the WebSocket of one step, with its completions recorded.
package struct Conversation<Socket: ConversationSocket>: Sendable {
    private let socket: Socket
    private let record: StepRecord

    package init(over socket: Socket, _ record: StepRecord) {
        (self.socket, self.record) = (socket, record)
    }

    /// Does the acts in order, up to the first that fails; returns what was received.
    package func run(_ acts: [ConversationAct]) async -> ReceivedMessages {
        var messages = ReceivedMessages()
        for act in acts {
            guard await perform(act, &messages) else { break }
        }
        return messages
    }

    private func perform(_ act: ConversationAct, _ messages: inout ReceivedMessages) async -> Bool {
        switch act {
        case .send(let message, let isText):
            let bytes = message.content
            return await completed(.wsSent, "send(_:completionHandler:)", facts: Self.facts(of: bytes, isText)) {
                socket.send(bytes, isText: isText, completion: $0)
            }
        case .ping: return await completed(.wsPong, "sendPing(pongReceiveHandler:)") { socket.ping(completion: $0) }
        case .receive(let count):
            for _ in 0..<count {
                guard let (bytes, isText) = await receive() else { return false }
                messages.append(bytes, isText: isText)
            }
        case .close(let code, let reason): socket.close(code: code, reason: reason)
        case .cancel: record.cancel()
        }
        return true
    }

    private func receive() async -> (bytes: [UInt8], isText: Bool)? {
        await withCheckedContinuation { continuation in
            socket.receive { message, end in
                let facts = message.map { Self.facts(of: $0.bytes, $0.isText) } ?? []
                enter(.wsReceived, "receive(completionHandler:)", end, facts)
                continuation.resume(returning: message)
            }
        }
    }

    /// False after a failure, whose event has none of the facts.
    private func completed(
        _ name: EventName, _ method: String, facts: EventFacts = [],
        of act: (@escaping @Sendable (EventDetail) -> Void) -> Void
    ) async -> Bool {
        await withCheckedContinuation { continuation in
            act { end in
                let isDone = end.argument == EventDetail.success.argument
                enter(name, method, end, isDone ? facts : [])
                continuation.resume(returning: isDone)
            }
        }
    }

    private func enter(_ name: EventName, _ method: String, _ end: EventDetail, _ facts: EventFacts) {
        record.enter(
            name, EventDetail(end.argument, facts: facts.appending(end.facts)), lane: .handler,
            queue: socket.queueLabel, method: method
        ).returns()
    }

    /// Kind, length and checksum.
    private static func facts(of bytes: [UInt8], _ isText: Bool) -> EventFacts {
        .content(of: bytes).appending([EventFact(.isText, .flag(isText))])
    }
}

/// The messages that a WebSocket gave to the application, as a `result` reports them.
package struct ReceivedMessages: Sendable {
    private var texts: [String] = []
    private var byteCount = 0

    package init() {}

    package mutating func append(_ bytes: [UInt8], isText: Bool) {
        byteCount += bytes.count
        guard byteCount <= KeptBody.limit else { return }
        texts.append(Self.text(of: bytes, isText: isText))
    }

    /// `text TEXT` or `binary 00ff`; a text that is not UTF-8 is `text:` and its bytes.
    package static func text(of bytes: [UInt8], isText: Bool) -> String {
        // iOS 16 cannot validate; decoding replaces what is not UTF-8, so the bytes differ then.
        let text = String(decoding: bytes, as: UTF8.self)
        if isText, text.utf8.elementsEqual(bytes) { return "text \(text)" }
        let digits = bytes.map { $0.hexadecimal() }.joined()
        return (isText ? "text: " : "binary ") + digits
    }

    /// `messages`: a list in JSON; nothing where the messages are too long for a trace.
    package var facts: EventFacts {
        guard byteCount <= KeptBody.limit / 2 else { return [] }
        var json = JSONText()
        json.list(texts) { $1.string($0) }
        return [EventFact(.messages, .text(String(decoding: json.bytes, as: UTF8.self)))]
    }
}
