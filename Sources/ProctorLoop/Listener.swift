internal import CUV
public import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A bound and listening socket of one loop; loop thread only, but for ``cancel()``.
@safe public final class Listener: PollOwner, @unchecked Sendable {
    /// The loop that accepted sockets belong to.
    public let loop: EventLoop
    /// With the port the system chose, when it was asked for one.
    public let address: SocketAddress
    private let descriptor: Int32
    private var poll: PollHandle?
    private var mayAccept = true
    private var isCancelled = false
    /// Connections that are still accepted behind ``cancel()``.
    private var lastCount = Int(Listener.backlog)
    private var waiter: UnsafeContinuation<Void, Never>?
    /// In MonotonicClock nanoseconds: connections that are accepted now came by then or, a few of them, later; nil: nobody
    /// has noted any before.
    public private(set) var waitingSince: UInt64?
    /// Connections accepted since others had a turn.
    private var burst = 0

    /// How many connections may wait to be accepted; the system's own limit may be lower.
    public static let backlog: Int32 = 4096
    /// How many connections are accepted before those that stand have a turn.
    private static let burstLimit = 64

    /// Binds and listens at once.
    ///
    /// `sharesPort` sets SO_REUSEPORT, so that one listener for each loop can stand on the same port. A Unix socket's
    /// stale file, which nobody answers, is replaced. `receiveBufferByteCount` is SO_RCVBUF, which accepted sockets
    /// inherit; Linux doubles it for its own needs, and bounds it (`net.core.rmem_max`).
    public init(
        on loop: EventLoop, address: SocketAddress, sharesPort: Bool = false, receiveBufferByteCount: Int? = nil
    ) throws(CallFailure) {
        loop.preconditionOnLoop()
        self.loop = loop
        descriptor = try Bind.socket(at: address, for: .listening(sharesPort: sharesPort))
        if case .unix = address {
            self.address = address
        } else {
            self.address = SocketAddress.ofSocket(descriptor, peer: false)
        }
        // Before `listen`: the window of a connection is scaled for it in the handshake (RFC 7323 §2).
        if let receiveBufferByteCount { boundReceiveBuffer(of: descriptor, to: receiveBufferByteCount) }
        do throws(CallFailure) {
            let result = orErrno(Int(listen(descriptor, Self.backlog)))
            if result < 0 { throw .system("listen on \(address)", code: Int32(-result)) }
            poll = try PollHandle(descriptor: descriptor, on: loop, owner: self)
        } catch {
            giveBack()
            throw error
        }
    }

    /// Waits for the next connection; nil once the listener is closed, or cancelled with nobody waiting at its port.
    ///
    /// When the process has no descriptor left it waits for one to come free and tells `onExhaustion` about it.
    public func accept(onExhaustion: (CallFailure) -> Void = { _ in }) async -> Socket? {
        loop.preconditionOnLoop()
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
                await loop.yieldToOthers()
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
                // A cancelled task does not sleep, and must not try again for ever either.
                guard await loop.sleep(for: .milliseconds(20)) else { return nil }
            default:
                mayAccept = false
                waitingSince = nil
            }
        }
        return nil
    }

    /// Notes a moment if connections wait to be accepted, so that who accepts them knows how old they are.
    public func noteWaiting(at moment: UInt64) {
        loop.preconditionOnLoop()
        if waitingSince == nil, poll != nil, connectionWaits(at: descriptor) { waitingSince = moment }
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

    /// Ends ``accept(onExhaustion:)`` with nil, behind the connections that wait already, at most ``backlog`` of them;
    /// from any thread.
    ///
    /// What a client has sent and left again before anybody looked is not lost by this.
    public func cancel() {
        loop.submit {
            self.isCancelled = true
            self.mayAccept = true
            self.wake()
        }
    }

    /// Gives the port back; connections already accepted live on.
    public func close() {
        loop.preconditionOnLoop()
        guard let poll = poll.take() else { return }
        poll.close()
        giveBack()
        wake()
    }

    private func giveBack() {
        closeDescriptor(descriptor)
        if case .unix(let path) = address { unsafe unlink(path) }
    }

    func becameReady(_ events: Int32, afterError: Bool) {
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
