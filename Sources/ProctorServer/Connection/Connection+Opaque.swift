internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorScenario
internal import ProctorTrace

/// A connection that is no HTTP any more: behind 101, and behind a 2xx reply to CONNECT (RFC 9110 §7.8, §9.3.6).
///
/// What comes is journalled, never read as a request and never answered but by the reply's own script.
extension Connection {
    /// Plays the script to its end, then takes whatever comes until the client leaves.
    ///
    /// One wait lasts at most ``ServerLimits/idleDuration``, and at most ``ServerLimits/lingerByteCount`` bytes are taken.
    func serveOpaque(
        _ script: [OpaqueStep], on stage: Stage, _ log: RequestLog
    ) async throws(ConnectionEnd) -> Never {
        // The switch is behind the whole request.
        if request.hasUnreadContent { try await receiveContent(.end, log, isAnswered: true) }
        leavesHTTP = true
        opaqueLog = log
        var stream = OpaqueStream(log, keeping: bounds.keptBodyByteCount)
        do throws(ConnectionEnd) {
            var player = Player(socket: socket, bounds: bounds)
            player.isTruncating = isTruncating
            player.sync = SyncDesk(board: stage.board) { log.append($0) }
            for (index, step) in script.enumerated() {
                switch step {
                case .effect(let action):
                    stream.flush()
                    log.append(.effectPlayed(action: action.text, position: "opaque \(index)"))
                    try await player.perform(action)
                    isTruncating = player.isTruncating
                case .expect(let source, let limit): try await expect(source, limit, &stream)
                case .read(let count, let limit): try await expect(count, nil, limit, &stream)
                }
            }
            if player.isHalfClosed {
                stream.flush()
                try await awaitPeer()
                throw .oursDone(.closed)
            }
            try await takeEverything(&stream)
        } catch {
            stream.flush()
            throw error
        }
    }

    private func takeEverything(_ stream: inout OpaqueStream) async throws(ConnectionEnd) -> Never {
        isOpaqueAtRest = true
        while stream.byteCount < bounds.lingerByteCount {
            if pendingStart < pending.count {
                let bytes = pending
                stream.take(bytes.span.extracting(pendingStart..<bytes.count))
                (pending, pendingStart) = ([], 0)
            }
            try await readOpaque(within: bounds.idle)
        }
        throw .oursInOrder
    }

    private func readOpaque(within limit: UInt64) async throws(ConnectionEnd) {
        let isOpen: Void?
        do throws(SocketError) {
            isOpen = try await socket.read(within: limit) { keep($0) }
        } catch {
            throw ConnectionEnd(error)
        }
        if isOpen == nil { throw .peerClosed }
    }

    // MARK: Expecting

    private func expect(
        _ source: ByteSource, _ limit: Duration?, _ stream: inout OpaqueStream
    ) async throws(ConnectionEnd) {
        var wanted: [UInt8] = []
        do {
            try ContentPiece(ContentSource(source)).read { wanted.append($0) }
        } catch {
            throw .sourceFailed("\(error)")
        }
        try await expect(wanted.count, wanted, limit, &stream)
    }

    /// Takes so many bytes, which must be `wanted` where that is given; what comes otherwise ends the connection.
    private func expect(
        _ count: Int, _ wanted: [UInt8]?, _ limit: Duration?, _ stream: inout OpaqueStream
    ) async throws(ConnectionEnd) {
        let start = MonotonicClock.nanoseconds
        let whole = limit?.wholeNanoseconds ?? bounds.await
        var met = 0
        while true {
            let come = pending[pendingStart...].prefix(count - met)
            let equal = wanted.map { Self.commonCount(come, $0[met...]) } ?? come.count
            let bytes = pending
            stream.take(bytes.span.extracting(pendingStart..<pendingStart + equal))
            pendingStart += equal
            met += equal
            if met == count {
                return stream.note(ExpectedBytes(byteCount: count, metByteCount: count, outcome: .met))
            }
            if equal < come.count {
                stream.note(missed(.differed, count, met, wanted))
                throw .oursInOrder
            }
            do throws(ConnectionEnd) {
                let passed = MonotonicClock.nanoseconds &- start
                guard passed < whole else { throw .timedOut }
                try await readOpaque(within: whole - passed)
            } catch {
                switch error {
                case .timedOut: stream.note(missed(.timedOut, count, met, wanted))
                case .peerClosed, .peerReset: stream.note(missed(.ended, count, met, wanted))
                default: break
                }
                throw error
            }
        }
    }

    private func missed(
        _ outcome: ExpectedBytes.Outcome, _ count: Int, _ met: Int, _ wanted: [UInt8]?
    ) -> ExpectedBytes {
        let shown = ExpectedBytes.shownByteLimit
        return ExpectedBytes(
            byteCount: count, metByteCount: met, outcome: outcome,
            wanted: wanted.map { Array($0[met...].prefix(shown)) }, got: Array(pending[pendingStart...].prefix(shown)))
    }

    private static func commonCount(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Int {
        var count = 0
        for (one, other) in zip(left, right) {
            guard one == other else { break }
            count += 1
        }
        return count
    }
}

/// What came on such a connection, on its way into the journal: in pieces of what one entry keeps, within a bound for all.
private struct OpaqueStream {
    private let log: RequestLog
    private var bytes = UnreadBytes()
    /// Bytes that may still be kept.
    private var room: Int
    /// In all.
    private(set) var byteCount = 0

    init(_ log: RequestLog, keeping limit: Int) {
        self.log = log
        room = limit
    }

    mutating func take(_ piece: Span<UInt8>) {
        guard !piece.isEmpty else { return }
        byteCount += piece.count
        var start = 0
        while start < piece.count {
            // What is beyond the bound is counted in one last entry.
            let free = room > 0 ? ReceivedBytes.keptByteLimit - bytes.byteCount : .max
            let end = start + min(free, piece.count - start)
            let before = bytes.kept.count
            bytes.take(piece.extracting(start..<end), keeping: min(ReceivedBytes.keptByteLimit, before + room))
            room -= bytes.kept.count - before
            start = end
            if room > 0, bytes.byteCount >= ReceivedBytes.keptByteLimit { flush() }
        }
    }

    mutating func flush() {
        if let event = bytes.event(.opaque) { log.append(event) }
    }

    mutating func note(_ expected: ExpectedBytes) {
        flush()
        log.append(.bytesExpected(expected))
    }
}
