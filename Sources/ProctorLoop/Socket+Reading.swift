internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

extension Socket {
    /// Waits for bytes and lends them to `body`, at most 64 KiB at once; returns nil when the peer has sent FIN.
    ///
    /// The bytes stand in the loop's own buffer, so an idle connection holds none, and are gone when `body` returns.
    /// A wait longer than `limit` nanoseconds ends as timed out; at most `byteLimit` bytes are taken from the system.
    public func read<Result>(
        within limit: UInt64 = .max, upTo byteLimit: Int = .max, _ body: (Span<UInt8>) -> Result
    ) async throws(SocketError) -> Result? {
        try requireUsable()
        try await shareTurn()
        if let layer { return try await read(through: layer, within: limit, upTo: byteLimit, body) }
        let room = unsafe min(loop.scratch.count, max(1, byteLimit))
        while true {
            // What came before the end can still be had, where the system keeps it: an error may be a write's.
            if mayBeReadable || failureCode != 0 {
                let count = unsafe orErrno(recv(descriptor, loop.scratch.baseAddress, room, 0))
                if count > 0 {
                    // A full buffer is the only hint that more may be waiting; otherwise polling tells.
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

    /// Whether a read would wait: neither bytes nor the peer's end nor an error stand ready; takes nothing.
    ///
    /// Under a layer it has that read on, so not while another task waits to read; see ``hasUnreadBytes``.
    public var isQuiet: Bool {
        loop.preconditionOnLoop()
        guard !isClosed, !isCancelled, failureCode == 0 else { return false }
        if let layer { return !hasInput(through: layer) }
        return !readWouldNotBlock(descriptor)
    }

    /// Whether the system holds what was not read: bytes, the peer's end or an error.
    ///
    /// Takes nothing, also from under a layer, so that it may be asked while a task waits to read. Bytes that the layer
    /// holds itself don't count.
    public var hasUnreadBytes: Bool {
        loop.preconditionOnLoop()
        return !isClosed && readWouldNotBlock(descriptor)
    }

    /// Waits until a read would not block, taking nothing: bytes have come, or the peer has left.
    public func waitUntilReadable(within limit: UInt64 = .max) async throws(SocketError) {
        try requireUsable()
        try await shareTurn()
        let deadline = Self.deadline(within: limit)
        while failureCode == 0 {
            if let layer {
                didMove(0)
                if hasInput(through: layer) { return }
            } else if mayBeReadable {
                didMove(0)
                // The hint may be stale: the last read can have taken exactly what was there.
                if readWouldNotBlock(descriptor) { return }
                mayBeReadable = false
            }
            guard deadline == .max || MonotonicClock.nanoseconds < deadline else { throw .timedOut }
            try await wait(for: .reading, until: deadline)
        }
    }

    /// Waits until the peer has closed its side or reset the connection, reading nothing.
    public func waitUntilPeerLeaves(within limit: UInt64 = .max) async throws(SocketError) {
        try requireUsable()
        let deadline = Self.deadline(within: limit)
        wasWaitForPeerEnded = false
        #if canImport(Darwin)
            // kqueue reports an end only with bytes or room, which libuv can't leave out, so this one looks from time
            // to time.
            while !peerHasLeft(descriptor) {
                guard MonotonicClock.nanoseconds < deadline, !wasWaitForPeerEnded else { throw .timedOut }
                guard await loop.sleep(for: .milliseconds(20)) else { throw .cancelled }
                try requireUsable()
            }
        #else
            try await wait(for: .leaving, until: deadline)
        #endif
    }

    /// Ends a wait for the peer's end as if its time were over; where no task waits, nothing happens.
    public func endWaitForPeer() {
        loop.preconditionOnLoop()
        endLeavingWait()
    }
}
