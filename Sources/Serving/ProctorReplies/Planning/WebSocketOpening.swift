internal import ProctorBase
internal import ProctorHTTP
internal import ProctorScenario
internal import ProctorWebSocket

/// What became of the opening handshake of a WebSocket.
struct WebSocketOpening {
    let violations: [HandshakeViolation]
    /// With what was agreed on; nil where the connection goes on with HTTP.
    let script: WebSocketScript?
}

extension ReplyDraft {
    /// Adds the computed fields of the handshake (RFC 6455 §4.2.2, RFC 8441 §5), or refuses a request that is none.
    mutating func open(_ script: WebSocketScript, _ inputs: inout PlanInputs) -> WebSocketOpening? {
        guard let request = inputs.openingRequest() else { return nil }
        let offer = request.offer
        if offer.isStream, !script.hasOwnStatus { changeStatus(to: 200) }
        let isOpened = offer.isStream ? 200..<300 ~= status : status == 101
        if isOpened, script.isStrict, !request.violations.isEmpty {
            refuse(request)
            return WebSocketOpening(violations: request.violations, script: nil)
        }
        var computed: [Field] = []
        if !offer.isStream {
            computed = [Field("Upgrade", Array("websocket".utf8)), Field("Connection", Array("Upgrade".utf8))]
            if let accept = request.accept { computed.append(Field("Sec-WebSocket-Accept", Array(accept.utf8))) }
        }
        if let name = offer.protocols.first(where: script.protocols.contains) {
            computed.append(Field("Sec-WebSocket-Protocol", Array(name.utf8)))
        }
        if let accepted = script.deflate.flatMap({ DeflateParameters.accepting(offer.extensions, wish: $0) }) {
            computed.append(
                Field("Sec-WebSocket-Extensions", Array(accepted.webSocketExtension.description.utf8)))
        }
        prepend(computed.filter { field in !script.omittedFields.contains { field.isNamed($0) } })
        guard isOpened else { return WebSocketOpening(violations: request.violations, script: nil) }
        var opened = script
        opened.agreement = agreement
        return WebSocketOpening(violations: request.violations, script: opened)
    }

    /// What the fields say, right or wrong.
    private var agreement: WebSocketAgreement {
        func values(_ name: String) -> [[UInt8]] { fields.filter { $0.isNamed(name) }.map(\.value) }
        let extensions = values("sec-websocket-extensions").flatMap { WebSocketExtension.elements(of: $0) }
        let compression = extensions.first { $0.name == DeflateParameters.name }
        return WebSocketAgreement(
            protocolName: values("sec-websocket-protocol").first.map { String(decoding: $0, as: UTF8.self) },
            extensions: extensions.map(\.description),
            compression: compression.flatMap { try? DeflateParameters($0, in: .reply) })
    }

    /// A missing Upgrade and another version get 426, which says what is wanted (RFC 9110 §15.5.22, RFC 6455 §4.4).
    private mutating func refuse(_ request: OpeningRequest) {
        let kinds = request.violations.map(\.kind)
        let wantsOther = kinds.contains(.upgradeMissing) || kinds.contains(.versionNot13)
        let status = wantsOther && !request.offer.isStream ? 426 : 400
        let reasons = request.violations.map { "\($0)" }.joined(separator: "\n")
        refuse(status, "this is no opening handshake of a WebSocket:\n\(reasons)")
        set("Sec-WebSocket-Version", Array("13".utf8))
        guard status == 426 else { return }
        set("Upgrade", Array("websocket".utf8))
        set("Connection", Array("Upgrade".utf8))
    }
}
