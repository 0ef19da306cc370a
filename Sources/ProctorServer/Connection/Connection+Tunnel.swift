internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorScenario

/// A connection of HTTP/1.1 that becomes a tunnel (RFC 9110 §9.3.6).
extension Connection: ProxyChannel {
    var clientSocket: Socket { carrier?.clientSocket ?? socket }
    var connectHead: RequestHead? { input.request.head }
    var isSecuredBelow: Bool { socket.layer != nil }
    var depth: Int { carrier.map { $0.depth + 1 } ?? 0 }

    /// Both have one socket.
    func noteEndOfTunnel(_ event: JournalEvent) { noteEnd(event) }

    /// Whether the connection has become a tunnel; requests in the tunnel belong to another `Connection`.
    var isTunnel: Bool { tunnel != nil }

    func refuseConnect(
        _ violation: Violation, _ head: RequestHead, _ log: RequestLog
    ) async throws(ConnectionEnd) -> Never {
        let refusal = BuiltInReply.refusal(violation)
        let reply = refusal.bytes(for: head, closes: true)
        log.append(.replyBegun(refusal.sent(to: head, closes: true)))
        try await output.write(reply)
        log.append(.replySent(status: violation.status, byteCount: reply.count))
        throw .refused
    }

    func sendEstablished(_ infos: [ReplyInfo], _ log: RequestLog?) async throws(ConnectionEnd) {
        let reply = Self.established(infos)
        if let log, let head = try? ReplyHead(parsing: reply, replyingTo: Array("CONNECT".utf8)) {
            log.append(.replyBegun(SentReply(head, .empty)))
        }
        try await output.write(reply)
        log?.append(.replySent(status: 200, byteCount: reply.count))
    }

    private static func established(_ infos: [ReplyInfo]) -> [UInt8] {
        var bytes: [UInt8] = []
        ReplyWriter.statusLine(status: 200, reason: Array("Connection established".utf8), into: &bytes)
        for info in infos {
            ReplyWriter.fieldLine(name: info.field.utf8, value: info.value(content: []), into: &bytes)
        }
        ReplyWriter.lineEnd(into: &bytes)
        return bytes
    }

    /// Turns the connection into a tunnel, and always throws the end of that.
    func open(_ way: Tunnel, of stage: Stage, log: RequestLog?) async throws(ConnectionEnd) {
        // Content of length 0 may be announced; its end must be read.
        if input.request.hasUnreadContent {
            if let log {
                try await RequestContent(channel: self, log: log).receive(.end, isAnswered: true)
            } else {
                try await receiver.receive(.end)
            }
        }
        if input.request.refusal != nil { throw .refused }
        guard let head = input.request.head, obstacle(to: way, of: stage, head) == nil else {
            throw .serverCloses
        }
        let inner = Connection(
            socket: socket, endpoint: .origin(stage, way.origin), bounds: bounds,
            security: stage.router?.security[way.tlsOrigin], carrier: self, waiting: waiting)
        inner.checksHost = stage.router?.leads(head, to: way.origin) == true
        inner.isStopping = isStopping
        // Bytes that came after the head belong to the tunnel.
        inner.input.replaceKept(with: Array(input.buffer.unread))
        inner.input.arrival.didKeep(at: MonotonicClock.nanoseconds)
        input.replaceKept(with: [])
        tunnel = inner
        await inner.serve()
        tunnel = nil
        throw .tunnelEnded
    }
}
