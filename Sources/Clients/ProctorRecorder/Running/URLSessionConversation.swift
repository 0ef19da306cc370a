internal import Foundation
import ProctorEvents
internal import ProctorProgram

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// What the program does over the WebSocket of one step of URLSession, with its completions recorded.
struct URLSessionConversation: Sendable {
    let task: URLSessionWebSocketTask
    let record: StepRecord
    let session: URLSession

    /// A task that is not resumed, for `ws` in place of `http` and `wss` in place of `https`.
    static func task(of step: Assignment.Step, _ request: URLRequest, in session: URLSession) -> URLSessionWebSocketTask
    {
        var request = request
        if var parts = request.url.flatMap({ URLComponents(url: $0, resolvingAgainstBaseURL: false) }) {
            parts.scheme = parts.scheme?.lowercased() == "https" ? "wss" : "ws"
            request.url = parts.url
        }
        if !step.protocols.isEmpty {
            request.setValue(step.protocols.joined(separator: ", "), forHTTPHeaderField: "Sec-WebSocket-Protocol")
        }
        return session.webSocketTask(with: request)
    }

    /// Does the acts in order, up to the first that fails, and then receives up to the end; returns what was received.
    func run(_ acts: [ConversationAct]) async -> EventFacts {
        var messages = ReceivedMessages()
        for act in acts {
            guard await perform(act, &messages) else { break }
        }
        // Without a call that receives, no Close frame of the server is read.
        while await next() != nil {}
        return messages.facts.appending(endFacts)
    }

    private func perform(_ act: ConversationAct, _ messages: inout ReceivedMessages) async -> Bool {
        switch act {
        case .send(let message, let isText):
            let bytes = message.content
            let sent: URLSessionWebSocketTask.Message =
                isText ? .string(String(decoding: bytes, as: UTF8.self)) : .data(Data(bytes))
            return await completed(.wsSent, "send(_:completionHandler:)", facts: Self.facts(of: bytes, isText: isText))
            {
                task.send(sent, completionHandler: $0)
            }
        case .ping:
            return await completed(.wsPong, "sendPing(pongReceiveHandler:)") { task.sendPing(pongReceiveHandler: $0) }
        case .receive(let count):
            for _ in 0..<count {
                guard let (bytes, isText) = await receive() else { return false }
                messages.append(bytes, isText: isText)
            }
        case .close(let code, let reason):
            let code = code.flatMap { URLSessionWebSocketTask.CloseCode(rawValue: $0) } ?? .normalClosure
            task.cancel(with: code, reason: reason.map { Data($0.utf8) })
        case .cancel:
            record.cancel()
        }
        return true
    }

    private func receive() async -> (bytes: [UInt8], isText: Bool)? {
        await withCheckedContinuation { continuation in
            task.receive { result in
                switch result {
                case .success(let message):
                    let (bytes, isText) = Self.content(of: message)
                    enter(
                        .wsReceived, "receive(completionHandler:)", error: nil,
                        facts: Self.facts(of: bytes, isText: isText))
                    continuation.resume(returning: (bytes, isText))
                case .failure(let error):
                    enter(.wsReceived, "receive(completionHandler:)", error: error)
                    continuation.resume(returning: nil)
                }
            }
        }
    }

    /// The next message, which nothing is recorded of; nil at the end.
    private func next() async -> URLSessionWebSocketTask.Message? {
        await withCheckedContinuation { continuation in
            task.receive { continuation.resume(returning: try? $0.get()) }
        }
    }

    private func completed(
        _ name: EventName, _ method: String, facts: EventFacts = [],
        of act: (@escaping @Sendable ((any Error)?) -> Void) -> Void
    ) async -> Bool {
        await withCheckedContinuation { continuation in
            act { error in
                enter(name, method, error: error, facts: error == nil ? facts : [])
                continuation.resume(returning: error == nil)
            }
        }
    }

    private func enter(_ name: EventName, _ method: String, error: (any Error)?, facts: EventFacts = []) {
        let failure = ErrorFacts(error)
        record.enter(
            name, failure.name, lane: .handler, queue: QueueLabel.current(for: session), method: method,
            facts: facts.appending(failure.facts)
        ).returns()
    }

    /// Of the server's Close frame, and of the reply to the handshake.
    private var endFacts: EventFacts {
        var facts: EventFacts = []
        let response = task.response as? HTTPURLResponse
        facts.add(.protocol, response?.value(forHTTPHeaderField: "Sec-WebSocket-Protocol"))
        guard task.closeCode != .invalid else { return facts }
        facts.add(.closeCode, task.closeCode.rawValue)
        facts.add(.closeReason, task.closeReason.map { String(decoding: $0, as: UTF8.self) })
        return facts
    }

    private static func content(of message: URLSessionWebSocketTask.Message) -> (bytes: [UInt8], isText: Bool) {
        switch message {
        case .string(let text): (Array(text.utf8), true)
        case .data(let data): (Array(data), false)
        @unknown default: ([], false)
        }
    }

    private static func facts(of bytes: [UInt8], isText: Bool) -> EventFacts {
        EventFacts.content(of: bytes).appending([EventFact(.isText, .flag(isText))])
    }
}
