internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorReplies
internal import ProctorScenario
internal import ProctorWebSocket

extension WebSocketScript: PlannedWebSocket {
    /// Adds the computed fields of the handshake (RFC 6455 §4.2.2, RFC 8441 §5), or refuses a request that is none.
    func open(_ draft: inout ReplyDraft, _ inputs: inout PlanInputs) -> WebSocketOpening? {
        guard let head = inputs.openingHead() else { return nil }
        let request = OpeningRequest(judging: head)
        let offer = request.offer
        let violations = request.violations.map { WebSocketNote($0) }
        if offer.isStream, !hasOwnStatus { draft.changeStatus(to: 200) }
        let isOpened = offer.isStream ? 200..<300 ~= draft.status : draft.status == 101
        if isOpened, isStrict, !request.violations.isEmpty {
            draft.refuse(request)
            return WebSocketOpening(violations: violations, program: nil)
        }
        var computed: [ReplyDraft.Field] = []
        func add(_ name: String, _ value: String) { computed.append(ReplyDraft.Field(name, Array(value.utf8))) }
        if !offer.isStream {
            add("Upgrade", "websocket")
            add("Connection", "Upgrade")
            if let accept = request.accept { add("Sec-WebSocket-Accept", accept) }
        }
        if let name = offer.protocols.first(where: protocols.contains) { add("Sec-WebSocket-Protocol", name) }
        if let accepted = deflate.flatMap({ DeflateParameters.accepting(offer.extensions, wish: $0) }) {
            add("Sec-WebSocket-Extensions", accepted.webSocketExtension.description)
        }
        draft.prepend(computed.filter { field in !omittedFields.contains { field.isNamed($0) } })
        guard isOpened else { return WebSocketOpening(violations: violations, program: nil) }
        var opened = self
        opened.agreement = WebSocketAgreement(saidBy: draft.fields)
        return WebSocketOpening(violations: violations, program: opened)
    }
}

extension WebSocketAgreement {
    /// What the fields of a reply say, right or wrong.
    fileprivate init(saidBy fields: [ReplyDraft.Field]) {
        func values(_ name: String) -> [[UInt8]] { fields.filter { $0.isNamed(name) }.map(\.value) }
        let extensions = values("sec-websocket-extensions").flatMap { WebSocketExtension.elements(of: $0) }
        let compression = extensions.first { $0.name == DeflateParameters.name }
        self.init(
            protocolName: values("sec-websocket-protocol").first.map { String(decoding: $0, as: UTF8.self) },
            extensions: extensions.map(\.description),
            compression: compression.flatMap { try? DeflateParameters($0, in: .reply) })
    }
}

extension ReplyDraft {
    /// A missing Upgrade and another version get 426, which says what is wanted (RFC 9110 §15.5.22, RFC 6455 §4.4).
    fileprivate mutating func refuse(_ request: OpeningRequest) {
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
