internal import Foundation
import ProctorEvents
internal import ProctorProgram
internal import ProctorRecorder

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The WebSocket of one step of URLSession.
struct URLSessionSocket: ConversationSocket {
    let task: URLSessionWebSocketTask
    let session: URLSession

    var queueLabel: String? { QueueLabel.current(for: session) }

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

    /// Does the acts, and then receives up to the end; returns what was received.
    func run(_ acts: [ConversationAct], _ record: StepRecord) async -> EventFacts {
        let messages = await Conversation(over: self, record).run(acts)
        // Without a call that receives, no Close frame of the server is read.
        while await hasNext() {}
        return messages.facts.appending(endFacts)
    }

    func send(_ bytes: [UInt8], isText: Bool, completion: @escaping @Sendable (EventDetail) -> Void) {
        task.send(isText ? .string(String(decoding: bytes, as: UTF8.self)) : .data(Data(bytes))) {
            completion(EventDetail($0))
        }
    }

    func ping(completion: @escaping @Sendable (EventDetail) -> Void) {
        task.sendPing { completion(EventDetail($0)) }
    }

    func receive(
        completion: @escaping @Sendable (_ message: (bytes: [UInt8], isText: Bool)?, _ end: EventDetail) -> Void
    ) {
        task.receive { result in
            switch result {
            case .success(.string(let text)): completion((Array(text.utf8), true), .success)
            case .success(.data(let data)): completion((Array(data), false), .success)
            case .failure(let error): completion(nil, EventDetail(error))
            @unknown default: completion(([], false), .success)
            }
        }
    }

    func close(code: Int?, reason: String?) {
        let code = code.flatMap { URLSessionWebSocketTask.CloseCode(rawValue: $0) } ?? .normalClosure
        task.cancel(with: code, reason: reason.map { Data($0.utf8) })
    }

    /// Receives a message of which nothing is recorded; false at the end.
    private func hasNext() async -> Bool {
        await withCheckedContinuation { continuation in
            task.receive { continuation.resume(returning: (try? $0.get()) != nil) }
        }
    }

    /// The facts of the server's Close frame, and of the reply to the handshake.
    private var endFacts: EventFacts {
        var facts: EventFacts = []
        let response = task.response as? HTTPURLResponse
        facts.add(.protocol, response?.value(forHTTPHeaderField: "Sec-WebSocket-Protocol"))
        guard task.closeCode != .invalid else { return facts }
        facts.add(.closeCode, task.closeCode.rawValue)
        facts.add(.closeReason, task.closeReason.map { String(decoding: $0, as: UTF8.self) })
        return facts
    }
}
