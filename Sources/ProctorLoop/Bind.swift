internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Takes addresses; ports are always taken by `bind`, never chosen first.
enum Bind {
    enum Purpose {
        /// `sharesPort` sets SO_REUSEPORT.
        case listening(sharesPort: Bool)
        /// No other socket may have the port, not even to listen where we do not.
        case holding
    }

    /// A bound stream socket that does not listen yet.
    static func socket(at address: SocketAddress, for purpose: Purpose) throws(CallFailure) -> Int32 {
        let descriptor = makeStreamSocket(family: address.family)
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
            if result < 0 { throw .system("bind \(address)", code: Int32(-result)) }
        } catch {
            closeDescriptor(descriptor)
            throw error
        }
        return descriptor
    }

    /// A Unix socket's file outlives a crashed server; it may go when no process answers there.
    private static func removeStaleSocket(at path: String, _ address: SocketAddress) throws(CallFailure) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
        let probe = makeStreamSocket(family: AF_UNIX)
        guard probe >= 0 else { return }
        defer { closeDescriptor(probe) }
        let result = unsafe try address.withSystemAddress { pointer, length in
            unsafe orErrno(Int(connectSocket(probe, to: pointer, length: length)))
        }
        if result == -Int(ECONNREFUSED) { unsafe unlink(path) }
    }
}
