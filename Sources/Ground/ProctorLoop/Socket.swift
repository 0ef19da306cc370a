internal import CUV
package import ProctorBase

/// A connected stream socket that belongs to one loop.
///
/// Reads and writes try the system call first and wait only when it would block. One task reads and one writes at a
/// time. Every member except ``cancel()`` is for the loop's thread. The owner must call ``close()``, which closes the
/// descriptor.
@safe package final class Socket: PollOwner, @unchecked Sendable {
    // Unchecked: every operation traps off the loop's thread, and a check for each field would cost more than the field.

    package let loop: EventLoop
    let descriptor: Int32
    /// The other end as `127.0.0.1:40122`, or the path of a Unix socket.
    package let peer: SocketAddress
    package let local: SocketAddress

    private var poll: PollHandle?
    private var waits = SocketWaits()
    var mayBeReadable = false
    /// The error that ended the connection, 0 for none; stored, because the system reports it only once.
    var failureCode: Int32 = 0
    private(set) var isCancelled = false
    /// Transforms the bytes, as TLS does; nil for none.
    ///
    /// Set it between two operations; from then on every read and write is of plaintext.
    package var layer: (any SocketLayer)?
    /// Receives what is sent; nil if nothing records it.
    package var tap: (any SocketTap)?
    /// Since when the layer writes nothing because it waits for bytes of the peer, in MonotonicClock nanoseconds; nil: it
    /// does not.
    var layerAwaitsInputSince: UInt64?
    /// Whether ``halfClose()`` makes the layer send close_notify before FIN.
    package var sendsCloseNotify = true
    /// Whether FIN follows the last byte of the layer's queue.
    var endsWhenFlushed = false
    /// All bytes that the system has accepted so far.
    private(set) var writtenByteCount: UInt64 = 0
    /// Exists from the first ``waitUntilPeerHasRead(within:)`` on.
    var peerWatch: PeerWatch?
    /// Whether FIN or RST of the peer was seen while a task waited for one; once true it stays true.
    var hasPeerEnded = false
    /// Whether ``waitUntilPeerIsGone(until:onFIN:)`` has reported FIN.
    var wasFINTold = false
    /// Exists from the first wait for the peer's end on.
    private var peerPause: LoopPause?
    /// Whether the task that waits for the peer's end also waits for input.
    private var pausesForInput = false
    /// Whether ``endWaitForPeer()`` has ended the present wait for the peer's end.
    var wasWaitForPeerEnded = false
    /// Set while a task waits by ``waitForInput(until:isBehind:isNew:answer:)``.
    var answerToInput: (() -> InputWait)?
    /// Bytes, or work of that size, since this socket last let other tasks run.
    private var burst = 0
    /// Whether less was moved than lets other tasks run.
    package var hasTurn: Bool { burst < Self.burstLimit }
    /// Whether that was much when the socket last waited for input, so that what comes is answered behind other sockets.
    private var movesMuch = false
    /// Whether no input was answered yet.
    private var isNew = true
    var sweeperIndex = -1
    /// Whether the socket is in the queue of ``LateTurns``.
    private var isBehind = false

    /// The bytes that a socket which never has to wait may move before other tasks run.
    private static let burstLimit = 256 << 10
    /// Bytes of one turn that are much: a read that has filled the buffer.
    private static let muchByteCount = EventLoop.scratchByteCount
    /// The fewest bytes that one call counts as.
    private static let leastBurst = 4096

    /// Takes ownership of a connected or connecting, non-blocking descriptor; closes it after a failure.
    init(
        descriptor: Int32, loop: EventLoop, peer: SocketAddress, local: SocketAddress
    ) throws(CallFailure) {
        loop.preconditionOnLoop()
        (self.loop, self.descriptor, self.peer, self.local) = (loop, descriptor, peer, local)
        super.init()
        poll = try PollHandle(owning: descriptor, on: loop, owner: self)
        loop.deadlines.add(self)
    }

    package var isClosed: Bool { poll == nil }

    /// Written bytes that the peer's system has not acknowledged; nil if our system does not report it.
    package var unacknowledgedByteCount: Int? {
        loop.preconditionOnLoop()
        guard !isClosed else { return nil }
        return unsentByteCount(of: descriptor).map { $0 + (layer?.unsentByteCount ?? 0) }
    }

    /// Whether the connection was reset, as by the peer's RST, and not closed by FIN.
    package var wasReset: Bool {
        loop.preconditionOnLoop()
        if failureCode == 0, !isClosed { failureCode = pendingError(of: descriptor) }
        return failureCode != 0
    }

    // MARK: Ending

    /// Sends FIN after the layer's queue and its close_notify; reading continues.
    package func halfClose() {
        loop.preconditionOnLoop()
        guard !isClosed else { return }
        tap?.didHalfClose(sendingCloseNotify: layer != nil && sendsCloseNotify)
        guard let layer else { return shutdownWriting(descriptor) }
        if sendsCloseNotify { layer.sendCloseNotify() }
        endsWhenFlushed = true
        flushLayer()
    }

    /// Closes the descriptor.
    ///
    /// The system sends what it still holds, then FIN, or RST if there are unread bytes. A layer's queue is dropped:
    /// see ``drainLayer(within:)``.
    package func close() {
        loop.preconditionOnLoop()
        close(byReset: false)
    }

    private func close(byReset: Bool) {
        guard let poll = poll.take() else { return }
        tap?.didClose(byReset: byReset)
        tap = nil
        loop.deadlines.remove(self)
        // The layer may retain the socket.
        layer = nil
        poll.close()
        closeDescriptor(descriptor)
        waits.wakeAll(.cancelled)
        peerPause?.resume()
    }

    /// Closes the connection by RST; unsent bytes are lost.
    package func reset() {
        loop.preconditionOnLoop()
        guard !isClosed else { return }
        resetConnection(descriptor)
        close(byReset: true)
    }

    /// Ends every present and future operation of this socket as cancelled; any thread may call it.
    package func cancel() {
        loop.perform { self.cancelOnLoop() }
    }

    private func cancelOnLoop() {
        isCancelled = true
        waits.wakeAll(.cancelled)
        peerPause?.resume()
    }

    // MARK: Waiting

    /// Every operation begins with this check and repeats it after each wait.
    func requireUsable() throws(SocketError) {
        loop.preconditionOnLoop()
        guard !isCancelled, !isClosed else { throw .cancelled }
    }

    // Inlined, so that a wait needs only one async frame.
    @inline(__always)
    func wait(for kind: SocketWaits.Kind, until deadline: UInt64) async throws(SocketError) {
        try requireUsable()
        let outcome = unsafe await withUnsafeContinuation { continuation in
            unsafe startWaiting(for: kind, until: deadline, .task(continuation))
        }
        switch outcome {
        case .ready: return
        case .timedOut: throw .timedOut
        case .cancelled: throw .cancelled
        }
    }

    func startWaiting(for kind: SocketWaits.Kind, until deadline: UInt64, _ sleeper: SocketWaits.Sleeper) {
        endBurst()
        unsafe waits.startWaiting(kind, until: deadline, sleeper)
        loop.deadlines.expect(deadline, on: loop)
        poll?.want(Self.events(of: kind))
    }

    func didWrite(_ byteCount: Int) {
        didSend(byteCount)
        didMove(byteCount)
    }

    /// Called for bytes from a layer, whose plaintext already counted as work.
    func didSend(_ byteCount: Int) {
        writtenByteCount &+= UInt64(byteCount)
    }

    /// Sends the rest of the layer's queue when the system accepts bytes again.
    func wantRoom() {
        poll?.want(PollHandle.writable)
    }

    func didMove(_ byteCount: Int) {
        burst += max(byteCount, Self.leastBurst)
    }

    /// Lets other tasks run: a peer that is always ready must not occupy the loop, nor delay ``cancel()``.
    func shareTurn() async throws(SocketError) {
        guard burst >= Self.burstLimit else { return }
        burst = 0
        await loop.yieldToOthers()
        try requireUsable()
    }

    private func endBurst() {
        movesMuch = burst >= Self.muchByteCount
        burst = 0
    }

    private static func events(of kind: SocketWaits.Kind) -> Int32 {
        switch kind {
        case .reading: PollHandle.readable
        case .writing: PollHandle.writable
        }
    }

    /// Pauses a task until a moment of MonotonicClock in nanoseconds, or until the end of the peer is seen.
    ///
    /// With `orInput` also until bytes have arrived, which are not read.
    func pauseForPeer(until deadline: UInt64, orInput: Bool) async throws(SocketError) {
        burst = 0
        let pause = peerPause ?? LoopPause(on: loop)
        peerPause = pause
        pausesForInput = orInput
        if orInput { poll?.want(PollHandle.readable) }
        #if canImport(Darwin)
            // kqueue reports an end only together with bytes or room, and libuv cannot suppress these events, so this
            // checks at intervals.
            _ = await pause.wait(until: min(deadline, MonotonicClock.nanoseconds &+ Self.goneLookPause))
            if !isClosed, hasHungUp(descriptor) { hasPeerEnded = true }
        #else
            // The event stays requested, so the next pause of the reply needs no system call.
            if !hasPeerEnded { poll?.want(PollHandle.disconnect) }
            _ = await pause.wait(until: deadline)
        #endif
        pausesForInput = false
        try requireUsable()
    }

    override func becameReady(_ events: Int32, afterError: Bool) {
        if afterError { poll?.wasStopped() }
        if events & PollHandle.readable != 0 {
            mayBeReadable = true
            // The socket will have its turn in ``LateTurns``.
            if isBehind, waits.isReading {
                poll?.dropInterest(in: PollHandle.readable)
            } else if answersBehind() {
                putBehind(isNew: isNew)
            } else if staysWaiting() {
                // An error may follow the bytes that were just read.
                if afterError { poll?.want(PollHandle.readable) }
            } else if !waits.wake(.reading) {
                // If no task reads, the bytes stay in the system, and the peer's window fills.
                poll?.dropInterest(in: PollHandle.readable)
                if pausesForInput { peerPause?.resume() }
            }
        }
        if events & PollHandle.writable != 0 {
            flushLayer()
            waits.wake(.writing)
            if layer?.unsentByteCount ?? 0 == 0 { poll?.dropInterest(in: PollHandle.writable) }
        }
        if events & PollHandle.disconnect != 0 {
            hasPeerEnded = true
            peerPause?.resume()
            poll?.dropInterest(in: PollHandle.disconnect)
        }
    }

    /// Whether what comes can be taken without a task that is woken.
    var takesInput: Bool { waits.inputReader != nil || answerToInput != nil && waits.isReading }

    /// Whether other sockets come first: this one moves much, or is one of many new ones.
    private func answersBehind() -> Bool {
        guard movesMuch || isNew, takesInput else { return false }
        return movesMuch || !loop.lateTurns.answersNewAtOnce()
    }

    /// Handles the input without ending the wait for it; false if the wait is to end, or none is of that kind.
    private func staysWaiting() -> Bool {
        let wait: InputWait
        if let reader = waits.inputReader {
            isNew = false
            wait = reader.inputCame()
        } else if let answerToInput, waits.isReading {
            isNew = false
            wait = answerToInput()
        } else {
            return false
        }
        endBurst()
        switch wait {
        case .ends: return false
        case .goesOn: break
        case .beginsAnew(let deadline): extendReading(until: deadline)
        case .goesOnLater(let deadline):
            extendReading(until: deadline)
            putBehind()
        }
        // If `answer` ended the wait, it has already woken the task.
        return true
    }

    private func extendReading(until deadline: UInt64) {
        waits.extendReading(until: deadline)
        loop.deadlines.expect(deadline, on: loop)
    }

    /// Calls `answer` after other sockets had their turn.
    func putBehind(isNew: Bool = false) {
        guard !isBehind else { return }
        isBehind = true
        loop.lateTurns.append(self, isNew: isNew)
    }

    func takeLateTurn() {
        loop.beginTurn()
        isBehind = false
        // If the task was woken meanwhile, it reads by itself.
        guard !isClosed, waits.isReading else { return }
        guard staysWaiting() else {
            waits.wake(.reading)
            return
        }
        if !isBehind { poll?.want(PollHandle.readable) }
    }

    func wakeReader() { waits.wake(.reading) }

    func endLeavingWait() {
        wasWaitForPeerEnded = true
        peerPause?.resume()
    }

    // MARK: Deadlines

    /// The earliest deadline of the waits, in MonotonicClock nanoseconds.
    var nextDeadline: UInt64 { waits.nextDeadline }

    func wakeOverdue(_ now: UInt64) {
        waits.wakeOverdue(now)
    }

    /// The deadline of a wait that begins now, in MonotonicClock nanoseconds; `.max` means none.
    package static func deadline(within limit: UInt64) -> UInt64 {
        guard limit != .max else { return .max }
        let (end, isNever) = MonotonicClock.nanoseconds.addingReportingOverflow(limit)
        return isNever ? .max : end
    }
}

/// Why a socket operation failed.
package enum SocketError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A system call failed; the code is `ECONNRESET` or `EPIPE` after a reset by the peer.
    case failed(CallFailure)
    /// The layer cannot continue, as after an error in TLS that the peer made or reported; one sentence.
    case layerFailed(String)
    case timedOut
    case cancelled

    /// The system's sentence, or the bound that ended the wait.
    package var description: String {
        switch self {
        case .failed(let failure): failure.description
        case .layerFailed(let sentence): sentence
        case .timedOut: "timed out"
        case .cancelled: "cancelled"
        }
    }
}

/// Receives what a ``Socket`` sends and how it ends; on the loop's thread only.
package protocol SocketTap: AnyObject {
    /// The system, or the layer, has accepted these bytes of plaintext.
    func didSend(_ bytes: ArraySlice<UInt8>)
    /// FIN was sent, or will follow the last byte of the layer's queue.
    func didHalfClose(sendingCloseNotify: Bool)
    func didClose(byReset: Bool)
}
