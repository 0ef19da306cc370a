internal import ProctorBase
internal import ProctorHTTP
internal import ProctorWebSocket

/// What a WebSocket task asks for in its opening handshake (RFC 6455 §4.1, RFC 8441 §5).
final class OpeningHandshake: Sendable {
    let fault: WebSocketFault?
    private let protocols: [String]
    /// The key of the last request.
    private let key = Locked<[UInt8]>([])

    init(protocols: [String], fault: WebSocketFault?) {
        (self.protocols, self.fault) = (protocols, fault)
    }

    /// The fields of one request; each has a new key, or none where it is an extended CONNECT.
    func makeFields(onStream: Bool = false) -> [HTTPField] {
        var fields = onStream ? [] : makeUpgrade()
        fields.append(HTTPField("Sec-WebSocket-Version", fault == .otherVersion ? "12" : "13"))
        if !protocols.isEmpty {
            fields.append(HTTPField("Sec-WebSocket-Protocol", protocols.joined(separator: ", ")))
        }
        fields.append(HTTPField("Sec-WebSocket-Extensions", Self.compression.webSocketExtension.description))
        return fields
    }

    private func makeUpgrade() -> [HTTPField] {
        let bytes = (0..<OpeningKey.byteCount).map { fault == .constantKey ? UInt8($0) : .random(in: .min ... .max) }
        let text = Base64Text.encode(bytes)
        key.withLock { $0 = Array(text.utf8) }
        return [
            HTTPField("Upgrade", "websocket"), HTTPField("Connection", "Upgrade"), HTTPField("Sec-WebSocket-Key", text),
        ]
    }

    /// Compression with windows of any size, in both directions (RFC 7692 §7.1.2.2).
    private static let compression: DeflateParameters = {
        var parameters = DeflateParameters()
        parameters.clientWindow = .any
        return parameters
    }()

    /// Whether the caller's own field of that name is left out.
    static func owns(_ name: String) -> Bool {
        let name = name.lowercased()
        return name == "upgrade" || name == "connection" || name.hasPrefix("sec-websocket-")
    }

    /// What the server has chosen; throws the first departure from what was asked for.
    func judge(_ head: ReplyHead) throws(LoadError) -> OpeningReply {
        let isStream = head.version == .http2
        let offer = OpeningOffer(
            key: isStream ? nil : key.withLock { $0 }, protocols: protocols,
            extensions: [Self.compression.webSocketExtension], isStream: isStream)
        let reply = OpeningReply(judging: head, to: offer)
        if let violation = reply.violations.first(where: { !isTolerated($0.kind) }) {
            throw LoadError(.badServerResponse, "the WebSocket was not opened: \(violation)")
        }
        return reply
    }

    private func isTolerated(_ kind: HandshakeViolation.Kind) -> Bool {
        switch kind {
        case .acceptWrong: fault == .takesAnyAccept
        case .acceptMissing, .upgradeNotWebSocket, .connectionMissing: fault == .takesAnyUpgrade
        case .protocolNotOffered: fault == .takesAnyProtocol
        case .extensionNotOffered: fault == .takesAnyExtension
        default: false
        }
    }
}
