public import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A port that no connection is ever accepted from; free again with the last reference to it.
public protocol HeldPort: AnyObject, Sendable {
    /// With the port the system chose.
    var address: SocketAddress { get }
}

/// A port that is taken while no socket listens, so that every attempt to connect is refused.
public final class ClosedPort: HeldPort {
    /// With the port the system chose.
    public let address: SocketAddress
    private let descriptor: Int32

    /// Takes a free port of a host by binding to port 0.
    public init(host: SocketAddress) throws(CallFailure) {
        descriptor = try Bind.socket(at: host.with(port: 0), for: .holding)
        address = SocketAddress.ofSocket(descriptor, peer: false)
    }

    deinit {
        closeDescriptor(descriptor)
    }
}

/// A port whose connections the system makes and no process accepts: what is sent there is taken and never read.
public final class UnacceptingPort: HeldPort {
    /// With the port the system chose.
    public let address: SocketAddress
    private let descriptor: Int32

    /// Listens on a free port of a host; `receiveBufferByteCount` bounds what the system takes unread.
    public init(host: SocketAddress, receiveBufferByteCount: Int? = nil) throws(CallFailure) {
        descriptor = try Bind.socket(at: host.with(port: 0), for: .listening(sharesPort: false))
        address = SocketAddress.ofSocket(descriptor, peer: false)
        if let receiveBufferByteCount { boundReceiveBuffer(of: descriptor, to: receiveBufferByteCount) }
        let result = orErrno(Int(listen(descriptor, Listener.backlog)))
        if result < 0 { throw .system("listen on \(address)", code: Int32(-result)) }
    }

    deinit {
        closeDescriptor(descriptor)
    }
}
