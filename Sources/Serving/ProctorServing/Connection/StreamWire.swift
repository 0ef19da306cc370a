internal import ProctorBase
package import ProctorHTTP
internal import ProctorJournal
package import ProctorLoop
package import ProctorReplies

/// A stream of HTTP/2 or HTTP/3 as a wire: what comes is kept until it is asked for, and frames keep what goes out apart;
/// on the loop's thread only.
package protocol StreamWire: Wire {
    var arrived: StreamInput { get set }
    /// Whether a script plays behind a reply that is no HTTP.
    var isConversing: Bool { get }

    /// Lets waiting tasks look again.
    func wake()
    /// Nothing more can be sent or received; called once.
    func didClose(with reason: ConnectionEnd)
    /// Lets the client send as many bytes more on the stream.
    func credit(_ byteCount: Int)
    /// Sends what the carrier takes at once.
    func sendWaiting()
    /// Waits for what only the client can bring about, as ``waitForChange(within:)`` does.
    func waitForPeer(within limit: UInt64?) async throws(ConnectionEnd)
    /// Ends our half with the content so far, unless it has ended.
    func endSending()
}

extension StreamWire {
    package static var layout: WireLayout { .sections }

    // MARK: What comes

    /// Whether the client has ended its half.
    package var hasEnded: Bool { arrived.hasEnded }
    /// Why nothing can be sent or received any more; nil while that is possible.
    package var end: ConnectionEnd? { arrived.end }
    package var hasUntakenContent: Bool { !arrived.isEmpty }

    package func didReceive(_ content: some Collection<UInt8>) {
        arrived.append(content)
        wake()
    }

    /// The client has ended its half, with `trailers` where a field section did so.
    package func didEnd(with trailers: FieldSection? = nil) {
        arrived.endHalf(with: trailers)
        wake()
    }

    /// Nothing more can be sent or received.
    package func close(with reason: ConnectionEnd) {
        guard arrived.close(with: reason) else { return }
        didClose(with: reason)
        wake()
    }

    /// Takes all content that has come; the caller gives the window back.
    package func takeUnread() -> [UInt8] { arrived.takeAll() }

    /// Takes content that has come, as far as the goal wants it, and lets the peer send as much again.
    private func takeUnread(until goal: RequestInput.Goal) {
        let byteCount = arrived.hand(to: input, until: goal, keeping: bounds.keptBodyByteCount)
        if byteCount > 0 { credit(byteCount) }
    }

    // MARK: Waiting

    /// Waits until something of the stream has changed; throws when that takes longer than `limit` nanoseconds, by default
    /// ``ConnectionBounds/progress``, and where the stream is over.
    package func waitForChange(within limit: UInt64?) async throws(ConnectionEnd) {
        if let end { throw end }
        let isChanged = await arrived.pause(on: loop).wait(until: Socket.deadline(within: limit ?? bounds.progress))
        if let end { throw end }
        guard isChanged else { throw .timedOut }
    }

    /// The connection reads on meanwhile, so that its frames or its end end the stream.
    package func waitWhilePeerStays(until deadline: UInt64) async throws(ConnectionEnd) {
        arrived.isWaitEnded = false
        while !arrived.isWaitEnded {
            if let end { throw end }
            guard await arrived.pause(on: loop).wait(until: deadline) else { break }
        }
        if let end { throw end }
    }

    package func endWaits() {
        arrived.isWaitEnded = true
        wake()
    }

    // MARK: Receiving

    package func read(until goal: RequestInput.Goal) async throws(ConnectionEnd) {
        takeUnread(until: goal)
        while !input.isReached(goal) {
            // The windows that were given back.
            sendWaiting()
            try await waitForPeer(within: nil)
            takeUnread(until: goal)
        }
    }

    package func awaitBytes(within limit: UInt64) async throws(ConnectionEnd) {
        let deadline = Socket.deadline(within: limit)
        while true {
            let bytes = takeUnread()
            if !bytes.isEmpty {
                credit(bytes.count)
                sendWaiting()
                return input.store(bytes.span)
            }
            if let end { throw end }
            if hasEnded { throw .peerClosed }
            let now = MonotonicClock.nanoseconds
            guard now < deadline else { throw .timedOut }
            try await waitForChange(within: deadline - now)
        }
    }

    package func readAtOnce(_ take: (Span<UInt8>) -> Void) throws(ConnectionEnd) -> ReadAtOnce {
        let bytes = takeUnread()
        guard bytes.isEmpty else {
            take(bytes.span)
            credit(bytes.count)
            sendWaiting()
            return .bytes
        }
        if let end { throw end }
        return hasEnded ? .end : .nothing
    }

    /// The task of the stream wakes, and does what `answer` would.
    package func awaitInput(until deadline: UInt64, answer: @escaping () -> InputWait) async throws(ConnectionEnd) {
        guard !hasUntakenContent, !hasEnded else { return }
        let now = MonotonicClock.nanoseconds
        guard now < deadline else { throw .timedOut }
        try await waitForChange(within: deadline - now)
    }

    // MARK: Sending

    package var peerEnd: ConnectionEnd? { end }
    package var sendsAtOnce: Bool { !input.request.hasUnreadContent }

    // MARK: What is no longer HTTP

    /// Plays what is no longer HTTP to its end, behind which the connection goes on; `open` keeps a WebSocket while it is
    /// played.
    package func playConversation(
        _ conversation: HeldConversation<Self>, keeping open: ((any HeldWebSocket)?) -> Void
    ) async throws(ConnectionEnd) {
        switch conversation {
        case .webSocket(let conversation):
            open(conversation)
            defer { open(nil) }
            try endConversation(await conversation.run())
        case .opaque(let conversation):
            do throws(ConnectionEnd) {
                try await conversation.rest()
            } catch {
                try endConversation(error)
            }
        case .ended(let reason): try endConversation(reason)
        }
    }

    private func endConversation(_ reason: ConnectionEnd) throws(ConnectionEnd) {
        if let end { throw end }
        switch reason {
        // The stream ends, and the connection goes on.
        case .peerClosed, .serverCloses, .serverEnded: endSending()
        default: throw reason
        }
    }

    /// Whether it is a CONNECT without `:protocol`, which asks for a tunnel to an authority.
    package var isOfTunnel: Bool { input.request.head?.form == .authority }

    /// Waits until the stream or its connection is over.
    package func waitForChange(toEndWithin limit: UInt64) async throws(ConnectionEnd) {
        let deadline = Socket.deadline(within: limit)
        while true {
            let now = MonotonicClock.nanoseconds
            guard now < deadline else { throw .timedOut }
            try await waitForPeer(within: deadline - now)
        }
    }
}
