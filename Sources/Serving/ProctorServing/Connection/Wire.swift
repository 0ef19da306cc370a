package import ProctorBase
package import ProctorHTTP
package import ProctorJournal
package import ProctorLoop
package import ProctorReplies
package import ProctorScenario

/// What carries one request with its reply, and what follows: a connection of HTTP/1.1, which has one request at a
/// time, or a stream of HTTP/2 or HTTP/3; on the loop's thread only.
package protocol Wire: RequestSource, ConversationWire {
    /// How replies are laid out for it.
    static var layout: WireLayout { get }

    // MARK: Its place

    /// The connection of the request, or the one whose stream it is.
    var connection: any RequestConnection { get }

    // MARK: Receiving

    /// Whether content has come that the request does not have yet.
    var hasUntakenContent: Bool { get }

    /// Reads the content until the goal is reached, which is not one of portions.
    func read(until goal: RequestInput.Goal) async throws(ConnectionEnd)

    // MARK: Sending

    /// How the peer has left, as far as that is known; nil while it may still read.
    var peerEnd: ConnectionEnd? { get }
    /// Whether the request is complete and HTTP goes on, so that a reply may go out without a task.
    var sendsAtOnce: Bool { get }

    /// A reply is about to be played that brings more than its steps.
    func prepare(for reply: LaidOutReply, _ log: RequestLog)

    /// Sends a field section, or the given frame of it; frame 0 makes them all.
    func send(_ section: StreamSection, frame: Int?) throws(ConnectionEnd) -> (byteCount: Int, isLast: Bool)

    /// Sends at least one byte of content, and no more than `most`; returns the bytes on the wire, nil where there is no
    /// room.
    ///
    /// At the end of content it sends the end of the reply alone. `buffer` is for generated content.
    func send(
        _ content: inout ContentCursor, upTo most: Int, _ part: ContentPart, _ buffer: inout [UInt8]
    ) throws(ConnectionEnd) -> Int?

    /// Returns when there may be room.
    func awaitRoom() async throws(ConnectionEnd)

    /// Keeps a reply until there is room, and plays it on then; false where a task has to wait for room.
    func keepReply(_ reply: PlayedReply<Self>) -> Bool

    /// Lets what was sent go out; calls `note` when the system has all of it, and never where the connection ends before.
    func flush(_ note: (() -> Void)?)

    // MARK: Effects

    /// Plays an effect that the wire alone has; returns the bytes that it sent.
    func perform(_ action: Effect.Action) async throws(ConnectionEnd) -> Int

    // MARK: Ends

    /// A reply was played; throws where effects of it have ended the connection.
    func endReply(_ content: RequestContent<Self>) async throws(ConnectionEnd)

    /// After a reply: reads the rest of the request, or ends the connection.
    func settle(_ content: RequestContent<Self>, _ way: Settling) async throws(ConnectionEnd)

    /// Ends the stream of the request without a reply; a connection, which has no codes, throws its end.
    func endRequest(_ refusal: StreamRefusal) throws(ConnectionEnd)

    // MARK: What is no longer HTTP

    /// Nothing that comes from here on is HTTP.
    func leaveHTTP(_ log: RequestLog)

    /// Plays a WebSocket, or what is left of another conversation when its script is over; or keeps it to be played where
    /// the task has no frames of its reply.
    func holdConversation(_ conversation: HeldConversation<Self>) async throws(ConnectionEnd)

    /// Carries the connection that `make` makes of a socket, to its end; `isSecured`: TLS is spoken on it.
    func carry(
        isSecured: Bool, receiveBufferByteCount: Int?, _ make: (Socket, WaitingConnections) -> Connection
    ) async throws(ConnectionEnd)
}

/// What a connection or a stream is when it is no longer HTTP; its task waits there for most of its life.
package enum HeldConversation<Carrier: Wire> {
    case webSocket(any HeldWebSocket)
    case opaque(OpaqueConversation<Carrier>)
    /// The conversation was over with its script.
    case ended(ConnectionEnd)
}

/// Why the stream of a request ends without a reply, which its protocol says by a code.
package enum StreamRefusal {
    /// No tunnel leads to where the CONNECT asks for: CONNECT_ERROR (RFC 9113 §7), H3_CONNECT_ERROR (RFC 9114 §8.1).
    case connect
    /// The request is to be sent over HTTP/1.1: HTTP_1_1_REQUIRED, H3_VERSION_FALLBACK.
    case version
    /// An effect resets what follows a reply: CANCEL, or CONNECT_ERROR in a tunnel; H3_REQUEST_CANCELLED.
    case effect
}

/// What becomes of a wire behind a reply, and of content that has not come.
package enum Settling {
    /// The content is read, and another request may follow.
    case reads
    /// The content is read, but the client may leave it out, since it has got its final reply without a 100 (Continue).
    case mayLeave
    /// Nothing follows; `page`: since it was a page of the server that says so.
    case closes(page: Bool)
}

/// How a part of content stands in its reply.
package struct ContentPart {
    /// The reply ends with the content.
    package var endsReply = false
    /// A file follows at once, whose first bytes may share a packet with these.
    package var isFollowed = false
    /// Each part goes out by itself.
    package var isPaced = false
    /// At most one frame is sent.
    package var isOneFrame = false
    /// The bytes are those of an effect, which stand between frames where there are frames.
    package var isInserted = false

    /// Content of which none of this is so.
    package static let plain = ContentPart()
}

/// Hands who waits for an answer to tasks of its loop.
package final class WaitingPeer {
    /// nil once nobody waits.
    var peer: (any ConversationWire)?

    /// For the loop's thread.
    static func bound(_ peer: any ConversationWire) -> LoopBound<WaitingPeer> {
        let held = LoopBound(WaitingPeer(), on: peer.loop)
        held.value.peer = peer
        return held
    }

    /// Waits until the peer has left, and returns how, or until its wait is ended.
    fileprivate func waitUntilPeerLeaves() async -> ConnectionEnd? {
        do throws(ConnectionEnd) {
            try await peer?.waitWhilePeerStays()
            return nil
        } catch {
            return error
        }
    }
}

extension LoopBound<WaitingPeer> {
    /// Does work for the peer, over whatever wire that is; sets the flag, which ends the work, as soon as the peer leaves.
    ///
    /// Called on the loop, whose task does nothing else with the wire meanwhile. Returns when the work is over, with how the
    /// peer has left; nil: it has not.
    package func whilePeerStays<Output: Sendable>(
        orSet flag: CancelFlag, _ work: () async -> Output
    ) async -> (output: Output, end: ConnectionEnd?) {
        await withTaskGroup(of: ConnectionEnd?.self) { group in
            group.addTask {
                // Cancelled before it has begun: the task is, or the work was done at once.
                let end = Task.isCancelled ? .stopped : await self.value.waitUntilPeerLeaves()
                if end != nil { flag.set() }
                return end
            }
            let output = await work()
            group.cancelAll()
            value.peer?.endWaits()
            return (output, await group.next() ?? nil)
        }
    }
}

// What values of replies and scripts ask for.
extension Wire {
    package var socketNames: (peer: String, peerHost: String?, local: String)? {
        let peer = connection.peer
        return (peer.description, peer.host, connection.local.description)
    }

    package var secured: HandshakeNote? { connection.secured }
    package var securityFacts: SecurityFacts? { connection.securityFacts }
    package var receivedHead: RequestHead? { input.request.head }
    package var receivedBody: RequestBody { input.request.body }
}

// What all that a connection carries has of it.
extension Wire {
    /// Whether replies are bytes, and not frames; known when it is compiled, since comparing layouts would take a call.
    static var writesBytes: Bool { if case .bytes = layout { true } else { false } }

    package var loop: EventLoop { connection.loop }
    /// The socket of the client's own connection; nil: none.
    var clientSocket: Socket? { connection.clientSocket }
    package var endpoint: Endpoint { connection.endpoint }
    package var bounds: ConnectionBounds { connection.bounds }
    var journals: ConnectionJournals { connection.journals }
    package var scheme: Scheme { connection.scheme }
    /// Whether the server is about to stop.
    package var isStopping: Bool { connection.isStopping }
    /// When the request began, in MonotonicClock nanoseconds; for the first one behind a CONNECT, not later than that.
    var requestBeginning: UInt64 {
        let own = input.arrival.began(at: MonotonicClock.nanoseconds)
        guard Self.writesBytes, input.arrival.isFirst, let carrier = connection.carrier else { return own }
        return min(own, carrier.requestBeginning)
    }
    /// Whether another request can follow, where the reply does not speak against it: behind a stream always.
    func goesOn(_ staysOpen: Bool) -> Bool { !Self.writesBytes || staysOpen && !isStopping && socks == nil }

    /// Notes bytes that were not read and may be of a request behind this one, as sent at the latest at the moment, in
    /// MonotonicClock nanoseconds.
    ///
    /// On a connection they are content while content is missing; beside a stream they may be of any stream, and another
    /// task may wait to read them. QUIC keeps no bytes back.
    func noteWaitingRequest(at moment: UInt64) {
        guard let connection = connection.overSocket else { return }
        switch Self.layout {
        case .bytes:
            guard !input.request.hasUnreadContent, !connection.socket.isQuiet else { return }
            input.arrival.didFindWaiting(isNext: true, at: moment)
        case .sections:
            guard connection.socket.hasUnreadBytes else { return }
            connection.input.arrival.didFindWaiting(
                isNext: false, byteCount: connection.socket.unreadByteBound, at: moment)
        }
    }

    /// How many tunnels lead to here.
    var depth: Int { connection.depth }
    /// The beginning of a connection to a proxy of SOCKS, whose replies are no HTTP; nil: they are.
    var socks: SOCKSConnection? { connection.socks }

    /// The connection's number in the stage's journal; opens the connection there when it is new.
    func attach(to stage: Stage, origin: Int?) -> ConnectionJournals.Attachment {
        connection.attach(to: stage, origin: origin)
    }
}

// Waiting and receiving.
extension Wire {
    package var hasTurn: Bool { connection.overSocket?.socket.hasTurn ?? true }

    package func giveTurn(until deadline: UInt64) async throws(ConnectionEnd) {
        guard Self.writesBytes, let socket = connection.overSocket?.socket else { return }
        do throws(SocketError) {
            try await socket.giveTurn(until: deadline)
        } catch {
            throw ConnectionEnd(error)
        }
    }

    /// What was sent is counted; throws where a cut record was sent, which nothing may follow.
    func endPart() throws(ConnectionEnd) {
        guard Self.writesBytes, let connection = connection.overSocket, connection.output.isTruncating else { return }
        try connection.socket.endWithoutNotify()
    }

    /// Waits until the peer has taken a slice, so that slices don't flow together; those of a stream are frames.
    func keepSliceApart() async throws(ConnectionEnd) -> JournalEvent.SliceKeeping {
        guard Self.writesBytes, let output = connection.overSocket?.output else { return .queue }
        return try await output.keepSliceApart()
    }

    package func awaitPeerAfterHalfClose() async throws(ConnectionEnd) {
        if Self.writesBytes, let late = connection.overSocket?.late { return try await late.awaitPeer() }
        do throws(ConnectionEnd) {
            while true {
                try await awaitBytes(within: bounds.stall)
                input.drainKept { _ in }
            }
        } catch {
            if let end = peerEnd { throw end }
        }
    }

    /// Throws where a stream has ended, on which nothing can be sent any more; a connection tells that when it is written
    /// to.
    func requireOpen() throws(ConnectionEnd) { if !Self.writesBytes, let end = peerEnd { throw end } }

    /// Reads the content until the goal is reached.
    package func receive(_ goal: RequestInput.Goal) async throws(ConnectionEnd) {
        guard case .endInPortions(let byteCount, let interval) = goal else { return try await read(until: goal) }
        try await receivePortions(of: byteCount, every: interval)
    }

    /// Reads the content in portions at fixed times; other bytes stay with the system, or close the peer's window.
    private func receivePortions(of byteCount: Int, every interval: Duration) async throws(ConnectionEnd) {
        var moment = MonotonicClock.nanoseconds
        var goal = 0
        while !input.isReached(.end) {
            goal = goal.addingReportingOverflow(byteCount).overflow ? .max : goal + byteCount
            try await read(until: .portion(goal))
            guard !input.isReached(.end) else { return }
            // A late peer does not make the following portions faster.
            moment = max(moment &+ interval.wholeNanoseconds, MonotonicClock.nanoseconds)
            do throws(ConnectionEnd) {
                try await pause(until: moment)
            } catch {
                // What is left in a connection's queue is read at once, up to the end.
                guard Self.writesBytes, error.isOfPeer else { throw error }
            }
        }
    }

    /// Sends 100 (Continue); false where the peer already sends content, so that 100 may be omitted (RFC 9110
    /// §10.1.1).
    func sendContinue() async throws(ConnectionEnd) -> Bool {
        guard input.request.contentByteCount == 0, !hasUntakenContent else { return false }
        input.request.wasContinued = true
        _ = try await sendReply(LaidOutReply(ReplySection(status: 100), endsReply: false, as: Self.layout), nil)
        return true
    }

    /// Refuses the request, and notes what has come of it.
    func refuse(_ violation: Violation) async throws(ConnectionEnd) -> Never {
        input.takeRest()
        journals.append(input.unfinished.event(.refused))
        for earlier in input.request.takeViolations() { journals.append(.violation(earlier)) }
        journals.append(.violation(violation))
        try await sendRefusal(violation)
    }

    /// The current request, with its content where all of it was kept; without framing the content is empty.
    ///
    /// `comparison` is that of the request, by its first view or by ``CompiledScenario/comparison(for:)``.
    package func view(
        _ head: RequestHead, _ target: [UInt8], of stage: Stage, origin: Int, comparison: Comparison?
    ) -> RequestView {
        let scheme = stage.router == nil ? scheme : stage.compiled.scenario.origins[origin].scheme
        if !head.hasFraming, head.form == .origin, comparison == nil, !stage.compiled.needsDecoding {
            return RequestView(head: head, originTarget: target, scheme: scheme)
        }
        let input = input
        var body: [UInt8]? = []
        var gap: String?
        if head.hasFraming {
            let (count, kept) = (input.request.contentByteCount, input.request.keptContent.count)
            body = input.request.isComplete && kept == count ? input.request.keptContent : nil
            if input.request.isComplete, kept < count {
                gap = "\(count) bytes, of which only the first \(kept) are kept"
            }
        }
        guard stage.compiled.needsDecoding else {
            return RequestView(
                head: head, target: target, body: body, bodyGap: gap, comparison: comparison, scheme: scheme)
        }
        let decoding = DecodedBody(head, body: body, gap: gap, upTo: bounds.keptBodyByteCount) {
            stage.addresses.bound(for: head, scheme, from: self).context(origin: origin, at: stage.clock)
        }
        let view = RequestView(
            head: head, target: target, body: body, bodyGap: gap, decoding: decoding,
            security: stage.compiled.looksAtSecurity ? securityFacts : nil, comparison: comparison, scheme: scheme)
        return stage.compiled.asksScripts ? view.asking(scriptAsker(view, of: stage)) : view
    }
}

// Replies of the server itself.
extension Wire {
    package func flush() { flush(nil) }

    /// Tells the client of a connection that its request can't be read; a stream is reset by its end.
    func sendRefusal(_ violation: Violation) async throws(ConnectionEnd) -> Never {
        if Self.writesBytes, let output = connection.overSocket?.output {
            try await output.write(BuiltInReply.refusal(violation).bytes(for: input.request.head, closes: true))
        }
        throw .refused
    }

    /// Plays a reply of the server; returns how many bytes went out.
    package func sendReply(_ reply: LaidOutReply, _ log: RequestLog?) async throws(ConnectionEnd) -> Int {
        var cursor = ReplyCursor(reply, log)
        try await cursor.playToEnd(on: self)
        return cursor.sentByteCount
    }

    /// Whether a request like this one can follow its reply.
    func staysOpen(after head: RequestHead) -> Bool { goesOn(head.keepsConnection && head.version != .http10) }

    /// Writes a page as it stands, and returns the count of bytes; `closes`: nothing follows it.
    ///
    /// Content of a page that has a stream goes on with ``write(part:)``.
    func write(_ page: BuiltInReply, to head: RequestHead, closes: Bool) async throws(ConnectionEnd) -> Int {
        try await sendReply(page.laidOut(for: head, closes: closes, as: Self.layout, isNoted: false), nil)
    }

    /// Writes content behind such a page, in the framing of HTTP/1.1 where that is spoken.
    func write(part bytes: [UInt8]) async throws(ConnectionEnd) {
        _ = try await sendReply(LaidOutReply([.bytes(bytes)]), nil)
    }

    /// Ends such content: the last chunk, where it has chunks, or END_STREAM.
    func endParts(areChunks: Bool) async throws(ConnectionEnd) {
        if areChunks { return try await write(part: Array("0\r\n\r\n".utf8)) }
        _ = try await sendReply(LaidOutReply([.end]), nil)
    }

    /// Notes the end of a reply; on a stream, once all that is queued is sent.
    func noteReply(status: Int?, byteCount: Int, _ log: RequestLog?) {
        guard let log else { return }
        let end = JournalEvent.replySent(status: status, byteCount: byteCount)
        let isKept = (self as? MultiplexedStream).map { $0.owner.keepEnd(end, of: $0, log) }
        if isKept != true { log.append(end) }
    }

    /// Sends a page of the server in place of a reply of the scenario; `closes`: nothing follows it.
    func sendPage(
        _ page: BuiltInReply, to head: RequestHead, closes: Bool = false, _ log: RequestLog
    ) async throws(ConnectionEnd) {
        if let socks {
            try await sendBytes(socks.reply(ofStatus: page.status), log)
            throw .serverCloses
        }
        let byteCount = try await sendReply(page.laidOut(for: head, closes: closes, as: Self.layout), log)
        noteReply(status: page.status, byteCount: byteCount, log)
        let way: Settling = closes ? .closes(page: true) : staysOpen(after: head) ? .reads : .closes(page: false)
        try await settle(RequestContent(wire: self, log: log), way)
    }
}
