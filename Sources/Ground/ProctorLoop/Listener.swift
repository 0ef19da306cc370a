internal import CUV
package import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A bound and listening socket of one loop; loop thread only, except ``cancel()``.
package final class Listener: Sendable {
    package let loop: EventLoop
    /// The bound address, with the port that the system chose for port 0.
    package let address: SocketAddress
    private let queue: LoopBound<AcceptQueue>

    /// How many connections may wait to be accepted; the system's own limit may be lower.
    package static let backlog: Int32 = 4096

    /// Binds and listens at once.
    ///
    /// `sharesPort` sets SO_REUSEPORT, so that the listeners of all loops can have the same port. The file of a Unix
    /// socket on which no process listens is replaced. `receiveBufferByteCount` is SO_RCVBUF, which accepted sockets
    /// inherit; Linux doubles it for its own use and limits it (`net.core.rmem_max`).
    package init(
        on loop: EventLoop, address: SocketAddress, sharesPort: Bool = false, receiveBufferByteCount: Int? = nil
    ) throws(CallFailure) {
        loop.preconditionOnLoop()
        let descriptor = try Bind.socket(at: address, for: .listening(sharesPort: sharesPort))
        let queue = try AcceptQueue(
            descriptor, at: address, of: loop, receiveBufferByteCount: receiveBufferByteCount)
        self.loop = loop
        self.address = queue.address
        self.queue = LoopBound(queue, on: loop)
    }

    /// The moment by which the connections that are now accepted had come, from ``noteWaiting(at:)``; nil if none
    /// waited.
    ///
    /// In MonotonicClock nanoseconds. A few of the connections may have come later.
    package var waitingSince: UInt64? { queue.value.waitingSince }

    /// Waits for the next connection; nil once the listener is closed, or is cancelled and no connection waits.
    ///
    /// If the process has no free descriptor, it calls `onExhaustion` and waits for one.
    package func accept(onExhaustion: (CallFailure) -> Void = { _ in }) async -> Socket? {
        loop.preconditionOnLoop()
        return await queue.value.accept(onExhaustion: onExhaustion)
    }

    /// Stores the moment if connections wait, so that their age is known when they are accepted.
    package func noteWaiting(at moment: UInt64) {
        loop.preconditionOnLoop()
        queue.value.noteWaiting(at: moment)
    }

    /// Makes ``accept(onExhaustion:)`` return nil after the waiting connections, at most ``backlog``; any thread may
    /// call it.
    ///
    /// So no bytes are lost of a client that has already closed its connection.
    package func cancel() {
        loop.submit { self.queue.value.cancel() }
    }

    /// Releases the port; accepted connections stay open.
    package func close() {
        loop.preconditionOnLoop()
        queue.value.close()
    }
}

/// The part of a ``Listener`` that the loop owns: the descriptor and the accepting task; loop thread only.
@safe private final class AcceptQueue: PollOwner {
    private let loop: EventLoop
    let address: SocketAddress
    private let descriptor: Int32
    private var poll: PollHandle?
    private var mayAccept = true
    private var isCancelled = false
    /// How many connections are still accepted after ``cancel()``.
    private var lastCount = Int(Listener.backlog)
    private var waiter: UnsafeContinuation<Void, Never>?
    private(set) var waitingSince: UInt64?
    /// How many connections were accepted since other tasks ran.
    private var burst = 0

    /// How many connections are accepted before other tasks run.
    private static let burstLimit = 64

    /// Owns the bound descriptor; closes it after a failure.
    init(
        _ descriptor: Int32, at address: SocketAddress, of loop: EventLoop, receiveBufferByteCount: Int?
    ) throws(CallFailure) {
        (self.loop, self.descriptor) = (loop, descriptor)
        if case .unix = address {
            self.address = address
        } else {
            self.address = SocketAddress.ofSocket(descriptor, peer: false)
        }
        super.init()
        do throws(CallFailure) {
            try beginListening(on: descriptor, at: address, receiveBufferByteCount: receiveBufferByteCount)
            poll = try PollHandle(descriptor: descriptor, on: loop, owner: self)
        } catch {
            giveBack()
            throw error
        }
    }

    func accept(onExhaustion: (CallFailure) -> Void) async -> Socket? {
        while poll != nil {
            guard mayAccept else {
                if isCancelled { return nil }
                await wait()
                continue
            }
            if isCancelled {
                guard lastCount > 0 else { return nil }
                lastCount -= 1
            }
            if burst >= Self.burstLimit {
                burst = 0
                // Without waiting for postponed tasks: a new connection has used no time yet.
                await loop.yieldToReady()
                continue
            }
            let accepted = acceptConnection(on: descriptor)
            if accepted >= 0 {
                burst += 1
                if let socket = adopt(Int32(accepted)) { return socket }
                continue
            }
            switch Int32(-accepted) {
            case EINTR, ECONNABORTED: burst += 1
            case EMFILE, ENFILE, ENOBUFS, ENOMEM:
                onExhaustion(.system("accept on \(address)", code: Int32(-accepted)))
                if isCancelled { return nil }
                // A sleep returns at once in a cancelled task, which must not retry for ever.
                guard await loop.sleep(for: .milliseconds(20)) else { return nil }
            default:
                mayAccept = false
                waitingSince = nil
            }
        }
        return nil
    }

    func noteWaiting(at moment: UInt64) {
        if waitingSince == nil, poll != nil, readWouldNotBlock(descriptor) { waitingSince = moment }
    }

    private func wait() async {
        precondition(unsafe waiter == nil, "two tasks accept on \(address)")
        burst = 0
        unsafe await withUnsafeContinuation { continuation in
            unsafe waiter = continuation
            poll?.want(PollHandle.readable)
        }
    }

    private func adopt(_ accepted: Int32) -> Socket? {
        if case .unix = address {
            return try? Socket(descriptor: accepted, loop: loop, peer: .unix(path: ""), local: address)
        }
        sendWithoutDelay(accepted)
        return try? Socket(
            descriptor: accepted, loop: loop, peer: SocketAddress.ofSocket(accepted, peer: true), local: address)
    }

    func cancel() {
        isCancelled = true
        mayAccept = true
        wake()
    }

    func close() {
        guard let poll = poll.take() else { return }
        poll.close()
        giveBack()
        wake()
    }

    private func giveBack() {
        closeDescriptor(descriptor)
        if case .unix(let path) = address { unsafe unlink(path) }
    }

    override func becameReady(_ events: Int32, afterError: Bool) {
        if afterError { poll?.wasStopped() }
        mayAccept = true
        if !wake() { poll?.dropInterest(in: PollHandle.readable) }
    }

    @discardableResult
    private func wake() -> Bool {
        guard let continuation = unsafe waiter else { return false }
        unsafe waiter = nil
        unsafe continuation.resume()
        return true
    }
}
