internal import ProctorBase
internal import ProctorJournal
internal import ProctorLoop
package import ProctorScenario
internal import ProctorTLS
import ProctorTLSWire

/// How bytes of a reply are written; nil: none can be written now, and ``awaitRoom()`` waits until they can.
extension ConnectionOutput {
    /// Writes at least one byte of the range; `isFollowed`: more follows at once.
    func writeAtOnce(
        _ bytes: [UInt8], _ range: Range<Int>, isFollowed: Bool = false
    ) throws(ConnectionEnd) -> Int? {
        do throws(SocketError) {
            return try socket.writeSomeAtOnce(
                bytes, from: range.lowerBound, upTo: range.upperBound, expectingMore: isFollowed)
        } catch {
            throw ConnectionEnd(error)
        }
    }

    private static var filePieceByteCount: Int { 1 << 20 }

    /// Writes at least one byte of a file; 0 at its end.
    func writeAtOnce(
        of file: borrowing OpenFile, from position: Int, upTo most: Int
    ) throws(ConnectionEnd) -> Int? {
        do throws(SocketError) {
            return try socket.sendSomeAtOnce(of: file, from: position, byteCount: min(most, Self.filePieceByteCount))
        } catch {
            throw ConnectionEnd(error)
        }
    }

    /// Waits until the peer has read some of what was sent.
    func awaitRoom() async throws(ConnectionEnd) {
        do throws(SocketError) {
            try await socket.awaitRoom(within: bounds.progress)
        } catch {
            throw ConnectionEnd(error)
        }
    }

    /// Used where the peer's queue is unknown: long enough for a program that waits in a read.
    private static var restBetweenSlices: UInt64 { 5_000_000 }

    /// Waits until the peer has taken a slice out of its queue, so that slices don't flow together.
    func keepSliceApart() async throws(ConnectionEnd) -> JournalEvent.SliceKeeping {
        let reading: PeerReading
        do throws(SocketError) {
            reading = try await socket.waitUntilPeerHasRead(within: bounds.progress)
        } catch {
            throw ConnectionEnd(error)
        }
        switch reading {
        case .everything: return .queue
        case .left: throw socket.wasReset ? .peerReset : .peerClosed
        case .unknown:
            let moment = Socket.deadline(within: Self.restBetweenSlices)
            while MonotonicClock.nanoseconds < moment { try await waitWhilePeerStays(until: moment) }
            return .pause
        }
    }
}

/// The effects that a connection alone has.
extension ConnectionOutput {
    package func perform(_ action: Effect.Action) async throws(ConnectionEnd) {
        switch action {
        case .alert(let number): try await alert(number)
        case .truncateRecord:
            try await spoilNextRecord(.truncated)
            isTruncating = true
        case .badMAC: try await spoilNextRecord(.badMAC)
        case .keyUpdate(let both): try await updateKeys(both: both)
        case .close(let abrupt, let notify):
            socket.sendsCloseNotify = notify
            if abrupt {
                // Written bytes must leave the TLS layer's queue as they leave the system's.
                await socket.drainLayer(within: bounds.settle)
                socket.close()
                throw .serverEnded(.closed)
            }
            await settle()
            throw .serverCloses
        case .reset(let abrupt):
            if !abrupt { await settle() }
            socket.reset()
            throw .serverEnded(.reset)
        case .halfClose:
            try await sendCloseNotifyBehindHandshake()
            socket.halfClose()
            isHalfClosed = true
        case .stall: try await stall()
        case .frames:
            throw .unanswerable(
                "its effect \"\(action.verb.rawValue)\" sends frames of HTTP/2, and this connection speaks HTTP/1.1")
        // Any wire has these, by its player.
        case .wait, .waitRandom, .send, .await, .clock: break
        }
    }

    private func stall() async throws(ConnectionEnd) {
        do throws(SocketError) {
            try await socket.waitUntilPeerLeaves(within: bounds.stall, throughLayer: true)
        } catch {
            throw ConnectionEnd(error)
        }
        throw socket.wasReset ? .peerReset : .peerClosed
    }

    /// Waits, bounded, until the peer's side has acknowledged all written bytes.
    private func settle() async {
        let start = MonotonicClock.nanoseconds
        while !socket.wasReset, let left = socket.unacknowledgedByteCount, left > 0,
            MonotonicClock.nanoseconds &- start < bounds.settle
        {
            guard await socket.loop.sleep(for: .milliseconds(1)) else { return }
        }
    }
}

// Faults of TLS; the loader refuses them where TLS is not used.
extension ConnectionOutput {
    private var session: TLSSession? { handshaking ?? socket.layer as? TLSSession }

    /// A fatal alert after all sent bytes, then FIN without close_notify.
    private func alert(_ number: UInt8) async throws(ConnectionEnd) {
        guard let session else { return }
        if handshaking == nil { try await drain(session) }
        guard session.send(alert: number) else {
            throw .sourceFailed(
                "the alert \(number) can't be sent: the session has ended already, or its keys are not known")
        }
        try await drain(session)
        try socket.endWithoutNotify()
    }

    /// After a complete handshake close_notify precedes FIN, although the socket has no TLS layer yet.
    private func sendCloseNotifyBehindHandshake() async throws(ConnectionEnd) {
        guard let handshaking else { return }
        handshaking.sendCloseNotify()
        try await drain(handshaking)
    }

    /// Changes the record after the last sent byte.
    private func spoilNextRecord(_ fault: TLSRecordFault) async throws(ConnectionEnd) {
        guard let session else { return }
        // During a handshake, the queue has the rest of its flight.
        if handshaking == nil { try await drain(session) }
        session.spoil(fault)
    }

    /// Everything before is written with the former keys.
    private func updateKeys(both: Bool) async throws(ConnectionEnd) {
        guard let session, handshaking == nil else { return }
        try await drain(session)
        guard session.updateKeys(both: both) else {
            throw .sourceFailed(
                "keys can't be updated: KeyUpdate is of TLS 1.3, and this connection speaks an older version")
        }
        try await drain(session)
    }

    private func drain(_ session: TLSSession) async throws(ConnectionEnd) {
        while true {
            guard session.flush(to: socket) == 0 else { throw .peerReset }
            guard session.unsentByteCount > 0 else { return }
            try await awaitRoom()
        }
    }
}

extension Socket {
    /// Ends the connection now, whatever waits on it, by `close` or `reset`; how it has ended.
    func endByTime(_ action: Effect.Action) -> JournalEvent.Ending {
        guard case .close(_, let notify) = action else {
            reset()
            return .reset
        }
        sendsCloseNotify = notify
        halfClose()
        cancel()
        return .closed
    }
}
