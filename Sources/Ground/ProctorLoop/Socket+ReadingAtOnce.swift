internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The result of a read without waiting.
package enum ReadAtOnce {
    /// Bytes, which were lent to the caller's closure.
    case bytes
    /// The peer has sent FIN.
    case end
    /// No bytes now: call ``Socket/waitForInput(until:)``, then try again.
    case nothing
    /// The layer or another task needs a turn first.
    ///
    /// Call ``Socket/giveTurn(until:)`` and try again, or ``Socket/read(within:upTo:_:)``, which does both.
    case needsTurn
}

/// How a wait for input continues after the input was handled.
package enum InputWait {
    /// The wait goes on, until the same deadline.
    case goesOn
    /// The wait goes on, until this deadline in MonotonicClock nanoseconds.
    case beginsAnew(until: UInt64)
    /// The wait goes on, until this deadline; what has come is asked for again after other sockets had their turn.
    case goesOnLater(until: UInt64)
    /// The wait is over.
    case ends
}

/// What reads a socket without a task that waits for it; called on the loop's thread.
package protocol InputReader: AnyObject {
    /// Takes what may have come, without waiting.
    func inputCame() -> InputWait
    /// The wait is over: nil behind ``InputWait/ends`` or ``Socket/endWaitForInput()``, otherwise why.
    ///
    /// The caller is in the middle of its own work, so the receiver only begins a task.
    func inputWaitEnded(_ error: SocketError?)
}

extension Socket {
    /// Reads without waiting, otherwise as ``read(within:upTo:_:)`` does.
    ///
    /// A task that waits only between its reads needs less memory for its frame.
    package func readAtOnce(
        upTo byteLimit: Int = .max, _ body: (Span<UInt8>) -> Void
    ) throws(SocketError) -> ReadAtOnce {
        try requireUsable()
        guard hasTurn else { return .needsTurn }
        let room = unsafe min(loop.scratch.count, max(1, byteLimit))
        if let layer { return try readAtOnce(through: layer, room, body) }
        while mayBeReadable || failureCode != 0 {
            let count = unsafe orErrno(recv(descriptor, loop.scratch.baseAddress, room, 0))
            if count > 0 {
                // Only a full buffer suggests that there are more bytes; otherwise polling reports them.
                if count < room { mayBeReadable = false }
                didMove(count)
                lend(count, body)
                return .bytes
            }
            if failureCode != 0 { throw .failed(.system("read", code: failureCode)) }
            if count == 0 { return .end }
            switch Int32(-count) {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK: mayBeReadable = false
            case let code: failureCode = code
            }
        }
        return .nothing
    }

    private func readAtOnce(
        through layer: any SocketLayer, _ room: Int, _ body: (Span<UInt8>) -> Void
    ) throws(SocketError) -> ReadAtOnce {
        let outcome = unsafe layer.read(
            into: UnsafeMutableRawBufferPointer(rebasing: loop.scratch[..<room]), from: self)
        // The layer may have queued an answer while it read, as to a key update.
        if layer.unsentByteCount > 0 { flushLayer() }
        switch outcome {
        case .moved(let count):
            didMove(count)
            lend(min(count, room), body)
            return .bytes
        case .ended: return .end
        case .wantsToReceive: return .nothing
        case .wantsToSend: return .needsTurn
        case .broken: throw .failed(.system("read", code: failureCode))
        case .failed(let sentence): throw .layerFailed(sentence)
        }
    }

    private func lend(_ count: Int, _ body: (Span<UInt8>) -> Void) {
        let bytes = unsafe UnsafeBufferPointer(
            start: loop.scratch.baseAddress?.assumingMemoryBound(to: UInt8.self), count: count)
        unsafe body(Span(_unsafeElements: bytes))
    }

    /// Waits until ``readAtOnce(upTo:_:)`` may return something; times out at `deadline`, in MonotonicClock
    /// nanoseconds.
    ///
    /// `answer` is called when there may be input, and decides whether the task wakes: a switch to a task costs as much
    /// as reading a small request. With `isBehind` it is called soon in any case, after other sockets had their turn;
    /// with `isNew` too, only after other new sockets.
    package func waitForInput(
        until deadline: UInt64, isBehind: Bool = false, isNew: Bool = false,
        answer: @escaping () -> InputWait = { .ends }
    ) async throws(SocketError) {
        answerToInput = answer
        if isBehind { putBehind(isNew: isNew) }
        defer { answerToInput = nil }
        try await wait(for: .reading, until: deadline)
    }

    /// Has `reader` take what comes, without a task that waits; it is kept until the wait ends, as timed out at
    /// `deadline`, in MonotonicClock nanoseconds.
    ///
    /// With `isBehind` it is asked soon in any case, after other sockets had their turn.
    package func awaitInput(by reader: any InputReader, until deadline: UInt64, isBehind: Bool = false) {
        guard !isCancelled, !isClosed else { return reader.inputWaitEnded(.cancelled) }
        if isBehind { putBehind() }
        unsafe startWaiting(for: .reading, until: deadline, .reader(reader))
    }

    /// Lets other tasks run after ``ReadAtOnce/needsTurn``; times out at `deadline`, in MonotonicClock nanoseconds.
    package func giveTurn(until deadline: UInt64) async throws(SocketError) {
        try requireUsable()
        if hasTurn { try await restBetweenTries(until: deadline) } else { try await shareTurn() }
    }

    /// Ends the present wait for input as if there were some; no effect where there is none.
    package func endWaitForInput() {
        loop.preconditionOnLoop()
        if takesInput { wakeReader() }
    }
}
