internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

// What a layer, and a handshake that comes before it, does with the bytes as they are on the wire.
extension Socket {
    /// Takes bytes as they came, without waiting: their count, 0 at the peer's end, or the negative `errno`.
    ///
    /// EAGAIN without asking the system, where nothing has come since it said so.
    public func receiveAtOnce(into room: UnsafeMutableRawBufferPointer) -> Int {
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

    /// Hands bytes to the system as they are, without waiting: how many it took, or the negative `errno`.
    public func sendAtOnce(_ bytes: UnsafeRawBufferPointer) -> Int {
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

    /// Waits until the system has bytes or the peer's end; takes nothing.
    public func waitToReceive(within limit: UInt64 = .max) async throws(SocketError) {
        try requireUsable()
        try await wait(for: .reading, until: Self.deadline(within: limit))
    }

    /// Waits until the system takes bytes again.
    public func waitToSend(within limit: UInt64 = .max) async throws(SocketError) {
        try requireUsable()
        try await wait(for: .writing, until: Self.deadline(within: limit))
    }

    // MARK: Through the layer

    /// Whether a read through the layer would not wait; asks the system, whose word the layer has to take.
    func hasInput(through layer: any SocketLayer) -> Bool {
        if !mayBeReadable { mayBeReadable = readWouldNotBlock(descriptor) }
        let hasInput = layer.hasInput(from: self)
        // Looking may have made an answer too.
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
            // Reading may have made an answer, as to a request for new keys.
            if layer.unsentByteCount > 0 { flushLayer() }
            switch outcome {
            case .moved(let count):
                didMove(count)
                let bytes = unsafe UnsafeBufferPointer(
                    start: loop.scratch.baseAddress?.assumingMemoryBound(to: UInt8.self), count: min(count, room))
                return unsafe body(Span(_unsafeElements: bytes))
            case .ended: return nil
            case .wantsToReceive:
                // A peer that always has something, and never plaintext, does not make the wait longer.
                guard deadline == .max || MonotonicClock.nanoseconds < deadline else { throw .timedOut }
                try await wait(for: .reading, until: deadline)
            // Room is what a task that writes waits for.
            case .wantsToSend: try await restBetweenTries(until: deadline)
            case .broken: throw .failed(.system("read", code: failureCode))
            case .failed(let sentence): throw .layerFailed(sentence)
            }
        }
    }

    /// One try: what was taken of the plaintext, 0 for nothing now.
    func writeAtOnce(_ bytes: [UInt8], from start: Int, upTo end: Int, through layer: any SocketLayer) -> LayerOutcome {
        guard failureCode == 0 else { return .broken }
        let outcome = unsafe bytes.withUnsafeBytes { buffer in
            unsafe layer.write(
                UnsafeRawBufferPointer(rebasing: buffer[start..<min(end, buffer.count)]), to: self)
        }
        flushLayer()
        return failureCode == 0 ? outcome : .broken
    }

    func writeSome(
        _ bytes: [UInt8], from start: Int, upTo end: Int, through layer: any SocketLayer, within limit: UInt64
    ) async throws(SocketError) -> Int {
        guard start < min(end, bytes.count) else { return 0 }
        let deadline = Self.deadline(within: limit)
        while true {
            try requireUsable()
            switch writeAtOnce(bytes, from: start, upTo: end, through: layer) {
            case .moved(let count):
                didMove(count)
                return count
            case .wantsToSend: try await wait(for: .writing, until: Self.deadline(within: limit))
            case .wantsToReceive:
                // Bytes are what a task that reads waits for; perhaps no task waits for them, and then nothing tells of them.
                try await restBetweenTries(until: deadline)
                mayBeReadable = true
            case .ended: throw .failed(.system("write", code: EPIPE))
            case .broken: throw .failed(.system("write", code: failureCode))
            case .failed(let sentence): throw .layerFailed(sentence)
            }
        }
    }

    /// Lets a moment pass before a try whose wait belongs to the other direction's task.
    private func restBetweenTries(until deadline: UInt64) async throws(SocketError) {
        let now = MonotonicClock.nanoseconds
        guard now < deadline else { throw .timedOut }
        try await rest(until: min(deadline, now &+ Self.tryPause))
    }

    /// Nanoseconds.
    private static let tryPause: UInt64 = 1_000_000

    /// Waits until the system has taken the layer's queue, which ``close()`` would drop; false where it has not.
    ///
    /// `limit` nanoseconds hold for each wait. For the task that writes, or when no task does any more. Without a layer
    /// there is nothing to wait for, and a queue that can't be sent any more is empty.
    @discardableResult
    public func drainLayer(within limit: UInt64) async -> Bool {
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

    /// Whether bytes stand in the layer's queue, which ``close()`` would drop.
    public var hasUnsentRecords: Bool {
        loop.preconditionOnLoop()
        return layer?.unsentByteCount ?? 0 > 0
    }

    /// Hands the queue on; what the system does not take now follows as soon as it does.
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
