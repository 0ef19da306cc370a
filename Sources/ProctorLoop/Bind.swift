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
        /// Nobody else may have the port, not even to listen where we do not.
        case holding
    }

    /// A bound stream socket that does not listen yet.
    static func socket(at address: SocketAddress, for purpose: Purpose) throws(CallFailure) -> Int32 {
        let descriptor = makeStreamSocket(family: address.family)
        guard descriptor >= 0 else { throw .system("socket") }
        do throws(CallFailure) {
            if case .unix(let path) = address { try removeStaleSocket(at: path, address) }
            if case .ipv6 = address { setOption(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 1) }
            if case .listening(let sharesPort) = purpose, address.port != nil {
                setOption(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
                if sharesPort { setOption(descriptor, SOL_SOCKET, SO_REUSEPORT, 1) }
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

    /// A Unix socket's file outlives a crashed server; it may go when nobody answers there.
    private static func removeStaleSocket(at path: String, _ address: SocketAddress) throws(CallFailure) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
        let probe = makeStreamSocket(family: AF_UNIX)
        guard probe >= 0 else { return }
        defer { closeDescriptor(probe) }
        let result = unsafe try address.withSystemAddress { pointer, length in
            unsafe orErrno(Int(connectSocket(probe, pointer, length)))
        }
        if result == -Int(ECONNREFUSED) { unsafe unlink(path) }
    }
}
