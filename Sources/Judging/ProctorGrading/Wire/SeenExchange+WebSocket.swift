import ProctorBase
import ProctorJournal
import ProctorScenario

extension SeenExchange {
    /// The value of a fact about the WebSocket that the request opened.
    func measure(_ fact: FactName.WebSocketFact) -> Measurement {
        switch fact {
        case .request: Measurement(number)
        case .messages: messages { $0 == .text || $0 == .binary }
        case .pings: messages { $0 == .ping }
        case .pongs: messages { $0 == .pong }
        case .frames: Measurement(ofList: clientFrames.map(\.opcode))
        case .repeatedMasks: Measurement(clientFrames.count - Set(clientFrames.map(\.mask)).count)
        case .close: Measurement(closing?.code)
        case .closeReason: closing.map { .text($0.kept) } ?? .absent
        case .subprotocol: Measurement(agreement?.protocolName)
        case .extensions: Measurement(ofList: agreement?.extensions)
        case .violations:
            Measurement(
                ofValues: webSocket.compactMap { event -> String? in
                    if case .violation(let violation) = event { violation.kind } else { nil }
                })
        }
    }

    private var agreement: (protocolName: String?, extensions: [String])? {
        for case .opened(let name, let extensions) in webSocket { return (name, extensions) }
        return nil
    }

    private var clientFrames: [WebSocketFrameNote] {
        webSocket.compactMap { event in
            if case .frame(let frame) = event, frame.party == .client { frame } else { nil }
        }
    }

    private var closing: WebSocketFrameNote.Message? {
        clientFrames.lazy.compactMap(\.message).first { $0.kind == .close }
    }

    /// Of the client, as texts; a binary one in hexadecimal digits.
    private func messages(_ isWanted: (WebSocketFrameNote.Kind) -> Bool) -> Measurement {
        let messages = clientFrames.compactMap(\.message).filter { isWanted($0.kind) }
        if let cut = messages.first(where: { $0.kept.count < $0.byteCount }) {
            return .notKept("the journal kept \(cut.kept.count) of \(cut.byteCount) bytes of a message")
        }
        return .list(
            messages.map { message in
                guard message.kind == .binary else { return message.kept }
                return Array(message.kept.hexadecimal.utf8)
            })
    }
}
