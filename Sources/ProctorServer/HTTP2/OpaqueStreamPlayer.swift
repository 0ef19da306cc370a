internal import ProctorBase
internal import ProctorHTTP
internal import ProctorHTTP2
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorScenario

/// Plays the script behind a 2xx reply to CONNECT on a stream, whose DATA is of another protocol; on the loop's thread
/// only.
///
/// `close` and `half-close` are END_STREAM there, and `reset` is RST_STREAM (RFC 9113 §8.5, RFC 8441 §5).
struct OpaqueStreamPlayer: OpaquePlaying {
    private var player: StreamPlayer
    private(set) var isHalfClosed = false

    init(_ stream: HTTP2Stream, _ reports: ReportAwaiter) { player = StreamPlayer(stream: stream, reports: reports) }

    private var stream: HTTP2Stream { player.stream }

    var sentByteCount: Int { player.sentByteCount }

    mutating func perform(_ action: Effect.Action) async throws(ConnectionEnd) {
        if let end = stream.end { throw end }
        switch action {
        case .send(let source): try await player.sendContent(ContentSource(source))
        case .close: throw .serverCloses
        case .reset:
            stream.owner.flush()
            stream.owner.reset(stream, stream.isOfTunnel ? .connectError : .cancel)
            throw .streamReset
        case .halfClose:
            stream.endSending()
            isHalfClosed = true
        case .wait, .waitBetween, .stall, .await, .alert, .truncateRecord, .badMAC, .frames:
            try await player.perform(action)
        }
    }
}

extension HTTP2Stream: OpaqueChannel {
    /// Whether it is a CONNECT without `:protocol`, which asks for a tunnel to an authority.
    fileprivate var isOfTunnel: Bool { input.request.head?.form == .authority }

    func leaveHTTP(_ log: RequestLog) {}

    func opaquePlayer(_ reports: ReportAwaiter) -> any OpaquePlaying { OpaqueStreamPlayer(self, reports) }

    func didPlay(_ player: any OpaquePlaying) { owner.flush() }

    func awaitBytes(within limit: UInt64) async throws(ConnectionEnd) {
        let deadline = Socket.deadline(within: limit)
        while true {
            let bytes = takeUnread()
            if !bytes.isEmpty {
                owner.credit(bytes.count, on: self)
                owner.flush()
                return input.keep(bytes.span)
            }
            if let end { throw end }
            if hasEnded { throw .peerClosed }
            let now = MonotonicClock.nanoseconds
            guard now < deadline else { throw .timedOut }
            try await waitForChange(within: deadline - now)
        }
    }

    func comeToRest() { isAtRest = true }

    func awaitPeerAfterHalfClose() async throws(ConnectionEnd) {
        do throws(ConnectionEnd) {
            while true {
                try await awaitBytes(within: bounds.stall)
                input.drainKept { _ in }
            }
        } catch {
            if let end { throw end }
        }
    }

    /// A 2xx reply to CONNECT goes out now.
    func acceptTunnel() {
        hasLeftHTTP = true
        owner.state.acceptedTunnel(on: number)
    }

    /// Sends END_STREAM, unless it was sent.
    func endSending() {
        guard owner.state.canSend(on: number) else { return }
        owner.sendContent([], endsStream: true, on: self)
        owner.flush()
    }

    /// Plays the script behind a 2xx reply, to the end of the stream.
    func converse(_ script: [OpaqueStep], behind request: StageRequest) async throws(ConnectionEnd) {
        var conversation = OpaqueConversation(behind: request, on: self)
        do throws(ConnectionEnd) {
            try await conversation.run(script)
        } catch {
            if let end { throw end }
            switch error {
            // The stream ends, and the connection goes on.
            case .peerClosed, .serverCloses, .serverEnded: endSending()
            default: throw error
            }
        }
    }
}
