internal import CUV

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

// What Linux and Darwin spell differently, each with its twin.

#if canImport(Darwin)
    /// Darwin has SO_NOSIGPIPE on the socket instead.
    let noSignalFlag: Int32 = 0
    /// Darwin has no MSG_MORE.
    let moreFlag: Int32 = 0
    let shutdownWrite = SHUT_WR
    let peekFlag = MSG_PEEK
#else
    let noSignalFlag = Int32(MSG_NOSIGNAL)
    let moreFlag = Int32(MSG_MORE)
    let shutdownWrite = Int32(SHUT_WR)
    let peekFlag = Int32(MSG_PEEK)
#endif

/// The libc call, where `close` would be a method.
func closeDescriptor(_ descriptor: Int32) {
    #if canImport(Darwin)
        _ = Darwin.close(descriptor)
    #else
        _ = Glibc.close(descriptor)
    #endif
}

/// The count of a call, or the negative `errno` of one that gave -1; wraps the call itself, so that nothing comes between.
func orErrno(_ count: Int) -> Int {
    count >= 0 ? count : -Int(errno)
}

/// Accepts one connection as non-blocking and close-on-exec; the negative `errno` when there is none.
func acceptConnection(on listener: Int32) -> Int {
    #if canImport(Darwin)
        let descriptor = unsafe orErrno(Int(accept(listener, nil, nil)))
        if descriptor >= 0 { prepare(Int32(descriptor)) }
        return descriptor
    #else
        let flags = Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        return orErrno(Int(accept4(listener, nil, nil, flags)))
    #endif
}

/// A new non-blocking, close-on-exec stream socket; -1 with `errno` set on failure.
func makeStreamSocket(family: Int32) -> Int32 {
    #if canImport(Darwin)
        let descriptor = socket(family, SOCK_STREAM, 0)
        if descriptor >= 0 { prepare(descriptor) }
        return descriptor
    #else
        return socket(
            family,
            Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #endif
}

#if canImport(Darwin)
    private func prepare(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        setOption(SO_NOSIGPIPE, at: SOL_SOCKET, of: descriptor, to: 1)
    }
#endif

/// Sets an integer option; what can't be set is left as it is.
@discardableResult
func setOption(_ option: Int32, at level: Int32, of descriptor: Int32, to value: Int32) -> Bool {
    var value = value
    return unsafe setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size)) == 0
}

/// SO_RCVBUF, which sockets accepted from a listener inherit.
func boundReceiveBuffer(of descriptor: Int32, to byteCount: Int) {
    setOption(SO_RCVBUF, at: SOL_SOCKET, of: descriptor, to: Int32(clamping: byteCount))
}

/// Every write goes out at once: a reply's slices are the fixture's business, not Nagle's.
func sendWithoutDelay(_ descriptor: Int32) {
    setOption(TCP_NODELAY, at: Int32(IPPROTO_TCP), of: descriptor, to: 1)
}

/// The libc call, where `connect` would be a method.
func connectSocket(_ descriptor: Int32, to address: UnsafePointer<sockaddr>, length: socklen_t) -> Int32 {
    #if canImport(Darwin)
        unsafe Darwin.connect(descriptor, address, length)
    #else
        unsafe Glibc.connect(descriptor, address, length)
    #endif
}

/// SO_ERROR: the error that the system keeps for a socket, which is taken off it; 0 for none.
func pendingError(of descriptor: Int32) -> Int32 {
    var code: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    let result = unsafe orErrno(Int(getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)))
    return result < 0 ? Int32(-result) : code
}

func isConnected(_ descriptor: Int32) -> Bool {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return unsafe withUnsafeMutablePointer(to: &storage) { pointer in
        unsafe getpeername(
            descriptor, UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: sockaddr.self), &length) == 0
    }
}

#if !canImport(Darwin)
    /// Whether TCP has given the connection up, as after the peer's RST.
    func isGone(_ descriptor: Int32) -> Bool {
        // The first byte of what TCP_INFO gives is the state; the rest is cut off.
        var state: UInt8 = 0
        var length = socklen_t(MemoryLayout<UInt8>.size)
        guard unsafe getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &state, &length) == 0 else { return false }
        return state == ConnectionState.gone.rawValue
    }

    /// Whether so many connections wait to be accepted that the system drops what else comes.
    func isQueueFull(_ listener: Int32) -> Bool {
        var information = tcp_info()
        var length = socklen_t(MemoryLayout<tcp_info>.size)
        let result = unsafe getsockopt(listener, Int32(IPPROTO_TCP), TCP_INFO, &information, &length)
        // For a listener these two are the number of waiting connections and the bound that it must exceed.
        return result == 0 && information.tcpi_unacked > information.tcpi_sacked
    }
#endif

/// Whether bytes, the peer's end or an error stand ready; takes nothing.
func readWouldNotBlock(_ descriptor: Int32) -> Bool {
    var byte: UInt8 = 0
    while true {
        switch unsafe Int32(-orErrno(recv(descriptor, &byte, 1, peekFlag))) {
        case EAGAIN, EWOULDBLOCK: return false
        case EINTR: continue
        default: return true
        }
    }
}

/// Whether a connection waits to be accepted.
func connectionWaits(at listener: Int32) -> Bool {
    var entry = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&entry, 1, 0) > 0
}

/// FIN; a connection that is gone already needs none.
func shutdownWriting(_ descriptor: Int32) {
    _ = shutdown(descriptor, shutdownWrite)
}

/// Makes the next `close` send RST.
func lingerForNothing(_ descriptor: Int32) {
    var option = linger(l_onoff: 1, l_linger: 0)
    unsafe _ = setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
}

/// `sendfile`: how many bytes the socket took, 0 at the end of the file, or the negative `errno`.
func sendBytes(of file: Int32, to socket: Int32, from offset: Int, byteCount: Int) -> Int {
    #if canImport(Darwin)
        var length = off_t(byteCount)
        let result = unsafe orErrno(Int(sendfile(file, socket, off_t(offset), &length, nil, 0)))
        // A short write is told as EAGAIN with the bytes that went.
        return result == 0 || length > 0 ? Int(length) : result
    #else
        var position = off_t(offset)
        return unsafe orErrno(sendfile(socket, file, &position, byteCount))
    #endif
}

#if canImport(Darwin)
    /// Whether the peer has closed its side or reset the connection, whatever it sent before.
    func peerHasLeft(_ descriptor: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: 0, revents: 0)
        return unsafe poll(&entry, 1, 0) > 0 && Int32(entry.revents) & (POLLHUP | POLLERR) != 0
    }
#endif

/// Bytes in the send queue that were not acknowledged yet (SIOCOUTQ, SO_NWRITE).
func unsentByteCount(of descriptor: Int32) -> Int? {
    var count: Int32 = 0
    #if canImport(Darwin)
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_NWRITE, &count, &length) == 0 else { return nil }
    #else
        // SIOCOUTQ is TIOCOUTQ.
        guard unsafe ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 else { return nil }
    #endif
    return Int(count)
}
