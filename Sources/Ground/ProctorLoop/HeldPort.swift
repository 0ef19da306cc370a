package import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A port from which no connection is accepted; released with the last reference.
package protocol HeldPort: AnyObject, Sendable {
    var address: SocketAddress { get }
}

/// A bound port without a listening socket: the system refuses every connection attempt.
package final class ClosedPort: HeldPort {
    package let address: SocketAddress
    private let descriptor: Int32

    /// Binds the port of a host; 0 is a free one.
    package init(host: SocketAddress) throws(CallFailure) {
        descriptor = try Bind.socket(at: host, for: .holding)
        address = SocketAddress.ofSocket(descriptor, peer: false)
    }

    deinit {
        closeDescriptor(descriptor)
    }
}

/// A port where the system establishes connections and no process accepts them: it receives bytes that are never read.
package final class UnacceptingPort: HeldPort {
    package let address: SocketAddress
    private let descriptor: Int32

    /// Listens on the port of a host, where 0 is a free one; `receiveBufferByteCount` bounds the unread bytes that the system stores.
    package init(host: SocketAddress, receiveBufferByteCount: Int? = nil) throws(CallFailure) {
        descriptor = try Bind.socket(at: host, for: .listening(sharesPort: false))
        address = SocketAddress.ofSocket(descriptor, peer: false)
        try beginListening(on: descriptor, at: address, receiveBufferByteCount: receiveBufferByteCount)
    }

    deinit {
        closeDescriptor(descriptor)
    }
}

/// Binds addresses; the system chooses a free port in `bind`, never an earlier guess.
enum Bind {
    enum Purpose {
        /// `sharesPort` sets SO_REUSEPORT.
        case listening(sharesPort: Bool)
        /// No other socket may bind the port, even while we do not listen.
        case holding
        /// UDP.
        case datagrams
    }

    /// A socket that is non-blocking and close-on-exec.
    static func socket(at address: SocketAddress, for purpose: Purpose) throws(CallFailure) -> Int32 {
        let isUDP = if case .datagrams = purpose { true } else { false }
        let descriptor = makeSocket(family: address.family, isUDP ? SOCK_DGRAM : SOCK_STREAM)
        guard descriptor >= 0 else { throw .system("socket") }
        do throws(CallFailure) {
            if case .unix(let path) = address { try removeStaleSocket(at: path, address) }
            if case .ipv6 = address { setOption(IPV6_V6ONLY, at: Int32(IPPROTO_IPV6), of: descriptor, to: 1) }
            if case .listening(let sharesPort) = purpose, address.port != nil {
                setOption(SO_REUSEADDR, at: SOL_SOCKET, of: descriptor, to: 1)
                if sharesPort { setOption(SO_REUSEPORT, at: SOL_SOCKET, of: descriptor, to: 1) }
            }
            let result = unsafe try address.withSystemAddress { pointer, length in
                unsafe orErrno(Int(bind(descriptor, pointer, length)))
            }
            if result < 0 { throw .system("bind \(address)\(isUDP ? " for UDP" : "")", code: Int32(-result)) }
        } catch {
            closeDescriptor(descriptor)
            throw error
        }
        return descriptor
    }

    /// Removes the file of a Unix socket, which outlives a crashed server, if no process listens there.
    private static func removeStaleSocket(at path: String, _ address: SocketAddress) throws(CallFailure) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
        let probe = makeSocket(family: AF_UNIX, SOCK_STREAM)
        guard probe >= 0 else { return }
        defer { closeDescriptor(probe) }
        let result = try beginConnecting(probe, to: address)
        if result == -Int(ECONNREFUSED) { unsafe unlink(path) }
    }
}

/// Listens on a bound socket; after a failure the caller closes it.
func beginListening(
    on descriptor: Int32, at address: SocketAddress, backlog: Int32 = Listener.backlog,
    receiveBufferByteCount: Int? = nil
) throws(CallFailure) {
    // Before `listen`: the handshake fixes the window scale of a connection by this size (RFC 7323 §2).
    if let receiveBufferByteCount { boundReceiveBuffer(of: descriptor, to: receiveBufferByteCount) }
    let result = orErrno(Int(listen(descriptor, backlog)))
    if result < 0 { throw .system("listen on \(address)", code: Int32(-result)) }
}

/// A port that answers nothing: our own connections fill its queue, and the system drops further ones.
///
/// A connection attempt neither succeeds nor fails until its caller, or the system's limit of minutes, ends it.
package final class UnreachablePort: HeldPort {
    package let address: SocketAddress
    private let descriptor: Int32
    private let callers: Locked<[Int32]> = Locked([])

    /// How many connections are tried before the queue is taken to be unbounded.
    private static let callerLimit = 4
    /// Nanoseconds for each connection; a handshake over loopback takes microseconds.
    private static let patience: UInt64 = 300_000_000

    private init(host: SocketAddress, backlog: Int32) throws(CallFailure) {
        descriptor = try Bind.socket(at: host, for: .listening(sharesPort: false))
        address = SocketAddress.ofSocket(descriptor, peer: false)
        try beginListening(on: descriptor, at: address, backlog: backlog)
    }

    deinit {
        for caller in callers.withLock({ $0 }) { closeDescriptor(caller) }
        closeDescriptor(descriptor)
    }

    // The smallest backlog: 0 is the largest one on Darwin, and means one connection on Linux.
    #if canImport(Darwin)
        private static let leastBacklog: Int32 = 1
    #else
        private static let leastBacklog: Int32 = 0
    #endif

    /// Binds the port of a host, where 0 is a free one, and fills its queue; fails if the system's queue is unbounded.
    package static func open(host: SocketAddress, on loop: EventLoop) async throws(CallFailure) -> UnreachablePort {
        try await open(host: host, backlog: leastBacklog, on: loop)
    }

    static func open(
        host: SocketAddress, backlog: Int32, on loop: EventLoop
    ) async throws(CallFailure) -> UnreachablePort {
        loop.preconditionOnLoop()
        let port = try UnreachablePort(host: host, backlog: backlog)
        for _ in 0..<callerLimit where try await port.isFullWithOneMore(on: loop) { return port }
        throw CallFailure(
            call: "fill the queue of \(port.address)", code: ENOTSUP,
            text: "the system took \(callerLimit) connections into the shortest of queues and goes on;"
                + " an origin can't be unreachable here")
    }

    /// Makes and keeps one more connection; returns whether the queue was full.
    private func isFullWithOneMore(on loop: EventLoop) async throws(CallFailure) -> Bool {
        let caller = try call()
        let start = MonotonicClock.nanoseconds
        // Over loopback a handshake that takes longer never completes.
        while MonotonicClock.nanoseconds &- start < Self.patience {
            #if canImport(Darwin)
                if isConnected(caller) { return false }
            #else
                if isQueueFull(descriptor) { return true }
            #endif
            guard await loop.sleep(for: .milliseconds(1)) else {
                throw .system("connect to \(address)", code: ECANCELED)
            }
        }
        #if canImport(Darwin)
            return true
        #else
            return false
        #endif
    }

    private func call() throws(CallFailure) -> Int32 {
        let caller = makeSocket(family: address.family, SOCK_STREAM)
        guard caller >= 0 else { throw .system("socket") }
        callers.withLock { $0.append(caller) }
        let result = try beginConnecting(caller, to: address)
        switch Int32(-result) {
        case 0, EINPROGRESS, EINTR: return caller
        case let code: throw .system("connect to \(address)", code: code)
        }
    }
}
