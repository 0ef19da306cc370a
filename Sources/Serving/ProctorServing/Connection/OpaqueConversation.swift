internal import ProctorBase
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorScenario

/// What is no longer HTTP: a connection after 101 or after a 2xx reply to CONNECT (RFC 9110 §7.8, §9.3.6), or a stream
/// of HTTP/2 after such a reply (RFC 9113 §8.5, RFC 8441 §5).
///
/// Incoming bytes are journalled and answered only by the reply's script. One wait lasts at most
/// ``ServerLimits/idleDuration``, and at most ``ServerLimits/lingerByteCount`` bytes are taken.
package final class OpaqueConversation<Carrier: Wire> {
    private let wire: Carrier
    private let log: RequestLog
    private var stream: OpaqueStream
    /// Why nothing more is read.
    private var end: ConnectionEnd?

    /// To be called when the request is complete and the wire has left HTTP.
    init(behind request: StageRequest<Carrier>) {
        wire = request.wire
        log = request.log
        stream = OpaqueStream(log, keeping: wire.bounds.keptBodyByteCount)
    }

    private var input: RequestInput { wire.input }

    /// Plays the script to its end; `cursor` has sent the reply.
    func playScript(_ script: [OpaqueStep], by cursor: ReplyCursor) async throws(ConnectionEnd) {
        var cursor = cursor
        do throws(ConnectionEnd) {
            for (index, step) in script.enumerated() {
                switch step {
                case .effect(let action):
                    stream.flush()
                    log.append(.effectPlayed(action.row.played(at: "opaque \(index)")))
                    do throws(ConnectionEnd) {
                        try await cursor.perform(action, on: wire)
                    } catch {
                        // What the client has sent before it left is read at once, up to its end.
                        if error.isOfPeer { try await takeEverything() }
                        throw error
                    }
                    wire.flush()
                // Alone in its script, and played by a ``HeldWebSocket``.
                case .webSocket: continue
                case .expect(let source, let limit):
                    let wanted = try source.readBytes()
                    try await expect(wanted.count, equalTo: wanted, within: limit)
                case .read(let count, let limit): try await expect(count, equalTo: nil, within: limit)
                }
            }
            if wire.isHalfClosed {
                stream.flush()
                try await wire.awaitPeerAfterHalfClose()
                throw .serverEnded(.closed)
            }
        } catch {
            stream.flush()
            throw error
        }
    }

    /// Reads until the client leaves, behind the script; holds no frames of it.
    func rest() async throws(ConnectionEnd) -> Never {
        input.isAtRest = true
        do throws(ConnectionEnd) {
            while true {
                let until = Socket.deadline(within: wire.bounds.idle)
                if try takeAtOnce() {
                    try await wire.awaitInput(until: until) { self.takeWhatCame() }
                } else {
                    try await wire.giveTurn(until: until)
                }
            }
        } catch {
            stream.flush()
            throw error
        }
    }

    private func takeWhatCame() -> InputWait {
        let before = stream.byteCount
        do throws(ConnectionEnd) {
            guard try takeAtOnce() else { return .ends }
            return stream.byteCount == before
                ? .goesOn : .beginsAnew(until: Socket.deadline(within: wire.bounds.idle))
        } catch {
            end = error
            return .ends
        }
    }

    /// Takes what has come; false where something has to happen before more can be read.
    @inline(never)
    private func takeAtOnce() throws(ConnectionEnd) -> Bool {
        if let end { throw end }
        input.drainKept { stream.append($0) }
        while stream.byteCount < wire.bounds.lingerByteCount {
            switch try wire.readAtOnce({ stream.append($0) }) {
            case .bytes: continue
            case .nothing: return true
            case .end: throw .peerClosed
            case .needsTurn: return false
            }
        }
        throw .serverCloses
    }

    private func takeEverything() async throws(ConnectionEnd) -> Never {
        while stream.byteCount < wire.bounds.lingerByteCount {
            input.drainKept { stream.append($0) }
            try await wire.awaitBytes(within: wire.bounds.idle)
        }
        throw .serverCloses
    }

    // MARK: Expecting

    /// Takes so many bytes, which must equal `wanted` where that is not nil; other bytes end the connection.
    private func expect(
        _ count: Int, equalTo wanted: [UInt8]?, within limit: Duration?
    ) async throws(ConnectionEnd) {
        let start = MonotonicClock.nanoseconds
        let whole = limit?.wholeNanoseconds ?? wire.bounds.await
        var met = 0
        while true {
            let come = input.buffer.unread.prefix(count - met)
            let equal = wanted.map { Self.commonCount(come, $0[met...]) } ?? come.count
            let bytes = input.buffer.bytes
            stream.append(bytes.span.extracting(come.startIndex..<come.startIndex + equal))
            input.consumeKept(equal)
            met += equal
            if met == count {
                return stream.appendExpected(ExpectedBytes(byteCount: count, metByteCount: count, outcome: .met))
            }
            if equal < come.count {
                noteMissed(.differed, count, metCount: met, wanted: wanted)
                throw .serverCloses
            }
            do throws(ConnectionEnd) {
                let passed = MonotonicClock.nanoseconds &- start
                guard passed < whole else { throw .timedOut }
                try await wire.awaitBytes(within: whole - passed)
            } catch {
                switch error {
                case .timedOut: noteMissed(.timedOut, count, metCount: met, wanted: wanted)
                case .peerClosed, .peerReset: noteMissed(.ended, count, metCount: met, wanted: wanted)
                default: break
                }
                throw error
            }
        }
    }

    private func noteMissed(
        _ outcome: ExpectedBytes.Outcome, _ count: Int, metCount: Int, wanted: [UInt8]?
    ) {
        let shown = ExpectedBytes.shownByteLimit
        stream.appendExpected(
            ExpectedBytes(
                byteCount: count, metByteCount: metCount, outcome: outcome,
                wanted: wanted.map { Array($0[metCount...].prefix(shown)) },
                got: Array(input.buffer.unread.prefix(shown))))
    }

    private static func commonCount(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Int {
        zip(left, right).prefix { $0 == $1 }.count
    }
}

extension ByteSource {
    /// All of them; blocks on disk reads.
    package func readBytes() throws(ConnectionEnd) -> [UInt8] {
        var bytes: [UInt8] = []
        do {
            try ContentPiece(ContentSource(self)).read { bytes.append($0) }
        } catch {
            throw .sourceFailed("\(error)")
        }
        return bytes
    }
}

/// Bytes of such a connection for the journal, in pieces of one entry's bound, within a bound for all.
private struct OpaqueStream {
    private let log: RequestLog
    private var bytes = UnreadBytes()
    /// Bytes that may still be kept.
    private var room: Int
    private(set) var byteCount = 0

    init(_ log: RequestLog, keeping limit: Int) {
        self.log = log
        room = limit
    }

    mutating func append(_ piece: Span<UInt8>) {
        guard !piece.isEmpty else { return }
        byteCount += piece.count
        var start = 0
        while start < piece.count {
            // Bytes beyond the bound are counted in one last entry.
            let free = room > 0 ? ReceivedBytes.keptByteLimit - bytes.byteCount : .max
            let end = start + min(free, piece.count - start)
            let before = bytes.kept.count
            bytes.append(piece.extracting(start..<end), keeping: min(ReceivedBytes.keptByteLimit, before + room))
            room -= bytes.kept.count - before
            start = end
            if room > 0, bytes.byteCount >= ReceivedBytes.keptByteLimit { flush() }
        }
    }

    mutating func flush() {
        if let event = bytes.event(.opaque) { log.append(event) }
    }

    mutating func appendExpected(_ expected: ExpectedBytes) {
        flush()
        log.append(.bytesExpected(expected))
    }
}
