internal import ProctorBase
internal import ProctorHTTP
internal import ProctorImport
internal import ProctorJournal
internal import ProctorLoop

/// One connection of a client to a gateway, on the loop's thread.
struct GatewayConnection {
    private let client: Socket
    private let number: Int
    private let gateway: Gateway
    private var reader = RequestReader()
    /// Bytes that came and were not read as HTTP yet.
    private var input = BufferedBytes()

    /// The longest content of a request that is handed on.
    static let contentByteLimit = 16 << 20
    /// Nanoseconds within which a client sends on, and reads.
    private static let patience: UInt64 = 60_000_000_000

    /// Why a connection is over.
    private enum End: Error {
        case closed(by: JournalEvent.Party, JournalEvent.Ending)
    }

    init(_ client: Socket, number: Int, of gateway: Gateway) {
        (self.client, self.number, self.gateway) = (client, number, gateway)
    }

    mutating func serve() async {
        addEntry(
            .connectionOpened(
                origin: "main", peer: client.peer.description, local: gateway.address.description))
        let socket = client
        gateway.cancelAtEnd(socket)
        defer { gateway.release(socket) }
        do throws(End) {
            while try await serveRequest() {}
            addEntry(.connectionClosed(by: .server, how: .closed))
        } catch {
            if case .closed(let party, let how) = error { addEntry(.connectionClosed(by: party, how: how)) }
        }
        socket.close()
    }

    private func addEntry(_ event: JournalEvent, request: Int? = nil) {
        gateway.journal.append(connection: number, request: request, event)
    }

    // MARK: Requests

    /// One request and its reply; false when the connection ends behind it.
    private mutating func serveRequest() async throws(End) -> Bool {
        guard let head = try await readHead() else { throw .closed(by: .client, .closed) }
        let request = gateway.nextRequest()
        addEntry(.requestHead(head, target: head.target), request: request)
        if head.expectsContinue, head.hasFraming { try await send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
        guard let content = try await readContent() else {
            return try await refuse(
                413, "the content has more than \(Self.contentByteLimit) bytes, which the gateway does not hand on",
                request)
        }
        addEntry(
            .requestBody(RequestBody(kept: content, byteCount: content.count, isComplete: true, trailers: [])),
            request: request)
        if let refusal = gateway.refusal(of: head) { return try await refuse(403, refusal, request) }
        // Any other upgrade that is offered may be ignored (RFC 9110 §7.8), as that to h2c.
        guard head.method != "CONNECT", !head.fields.values(named: "Upgrade").contains(where: Self.isWebSocket) else {
            return try await refuse(501, "the gateway hands on neither CONNECT nor a WebSocket", request)
        }
        if let status = gateway.plan.faults.status(ofRequest: request) {
            addEntry(.replyFailed(FailedReply("--fail answers it by \(status)")), request: request)
            try await send(
                HandedMessage.own(status, "the gateway answers this request itself, by --fail", closes: false))
            addEntry(.replySent(status: status, byteCount: 0), request: request)
            return head.keepsConnection
        }
        return try await handOn(head, content, request)
    }

    private static func isWebSocket(_ upgrade: ArraySlice<UInt8>) -> Bool {
        String(decoding: upgrade, as: UTF8.self).lowercased().contains(text: "websocket")
    }

    private func refuse(_ status: Int, _ text: String, _ request: Int) async throws(End) -> Bool {
        addEntry(.replyFailed(FailedReply(text)), request: request)
        try await send(HandedMessage.own(status, text))
        addEntry(.replySent(status: status, byteCount: 0), request: request)
        return false
    }

    /// nil when the client has left between two requests.
    private mutating func readHead() async throws(End) -> RequestHead? {
        while true {
            switch input.read({ reader.next($0, at: &$1) }) {
            case .head(let head)?: return head
            case .refused(let violation)?:
                addEntry(.violation(violation))
                try await send(HandedMessage.own(400, "this is no request: \(violation.sentence)"))
                throw .closed(by: .server, .refused)
            case nil: guard try await receive() else { return nil }
            default: continue
            }
        }
    }

    /// All content; nil beyond the limit.
    private mutating func readContent() async throws(End) -> [UInt8]? {
        var content: [UInt8] = []
        while true {
            let event = input.read { reader.next($0, at: &$1) }
            if case .content(let range)? = event { content += input.copy(range) }
            guard content.count <= Self.contentByteLimit else { return nil }
            switch event {
            case .end?: return content
            case .refused(let violation)?:
                addEntry(.violation(violation))
                try await send(HandedMessage.own(400, "this content can't be read: \(violation.sentence)"))
                throw .closed(by: .server, .refused)
            case nil: guard try await receive() else { throw .closed(by: .client, .closed) }
            default: continue
            }
        }
    }

    /// false at the peer's end.
    private mutating func receive() async throws(End) -> Bool {
        do throws(SocketError) {
            return try await client.read(within: Self.patience) { span -> Bool in
                input.append(span)
                return true
            } != nil
        } catch {
            throw .closed(by: error == .timedOut ? .server : .client, error == .timedOut ? .timedOut : .reset)
        }
    }

    private func send(_ bytes: [UInt8]) async throws(End) {
        do throws(SocketError) {
            try await client.write(bytes, within: Self.patience)
        } catch {
            throw .closed(by: .client, .reset)
        }
    }

    // MARK: Replies

    private func handOn(_ head: RequestHead, _ content: [UInt8], _ request: Int) async throws(End) -> Bool {
        let exchange = UpstreamExchange(
            HandedRequest(head, content: content, to: gateway.plan.upstream), of: gateway, on: client.loop)
        defer { exchange.close() }
        var reply = HandedReply(to: head, faults: gateway.plan.faults)
        var spool = ContentSpool(of: request, in: gateway.contents)
        var outcome = RecordedOutcome()
        var sentByteCount = 0
        var isSlowTold = false
        var mark = MonotonicClock.nanoseconds
        do throws(UpstreamFailure) {
            try await exchange.send(over: gateway.security)
        } catch {
            return try await fail(error, request, &outcome, reply, sentByteCount)
        }
        while true {
            let event: UpstreamEvent?
            do throws(UpstreamFailure) {
                event = try await exchange.next()
            } catch {
                outcome.stored = spool.finish()
                return try await fail(error, request, &outcome, reply, sentByteCount)
            }
            switch event {
            case .head(let head)?:
                outcome.framing = Self.framing(head)
                if !head.reason.isEmpty { outcome.reason = String(decoding: head.reason, as: UTF8.self) }
                outcome.times.beforeHead = MonotonicClock.nanoseconds &- mark
                mark = MonotonicClock.nanoseconds
            case .content(let bytes)?: spool.append(bytes, keepingFirst: SentContent.keptByteLimit)
            case .trailers(let fields)?:
                outcome.trailers = fields.map {
                    HTTPField(name: String(decoding: $0.name, as: UTF8.self), bytes: $0.value)
                }
            case nil: outcome.times.ofContent = MonotonicClock.nanoseconds &- mark
            }
            for step in reply.steps(for: event) {
                switch step {
                case .send(let bytes):
                    try await send(bytes)
                    sentByteCount += bytes.count
                case .pause(let time):
                    if !isSlowTold {
                        addEntry(.effectPlayed(PlayedEffect(action: "wait \(time)", at: "body")), request: request)
                    }
                    isSlowTold = true
                    _ = await client.loop.sleep(for: time)
                case .cut:
                    addEntry(.effectPlayed(PlayedEffect(action: "reset", at: "body")), request: request)
                    throw cut(request, sentByteCount, "--cut")
                }
            }
            if event == nil { break }
        }
        outcome.stored = spool.finish()
        outcome.loss = spool.loss
        gateway.record(outcome, ofRequest: request)
        // The journal has a reply with its content, which is known at its end.
        if let sent = reply.sent { addEntry(.replyBegun(sent), request: request) }
        addEntry(.replySent(status: reply.status, byteCount: sentByteCount), request: request)
        outcome.surplus = await exchange.readSurplus()
        if !outcome.surplus.isEmpty { gateway.record(outcome, ofRequest: request) }
        return reply.keepsConnection
    }

    private static func framing(_ head: ReplyHead) -> RecordedReply.Framing {
        switch head.framing {
        case .length: .length
        // A stream has an end of its own, which chunks have too.
        case .chunked, .stream: .chunked
        case .untilClose: .untilClose
        case .none, .tunnel: .unknown
        }
    }

    /// The server gave no whole reply: the client gets a 502 with the reason, or its connection is reset within the reply.
    private func fail(
        _ failure: UpstreamFailure, _ request: Int, _ outcome: inout RecordedOutcome, _ reply: HandedReply,
        _ sentByteCount: Int
    ) async throws(End) -> Bool {
        let url = gateway.plan.upstream.url
        outcome.failure = failure.reason
        outcome.ending = failure.ending
        gateway.record(outcome, ofRequest: request)
        guard let sent = reply.sent else {
            return try await refuse(502, "\(url) gave no reply: \(failure.reason)", request)
        }
        if failure.ending != nil { addEntry(.replyBegun(sent), request: request) }
        throw cut(request, sentByteCount, "\(url) gave no whole reply: \(failure.reason)")
    }

    /// Resets the connection within a reply.
    private func cut(_ request: Int, _ sentByteCount: Int, _ reason: String) -> End {
        addEntry(.replyAborted(sentByteCount: sentByteCount, reason: reason), request: request)
        client.reset()
        return .closed(by: .server, .reset)
    }
}
