public import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A port that answers nothing: its queue of connections is full of our own, and the system drops what else comes.
///
/// An attempt to connect neither succeeds nor fails until its maker, or the system's own bound of minutes, ends it.
public final class UnreachablePort: HeldPort {
    /// With the port the system chose.
    public let address: SocketAddress
    private let descriptor: Int32
    private let callers: Locked<[Int32]> = Locked([])

    /// Connections that are tried before the system counts as one that takes any number.
    private static let callerLimit = 4
    /// For each of them; on loopback a handshake takes microseconds.
    private static let patience: UInt64 = 300_000_000

    private init(host: SocketAddress, backlog: Int32) throws(CallFailure) {
        descriptor = try Bind.socket(at: host.with(port: 0), for: .listening(sharesPort: false))
        address = SocketAddress.ofSocket(descriptor, peer: false)
        let result = orErrno(Int(listen(descriptor, backlog)))
        if result < 0 { throw .system("listen on \(address)", code: Int32(-result)) }
    }

    deinit {
        for caller in callers.withLock({ $0 }) { closeDescriptor(caller) }
        closeDescriptor(descriptor)
    }

    // The least there is; 0 would be the system's largest on Darwin, and takes one connection on Linux.
    #if canImport(Darwin)
        private static let leastBacklog: Int32 = 1
    #else
        private static let leastBacklog: Int32 = 0
    #endif

    /// Takes a free port of a host and fills its queue; fails where the system's queue has no end.
    public static func open(host: SocketAddress, on loop: EventLoop) async throws(CallFailure) -> UnreachablePort {
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

    /// Connects once more; the connection is kept.
    private func isFullWithOneMore(on loop: EventLoop) async throws(CallFailure) -> Bool {
        let caller = try call()
        let start = MonotonicClock.nanoseconds
        // A handshake that is not over by then never will be.
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
        let caller = makeStreamSocket(family: address.family)
        guard caller >= 0 else { throw .system("socket") }
        callers.withLock { $0.append(caller) }
        let result = unsafe try address.withSystemAddress { pointer, length in
            unsafe orErrno(Int(connectSocket(caller, to: pointer, length: length)))
        }
        switch Int32(-result) {
        case 0, EINPROGRESS, EINTR: return caller
        case let code: throw .system("connect to \(address)", code: code)
        }
    }
}
