internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

extension Socket {
    /// Waits for bytes and lends them to `body`, at most 64 KiB at once; nil after the peer has sent FIN.
    ///
    /// The bytes are in the loop's own buffer, so an idle connection has none; they are invalid once `body` has
    /// returned. A wait of more than `limit` nanoseconds times out. At most `byteLimit` bytes are read from the system.
    package func read<Result>(
        within limit: UInt64 = .max, upTo byteLimit: Int = .max, _ body: (Span<UInt8>) -> Result
    ) async throws(SocketError) -> Result? {
        try requireUsable()
        try await shareTurn()
        if let layer { return try await read(through: layer, within: limit, upTo: byteLimit, body) }
        let room = unsafe min(loop.scratch.count, max(1, byteLimit))
        while true {
            // The system may still hold bytes that came before the error, which may be that of a write.
            if mayBeReadable || failureCode != 0 {
                let count = unsafe orErrno(recv(descriptor, loop.scratch.baseAddress, room, 0))
                if count > 0 {
                    // Only a full buffer suggests that there are more bytes; otherwise polling reports them.
                    if count < room { mayBeReadable = false }
                    didMove(count)
                    let bytes = unsafe UnsafeBufferPointer(
                        start: loop.scratch.baseAddress?.assumingMemoryBound(to: UInt8.self), count: count)
                    return unsafe body(Span(_unsafeElements: bytes))
                }
                if failureCode != 0 { throw .failed(.system("read", code: failureCode)) }
                if count == 0 { return nil }
                switch Int32(-count) {
                case EINTR: continue
                case EAGAIN, EWOULDBLOCK: mayBeReadable = false
                case let code:
                    failureCode = code
                    continue
                }
            }
            try await wait(for: .reading, until: Self.deadline(within: limit))
        }
    }

    /// Whether a read would wait, since there are no bytes, no end and no error; reads nothing from the system.
    ///
    /// With a layer it makes the layer read, so it must not be called while another task waits to read; see
    /// ``hasUnreadBytes``.
    package var isQuiet: Bool {
        loop.preconditionOnLoop()
        guard !isClosed, !isCancelled, failureCode == 0 else { return false }
        if let layer { return !hasInput(through: layer) }
        return !readWouldNotBlock(descriptor)
    }

    /// Whether the system holds unread bytes, the peer's end or an error.
    ///
    /// It reads nothing, also with a layer, so it may be called while a task waits to read. Bytes inside the layer do
    /// not count.
    package var hasUnreadBytes: Bool {
        loop.preconditionOnLoop()
        return !isClosed && readWouldNotBlock(descriptor)
    }

    /// The most bytes that reads could return of those that the system holds; with a layer, also of those inside it.
    package var unreadByteBound: Int {
        loop.preconditionOnLoop()
        guard !isClosed, let count = unreadByteCount(of: descriptor) else { return .max }
        return layer == nil ? count : count + Self.layerByteBound
    }

    /// More than a layer holds between two reads: one TLS record with its header, nonce and tag (RFC 5246 §6.2.3).
    private static let layerByteBound = 5 + 16_384 + 2_048

    /// Waits until a read would not block, without reading: bytes have arrived, or the peer has closed.
    package func waitUntilReadable(within limit: UInt64 = .max) async throws(SocketError) {
        try requireUsable()
        try await shareTurn()
        let deadline = Self.deadline(within: limit)
        while failureCode == 0 {
            if let layer {
                didMove(0)
                if hasInput(through: layer) { return }
            } else if mayBeReadable {
                didMove(0)
                // `mayBeReadable` may be out of date: the last read may have read exactly the available bytes.
                if readWouldNotBlock(descriptor) { return }
                mayBeReadable = false
            }
            guard deadline == .max || MonotonicClock.nanoseconds < deadline else { throw .timedOut }
            try await wait(for: .reading, until: deadline)
        }
    }
}
