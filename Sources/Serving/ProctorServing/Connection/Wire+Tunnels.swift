internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorScenario

/// Tunnels: what a CONNECT asks for, and what carries a connection to an origin.
extension Wire {
    /// Refuses a CONNECT with content (RFC 9110 §9.3.6): another reader could take that content for bytes of the
    /// tunnel.
    func refuseConnect(
        _ violation: Violation, _ head: RequestHead, _ log: RequestLog
    ) async throws(ConnectionEnd) -> Never {
        let reply = BuiltInReply.refusal(violation).laidOut(for: head, closes: true, as: Self.layout)
        noteReply(status: violation.status, byteCount: try await sendReply(reply, log), log)
        throw .refused
    }

    /// Registers the wire with the stage before the connection that it carries, also after a reset.
    @discardableResult
    func attachAsCarrier(to stage: Stage) -> ConnectionJournals.Attachment {
        let origin: Int? = if case .origin(_, let origin) = endpoint { origin } else { nil }
        return attach(to: stage, origin: origin)
    }

    /// `number` is that of the carried connection.
    func noteTunnel(to origin: Int, of stage: Stage, as number: Int) {
        let attachment = attachAsCarrier(to: stage)
        guard let head = input.request.head else { return }
        attachment.journal.append(
            epoch: attachment.epoch, connection: attachment.number,
            .tunnelOpened(
                authority: EscapedText.escape(head.targetBytes, limit: 300),
                origin: stage.scenario.origins[origin].name,
                connection: number))
    }

    /// Why no tunnel can lead from here to there; nil where it can.
    func obstacle(toTunnelOf head: RequestHead) -> RoutingFailure? {
        depth < deepestTunnel ? nil : .tooDeep(head, limit: deepestTunnel)
    }

    /// Sends 200 to a CONNECT, with these fields.
    ///
    /// `log` is that of the CONNECT; nil where the CONNECT is no request of the scenario.
    func sendEstablished(_ infos: [ReplyInfo], _ log: RequestLog?) async throws(ConnectionEnd) {
        if let socks { return try await sendBytes(socks.reply(ofStatus: 200), log) }
        let section = ReplySection(
            status: 200, reason: "Connection established",
            fields: infos.map { .init($0.field, $0.value(content: [])) })
        let byteCount = try await sendReply(LaidOutReply(section, endsReply: false, as: Self.layout), log)
        noteReply(status: 200, byteCount: byteCount, log)
    }

    /// Sends a reply that is no HTTP.
    func sendBytes(_ bytes: [UInt8], _ log: RequestLog?) async throws(ConnectionEnd) {
        let byteCount = try await sendReply(LaidOutReply([.bytes(bytes)]), log)
        noteReply(status: nil, byteCount: byteCount, log)
    }

    /// Carries a connection to the origin, to its end, after a 2xx reply to CONNECT (RFC 9110 §9.3.6).
    func open(_ way: Tunnel, of stage: Stage, log: RequestLog?) async throws(ConnectionEnd) {
        // Content of length 0 may be announced; its end must be read.
        if input.request.hasUnreadContent {
            if let log {
                try await RequestContent(wire: self, log: log).receive(.end, isAnswered: true)
            } else {
                try await receive(.end)
            }
        }
        if input.request.refusal != nil { throw .refused }
        guard let head = input.request.head, obstacle(toTunnelOf: head) == nil else {
            return try endRequest(.connect)
        }
        let receiveBufferByteCount = stage.scenario.origins[way.origin].receiveBufferByteCount
        let security = stage.security(ofTunnelTo: way.tlsOrigin)
        try await carry(isSecured: security != nil, receiveBufferByteCount: receiveBufferByteCount) { socket, waiting in
            let inner = Connection(
                socket: socket, endpoint: .origin(stage, way.origin), bounds: bounds, security: security,
                carrier: self, waiting: waiting)
            inner.checksHost = stage.router?.leads(head, to: way.origin) == true
            inner.isStopping = isStopping
            return inner
        }
    }
}

/// The most nested tunnels: proxies can lead to one another and to themselves.
private let deepestTunnel = 8
