internal import CUV
public import ProctorBase

/// A connected stream socket that belongs to one loop.
///
/// Reads and writes try the system call first and wait only when it would block. One task reads and one writes at a
/// time. Every member but ``cancel()`` is for the loop's thread. ``close()`` must be called in the end; it is what gives
/// the descriptor back.
@safe public final class Socket: PollOwner, @unchecked Sendable {
    // Unchecked: every operation traps off the loop's thread, and a check for each field would cost more than the field.

    /// The loop that made the socket and whose thread alone may use it.
    public let loop: EventLoop
    let descriptor: Int32
    /// The other end as `127.0.0.1:40122`, or the path of a Unix socket.
    public let peer: SocketAddress
    /// Our end.
    public let local: SocketAddress

    private var poll: PollHandle?
    private var waits = SocketWaits()
    /// A hint: a read is worth a try.
    var mayBeReadable = false
    /// The error that ended the connection; kept, because the system tells it only once.
    ///
    /// 0 for none.
    var failureCode: Int32 = 0
    private(set) var isCancelled = false
    /// What the bytes go through on their way, as TLS; nil: they go as they are.
    ///
    /// Set between two operations. From then on every read and write speaks plaintext.
    public var layer: (any SocketLayer)?
    /// Whether ``halfClose()`` has the layer send close_notify before FIN.
    public var sendsCloseNotify = true
    /// FIN follows the last byte of the layer's queue.
    var endsWhenFlushed = false
    /// All that the system took so far.
    private(set) var writtenByteCount: UInt64 = 0
    /// Kept from the first ``waitUntilPeerHasRead(within:)`` on.
    var peerWatch: PeerWatch?
    /// Where the wait for the peer's end has to look from time to time, it sees here that it is over.
    var wasWaitForPeerEnded = false
    /// Work since this socket last gave up its turn, in bytes or what counts as much.
    private var burst = 0
    /// Whether this task may go on without letting others have their turn.
    var hasTurn: Bool { burst < Self.burstLimit }
    var sweeperIndex = -1

    /// What a socket that never has to wait may move before others have a turn.
    private static let burstLimit = 1 << 20
    /// What a call counts as at least.
    private static let leastBurst = 4096

    /// Takes ownership of a connected or connecting, non-blocking descriptor; closes it when it fails.
    init(
        descriptor: Int32, loop: EventLoop, peer: SocketAddress, local: SocketAddress
    ) throws(CallFailure) {
        loop.preconditionOnLoop()
        self.loop = loop
        self.descriptor = descriptor
        self.peer = peer
        self.local = local
        do throws(CallFailure) {
            poll = try PollHandle(descriptor: descriptor, on: loop, owner: self)
        } catch {
            closeDescriptor(descriptor)
            throw error
        }
        loop.deadlines.add(self)
    }

    /// Whether ``close()`` or ``reset()`` was called.
    public var isClosed: Bool { poll == nil }

    /// Bytes written that the peer's side has not acknowledged; nil where the system does not tell.
    public var unacknowledgedByteCount: Int? {
        loop.preconditionOnLoop()
        guard !isClosed else { return nil }
        return unsentByteCount(of: descriptor).map { $0 + (layer?.unsentByteCount ?? 0) }
    }

    /// Whether the connection was torn down, as by the peer's RST, and not closed in order.
    public var wasReset: Bool {
        loop.preconditionOnLoop()
        if failureCode == 0, !isClosed { failureCode = pendingError(of: descriptor) }
        return failureCode != 0
    }

    // MARK: Ending

    /// Sends FIN, behind what stands in the layer's queue and its farewell; reading goes on.
    public func halfClose() {
        loop.preconditionOnLoop()
        guard !isClosed else { return }
        guard let layer else { return shutdownWriting(descriptor) }
        if sendsCloseNotify { layer.sendCloseNotify() }
        endsWhenFlushed = true
        flushLayer()
    }

    /// Closes the descriptor.
    ///
    /// The system sends what is still queued with it, then FIN, or RST if unread bytes are waiting; a layer's queue is
    /// dropped: see ``drainLayer(within:)``.
    public func close() {
        loop.preconditionOnLoop()
        guard let poll = poll.take() else { return }
        loop.deadlines.remove(self)
        // The layer may hold the socket.
        layer = nil
        poll.close()
        closeDescriptor(descriptor)
        waits.wakeAll(.cancelled)
    }

    /// Closes the connection by RST (SO_LINGER 0); bytes not yet sent are lost.
    public func reset() {
        loop.preconditionOnLoop()
        guard !isClosed else { return }
        lingerForNothing(descriptor)
        close()
    }

    /// Ends every read, write and wait of this socket as cancelled, now and from now on; from any thread.
    public func cancel() {
        loop.perform { self.cancelOnLoop() }
    }

    private func cancelOnLoop() {
        isCancelled = true
        waits.wakeAll(.cancelled)
    }

    // MARK: Waiting

    /// Every operation begins with it, and again after each wait.
    func requireUsable() throws(SocketError) {
        loop.preconditionOnLoop()
        guard !isCancelled, !isClosed else { throw .cancelled }
    }

    func wait(for kind: SocketWaits.Kind, until deadline: UInt64) async throws(SocketError) {
        try requireUsable()
        burst = 0
        let outcome = unsafe await withUnsafeContinuation { continuation in
            unsafe waits.begin(kind, until: deadline, continuation)
            poll?.want(Self.events(of: kind))
        }
        switch outcome {
        case .ready: return
        case .timedOut: throw .timedOut
        case .cancelled: throw .cancelled
        }
    }

    /// Notes bytes that the system took.
    func didWrite(_ byteCount: Int) {
        didSend(byteCount)
        didMove(byteCount)
    }

    /// Notes bytes that the system took from a layer, whose plaintext is the work that counts.
    func didSend(_ byteCount: Int) {
        writtenByteCount &+= UInt64(byteCount)
    }

    /// The layer's queue goes on when the system takes bytes again.
    func wantRoom() {
        poll?.want(PollHandle.writable)
    }

    /// Notes work done without waiting.
    func didMove(_ byteCount: Int) {
        burst += max(byteCount, Self.leastBurst)
    }

    /// A peer that is always ready must not keep the loop to itself, nor make its task deaf to ``cancel()``.
    func shareTurn() async throws(SocketError) {
        guard burst >= Self.burstLimit else { return }
        burst = 0
        await loop.yieldToOthers()
        try requireUsable()
    }

    private static func events(of kind: SocketWaits.Kind) -> Int32 {
        switch kind {
        case .reading: PollHandle.readable
        case .writing: PollHandle.writable
        case .leaving: PollHandle.disconnect
        }
    }

    func becameReady(_ events: Int32, afterError: Bool) {
        if afterError { poll?.wasStopped() }
        if events & PollHandle.readable != 0 {
            mayBeReadable = true
            // When no task reads, the bytes stay with the system, and the peer's window fills.
            if !waits.wake(.reading) { poll?.dropInterest(in: PollHandle.readable) }
        }
        if events & PollHandle.writable != 0 {
            flushLayer()
            waits.wake(.writing)
            if layer?.unsentByteCount ?? 0 == 0 { poll?.dropInterest(in: PollHandle.writable) }
        }
        if events & PollHandle.disconnect != 0 {
            waits.wake(.leaving)
            poll?.dropInterest(in: PollHandle.disconnect)
        }
    }

    func endLeavingWait() {
        wasWaitForPeerEnded = true
        waits.wake(.leaving, .timedOut)
    }

    // MARK: Deadlines

    /// When the first wait is overdue, in MonotonicClock nanoseconds.
    var nextDeadline: UInt64 { waits.nextDeadline }

    func wakeOverdue(_ now: UInt64) {
        waits.wakeOverdue(now)
    }

    /// The end of a wait that begins now; `.max` is never.
    static func deadline(within limit: UInt64) -> UInt64 {
        guard limit != .max else { return .max }
        let (end, isNever) = MonotonicClock.nanoseconds.addingReportingOverflow(limit)
        return isNever ? .max : end
    }
}

/// Why a socket operation did not come to its end.
public enum SocketError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The system refused; a reset by the peer is `ECONNRESET` or `EPIPE` in here.
    case failed(CallFailure)
    /// What the bytes go through can't go on: the peer broke TLS, or says that we did; one sentence.
    case layerFailed(String)
    /// The deadline of the wait passed.
    case timedOut
    /// ``Socket/cancel()`` was called.
    case cancelled

    /// The system's sentence, or which of our bounds ended the wait.
    public var description: String {
        switch self {
        case .failed(let failure): failure.description
        case .layerFailed(let sentence): sentence
        case .timedOut: "timed out"
        case .cancelled: "cancelled"
        }
    }
}
