internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Transforms the bytes of a ``Socket``, as TLS does: plaintext for its users, records for the peer.
///
/// Loop thread only. No method waits: the socket waits and calls again.
package protocol SocketLayer: AnyObject {
    /// Fills some of `room` with plaintext, from bytes of ``Socket/receiveAtOnce(into:)``.
    ///
    /// Never returns `moved(0)`. It may return `wantsToReceive` although the system still has bytes: polling then
    /// reports them at once.
    func read(into room: UnsafeMutableRawBufferPointer, from socket: Socket) -> LayerOutcome
    /// Adds records with some of the plaintext to the layer's queue, which is bounded; `wantsToSend` means that it is
    /// full.
    func write(_ bytes: UnsafeRawBufferPointer, to socket: Socket) -> LayerOutcome
    /// Passes the queue to ``Socket/sendAtOnce(_:)`` until the system accepts no more; returns 0, or the `errno` of a
    /// failure.
    ///
    /// After a failure the queue is empty. A call that would block is no failure.
    func flush(to socket: Socket) -> Int32
    var unsentByteCount: Int { get }
    /// Adds a close_notify alert to the queue; called once, and only if the peer can still receive it.
    func sendCloseNotify()
    /// Whether a read would return plaintext, an end or a failure; handles records without plaintext.
    func hasInput(from socket: Socket) -> Bool
}

/// The result of one call to a ``SocketLayer``.
package enum LayerOutcome: Sendable, Equatable {
    /// The number of bytes of plaintext, at least one.
    case moved(Int)
    /// The peer has ended its stream, with or without close_notify.
    case ended
    /// The layer needs bytes from the peer, or a turn for the loop's other work.
    case wantsToReceive
    /// The layer needs the system to accept bytes.
    case wantsToSend
    /// A system call on the socket failed; the socket has stored the error.
    case broken
    /// An error of the peer or the layer that ends the connection: one sentence.
    case failed(String)
}

// Access to the bytes on the wire, for a layer and for a handshake without one.
extension Socket {
    /// Receives without waiting: returns the count, 0 at the peer's end, or the negative `errno`.
    ///
    /// If no bytes have come since the last EAGAIN, it returns EAGAIN without a system call.
    package func receiveAtOnce(into room: UnsafeMutableRawBufferPointer) -> Int {
        loop.preconditionOnLoop()
        guard !isClosed else { return -Int(EBADF) }
        guard mayBeReadable || failureCode != 0 else { return -Int(EAGAIN) }
        while true {
            let count = unsafe orErrno(recv(descriptor, room.baseAddress, room.count, 0))
            switch Int32(clamping: -count) {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK: mayBeReadable = false
            case 1...: failureCode = Int32(clamping: -count)
            default:
                if count > 0, count < room.count { mayBeReadable = false }
            }
            return count
        }
    }

    /// Sends without waiting: returns how many bytes the system accepted, or the negative `errno`.
    package func sendAtOnce(_ bytes: UnsafeRawBufferPointer) -> Int {
        loop.preconditionOnLoop()
        guard !isClosed else { return -Int(EBADF) }
        while true {
            let count = unsafe orErrno(send(descriptor, bytes.baseAddress, bytes.count, noSignalFlag))
            if count == -Int(EINTR) { continue }
            if count > 0 { didSend(count) }
            if count == -Int(ECONNRESET) || count == -Int(ETIMEDOUT) { failureCode = Int32(clamping: -count) }
            return count
        }
    }

    /// Waits until the system has bytes or the peer's end; reads nothing.
    package func waitToReceive(within limit: UInt64 = .max) async throws(SocketError) {
        try requireUsable()
        try await wait(for: .reading, until: Self.deadline(within: limit))
    }

    /// Waits until the system accepts bytes again.
    package func waitToSend(within limit: UInt64 = .max) async throws(SocketError) {
        try requireUsable()
        try await wait(for: .writing, until: Self.deadline(within: limit))
    }

    // MARK: Through the layer

    /// Whether a read through the layer would not wait; polls the socket for new bytes first.
    func hasInput(through layer: any SocketLayer) -> Bool {
        if !mayBeReadable { mayBeReadable = readWouldNotBlock(descriptor) }
        let hasInput = layer.hasInput(from: self)
        // The layer may have queued an answer during the check.
        if layer.unsentByteCount > 0 { flushLayer() }
        return hasInput
    }

    func read<Result>(
        through layer: any SocketLayer, within limit: UInt64, upTo byteLimit: Int, _ body: (Span<UInt8>) -> Result
    ) async throws(SocketError) -> Result? {
        let room = unsafe min(loop.scratch.count, max(1, byteLimit))
        let deadline = Self.deadline(within: limit)
        while true {
            let outcome = unsafe layer.read(
                into: UnsafeMutableRawBufferPointer(rebasing: loop.scratch[..<room]), from: self)
            // The layer may have queued an answer while it read, as to a key update.
            if layer.unsentByteCount > 0 { flushLayer() }
            switch outcome {
            case .moved(let count):
                didMove(count)
                let bytes = unsafe UnsafeBufferPointer(
                    start: loop.scratch.baseAddress?.assumingMemoryBound(to: UInt8.self), count: min(count, room))
                return unsafe body(Span(_unsafeElements: bytes))
            case .ended: return nil
            case .wantsToReceive:
                // A peer that sends only records without plaintext does not extend the wait.
                guard deadline == .max || MonotonicClock.nanoseconds < deadline else { throw .timedOut }
                try await wait(for: .reading, until: deadline)
            // The task that writes waits for room in the send queue.
            case .wantsToSend: try await restBetweenTries(until: deadline)
            case .broken: throw .failed(.system("read", code: failureCode))
            case .failed(let sentence): throw .layerFailed(sentence)
            }
        }
    }

    /// Tries once: returns the bytes of plaintext that the layer accepted, 0 if none now.
    func writeAtOnce(_ bytes: [UInt8], from start: Int, upTo end: Int, through layer: any SocketLayer) -> LayerOutcome {
        guard failureCode == 0 else { return .broken }
        let outcome = unsafe bytes.withUnsafeBytes { buffer in
            unsafe layer.write(
                UnsafeRawBufferPointer(rebasing: buffer[start..<min(end, buffer.count)]), to: self)
        }
        flushLayer()
        guard failureCode == 0 else { return .broken }
        if case .moved(let count) = outcome { tap?.didSend(bytes[start..<start + count]) }
        return outcome
    }

    /// Nil where the layer accepts nothing now.
    func writeSomeAtOnce(
        _ bytes: [UInt8], from start: Int, upTo end: Int, through layer: any SocketLayer
    ) throws(SocketError) -> Int? {
        guard start < min(end, bytes.count) else { return 0 }
        let outcome = writeAtOnce(bytes, from: start, upTo: end, through: layer)
        if case .wantsToReceive = outcome {
            layerAwaitsInputSince = layerAwaitsInputSince ?? MonotonicClock.nanoseconds
            return nil
        }
        layerAwaitsInputSince = nil
        switch outcome {
        case .moved(let count):
            didMove(count)
            return count
        case .wantsToSend, .wantsToReceive: return nil
        case .ended: throw .failed(.system("write", code: EPIPE))
        case .broken: throw .failed(.system("write", code: failureCode))
        case .failed(let sentence): throw .layerFailed(sentence)
        }
    }

    /// Pauses before the next try, because the task of the other direction waits for the event.
    func restBetweenTries(until deadline: UInt64) async throws(SocketError) {
        let now = MonotonicClock.nanoseconds
        guard now < deadline else { throw .timedOut }
        try await rest(until: min(deadline, now &+ Self.tryPause))
    }

    /// The pause in nanoseconds.
    private static let tryPause: UInt64 = 1_000_000

    /// Waits until the system has accepted the layer's queue, which ``close()`` would drop; false if it has not.
    ///
    /// `limit` is in nanoseconds, for each wait. For the task that writes, or after its end. Without a layer it returns
    /// at once; a queue that can no longer be sent counts as empty.
    @discardableResult
    package func drainLayer(within limit: UInt64) async -> Bool {
        loop.preconditionOnLoop()
        flushLayer()
        while let layer, layer.unsentByteCount > 0 {
            do throws(SocketError) {
                try await waitToSend(within: limit)
            } catch {
                return false
            }
        }
        return true
    }

    /// Whether the layer's queue, which ``close()`` would drop, has bytes.
    package var hasUnsentRecords: Bool {
        loop.preconditionOnLoop()
        return layer?.unsentByteCount ?? 0 > 0
    }

    /// Sends the layer's queue; the rest follows when the system accepts bytes again.
    func flushLayer() {
        guard let layer, !isClosed else { return }
        let code = layer.flush(to: self)
        if code != 0, failureCode == 0 { failureCode = code }
        if layer.unsentByteCount > 0 {
            wantRoom()
        } else if endsWhenFlushed {
            endsWhenFlushed = false
            shutdownWriting(descriptor)
        }
    }
}
