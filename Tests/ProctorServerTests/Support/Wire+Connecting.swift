#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension Wire {
    /// Where `http://127.0.0.1:1234` is; what follows the port is ignored.
    static func address(of base: String) throws -> sockaddr_in {
        let authority = base.dropFirst("http://".count).prefix { $0 != "/" }
        let parts = authority.split(separator: ":")
        guard parts.count == 2, let port = UInt16(parts[1]) else { throw WireFailure("can't read \(base)", 0) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        unsafe inet_pton(AF_INET, String(parts[0]), &address.sin_addr)
        return address
    }

    /// A TCP socket that no child inherits; negative with `errno` where there is none.
    static func newSocket() -> Int32 {
        #if canImport(Darwin)
            socket(AF_INET, SOCK_STREAM, 0)
        #else
            socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        #endif
    }

    static func closeNow(_ descriptor: Int32) {
        #if canImport(Darwin)
            Darwin.close(descriptor)
        #else
            Glibc.close(descriptor)
        #endif
    }

    /// What came of connecting within so long: 0, the code of its error, or EINPROGRESS where nothing has yet.
    static func codeOfConnecting(to base: String, milliseconds: Int32) throws -> Int32 {
        var address = try address(of: base)
        let descriptor = newSocket()
        guard descriptor >= 0 else { throw WireFailure("socket", errno) }
        defer { closeNow(descriptor) }
        guard fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0 else {
            throw WireFailure("fcntl", errno)
        }
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            let raw = unsafe UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self)
            return unsafe connect(descriptor, raw, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
        let code = errno
        if result == 0 { return 0 }
        guard code == EINPROGRESS else { return code }
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard unsafe poll(&entry, 1, milliseconds) != 0 else { return EINPROGRESS }
        var outcome: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &outcome, &size) == 0 else {
            throw WireFailure("getsockopt", errno)
        }
        return outcome
    }
}
