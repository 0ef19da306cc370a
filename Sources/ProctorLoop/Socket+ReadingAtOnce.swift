internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// What a read without waiting has found.
package enum ReadAtOnce {
    /// Bytes, which were lent to the caller's closure.
    case bytes
    /// The peer has sent FIN.
    case end
    /// Nothing yet: ``Socket/waitForInput(until:)``, then try again.
    case nothing
    /// The layer or another task needs a turn first: ``Socket/giveTurn(until:)``, then try again, or
    /// ``Socket/read(within:upTo:_:)``, which gives it and waits.
    case needsTurn
}

/// What becomes of a wait for input that something else has dealt with.
package enum InputWait {
    /// It goes on until the same deadline.
    case goesOn
    /// It begins anew and ends at the deadline, in MonotonicClock nanoseconds.
    case beginsAnew(until: UInt64)
    /// The same, and the answer is asked for again once other sockets had their turn.
    case goesOnLater(until: UInt64)
    /// The waiting task goes on.
    case ends
}

extension Socket {
    /// Reads without waiting, as ``read(within:upTo:_:)`` does.
    ///
    /// A task that waits between the tries holds the frame of a wait alone.
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
                // Only a full buffer suggests more bytes; otherwise polling reports them.
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
        // Reading may have queued an answer, as to a key update.
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

    /// Waits until ``readAtOnce(upTo:_:)`` may find something; times out at `deadline`, in MonotonicClock nanoseconds.
    ///
    /// `answer` is called when there may be something, and decides whether the task is woken: switching to a task costs
    /// as much as reading a small request. With `isBehind` it is called soon, behind other sockets, with `isNew` only
    /// behind those that are new too.
    package func waitForInput(
        until deadline: UInt64, isBehind: Bool = false, isNew: Bool = false,
        answer: @escaping () -> InputWait = { .ends }
    ) async throws(SocketError) {
        answerToInput = answer
        if isBehind { putBehind(isNew: isNew) }
        defer { answerToInput = nil }
        try await wait(for: .reading, until: deadline)
    }

    /// Gives the turn that ``readAtOnce(upTo:_:)`` has asked for; times out behind `deadline`, in MonotonicClock nanoseconds.
    package func giveTurn(until deadline: UInt64) async throws(SocketError) {
        try requireUsable()
        if hasTurn { try await restBetweenTries(until: deadline) } else { try await shareTurn() }
    }

    /// Ends the present ``waitForInput(until:answer:)`` as if there was something; no effect where no task waits so.
    package func endWaitForInput() {
        loop.preconditionOnLoop()
        if answerToInput != nil { wakeReader() }
    }
}
