internal import CUV
internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

// Calls that differ between Linux and Darwin.

#if canImport(Darwin)
    /// Darwin has SO_NOSIGPIPE on the socket instead.
    let noSignalFlag: Int32 = 0
    /// Darwin has no MSG_MORE.
    let moreFlag: Int32 = 0
    let shutdownWrite = SHUT_WR
#else
    let noSignalFlag = Int32(MSG_NOSIGNAL)
    let moreFlag = Int32(MSG_MORE)
    let shutdownWrite = Int32(SHUT_WR)
#endif

/// The count of a call, or the negative `errno` of one that gave -1; wrap the call itself, so that `errno` is still
/// valid.
func orErrno(_ count: Int) -> Int {
    count >= 0 ? count : -Int(errno)
}

/// Returns a connection that is non-blocking and close-on-exec, or the negative `errno` if there is none.
func acceptConnection(on listener: Int32) -> Int {
    #if canImport(Darwin)
        let descriptor = orErrno(Int(accept(listener, nil, nil)))
        return descriptor < 0 ? descriptor : prepare(Int32(descriptor))
    #else
        let flags = Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        return orErrno(Int(accept4(listener, nil, nil, flags)))
    #endif
}

#if canImport(Darwin)
    typealias SocketKind = Int32
#else
    typealias SocketKind = __socket_type
#endif

/// Returns a socket that is non-blocking and close-on-exec, or -1 with `errno` set.
func makeSocket(family: Int32, _ kind: SocketKind) -> Int32 {
    #if canImport(Darwin)
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { return -1 }
        let result = prepare(descriptor)
        if result < 0 { errno = Int32(-result) }
        return result < 0 ? -1 : descriptor
    #else
        return socket(
            family, Int32(kind.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #endif
}

#if canImport(Darwin)
    /// Returns the descriptor, or the negative `errno` of a call that failed, after closing it.
    ///
    /// Without SO_NOSIGPIPE a write to a connection that the peer has ended would end the whole process, which may be a
    /// test's. Setting it fails with EINVAL on a connection that has already ended, which is reported as ECONNABORTED.
    private func prepare(_ descriptor: Int32) -> Int {
        var result = orErrno(Int(fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)))
        if result >= 0 { result = orErrno(Int(fcntl(descriptor, F_SETFD, FD_CLOEXEC))) }
        if result >= 0, !setOption(SO_NOSIGPIPE, at: SOL_SOCKET, of: descriptor, to: 1) {
            result = errno == EINVAL ? -Int(ECONNABORTED) : -Int(errno)
        }
        if result >= 0 { return Int(descriptor) }
        closeDescriptor(descriptor)
        return result
    }
#endif

/// Sets an option and returns whether that succeeded.
@discardableResult
func setOption(_ option: Int32, at level: Int32, of descriptor: Int32, to value: Int32) -> Bool {
    var value = value
    return unsafe setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size)) == 0
}

/// Sets SO_RCVBUF, which sockets accepted from a listener inherit.
func boundReceiveBuffer(of descriptor: Int32, to byteCount: Int) {
    setOption(SO_RCVBUF, at: SOL_SOCKET, of: descriptor, to: Int32(clamping: byteCount))
}

/// Sets TCP_NODELAY: the scenario decides how a reply is split into packets.
func sendWithoutDelay(_ descriptor: Int32) {
    setOption(TCP_NODELAY, at: Int32(IPPROTO_TCP), of: descriptor, to: 1)
}

/// Starts to connect without waiting; returns 0 or the negative `errno`.
func beginConnecting(_ descriptor: Int32, to address: SocketAddress) throws(CallFailure) -> Int {
    unsafe try address.withSystemAddress { pointer, length in
        unsafe orErrno(Int(connect(descriptor, pointer, length)))
    }
}

/// Returns and clears SO_ERROR, the socket's stored error; 0 for none.
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
    /// Whether TCP has ended the connection, as after the peer's RST.
    func isGone(_ descriptor: Int32) -> Bool { connectionState(of: descriptor) == .gone }

    /// Whether neither FIN nor RST of the peer has arrived; a peer's socket disappears a moment before that.
    func awaitsPeerEnd(_ descriptor: Int32) -> Bool {
        switch connectionState(of: descriptor) {
        case .established, .finWait1, .finWait2: true
        case .synReceived, .gone, .closeWait, nil: false
        }
    }

    private func connectionState(of descriptor: Int32) -> TCPState? {
        // The first byte of TCP_INFO is the state; the system cuts off the rest.
        var state: UInt8 = 0
        var length = socklen_t(MemoryLayout<UInt8>.size)
        guard unsafe getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &state, &length) == 0 else { return nil }
        return TCPState(rawValue: state)
    }

    /// Whether the queue of connections to accept is full, so that the system drops further ones.
    func isQueueFull(_ listener: Int32) -> Bool {
        var information = tcp_info()
        var length = socklen_t(MemoryLayout<tcp_info>.size)
        let result = unsafe getsockopt(listener, Int32(IPPROTO_TCP), TCP_INFO, &information, &length)
        // For a listener these fields are the number of waiting connections and the backlog; the queue is full above
        // it.
        return result == 0 && information.tcpi_unacked > information.tcpi_sacked
    }
#endif

/// Whether a write would not wait: the system accepts bytes, or has an error to report.
func writeWouldNotBlock(_ descriptor: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return unsafe poll(&entry, 1, 0) != 0
}

/// Whether bytes, the peer's end, an error, or connections at a listener are available.
///
/// Consumes none of them, while `recv` with MSG_PEEK would consume the error.
func readWouldNotBlock(_ descriptor: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&entry, 1, 0) > 0
}

/// Sends FIN; no effect on a lost connection.
func shutdownWriting(_ descriptor: Int32) {
    _ = shutdown(descriptor, shutdownWrite)
}

/// Sends RST, at the latest with the `close` that has to follow; bytes that were not sent are lost.
///
/// `close` alone would send it when the last copy of the descriptor is closed. A process that was forked a moment ago has a copy
/// until it runs its own program, and the peer could read on until then. Linux sends RST at once when a connected socket is
/// told to connect to nothing; Darwin's `posix_spawn` makes no copies.
func resetConnection(_ descriptor: Int32) {
    var option = linger(l_onoff: 1, l_linger: 0)
    unsafe _ = setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    #if !canImport(Darwin)
        var nothing = sockaddr(sa_family: sa_family_t(AF_UNSPEC), sa_data: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        unsafe _ = connect(descriptor, &nothing, socklen_t(MemoryLayout<sockaddr>.size))
    #endif
}

/// Calls `sendfile`; returns how many bytes the socket accepted, 0 at the end of the file, or the negative `errno`.
func sendBytes(of file: Int32, to socket: Int32, from offset: Int, byteCount: Int) -> Int {
    #if canImport(Darwin)
        var length = off_t(byteCount)
        let result = unsafe orErrno(Int(sendfile(file, socket, off_t(offset), &length, nil, 0)))
        // Darwin reports a short write as EAGAIN, with the number of sent bytes.
        return result == 0 || length > 0 ? Int(length) : result
    #else
        var position = off_t(offset)
        return unsafe orErrno(sendfile(socket, file, &position, byteCount))
    #endif
}

/// Whether both directions of the connection have ended, even if unread bytes come first.
///
/// On Darwin only whether the peer has ended its direction, since the system reports no more.
func hasHungUp(_ descriptor: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: 0, revents: 0)
    return unsafe poll(&entry, 1, 0) > 0 && Int32(entry.revents) & (POLLHUP | POLLERR) != 0
}

/// Unacknowledged bytes in the send queue (SIOCOUTQ, SO_NWRITE).
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

/// Bytes of the receive queue (FIONREAD).
func unreadByteCount(of descriptor: Int32) -> Int? {
    var count: Int32 = 0
    #if canImport(Darwin)
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_NREAD, &count, &length) == 0 else { return nil }
    #else
        guard unsafe ioctl(descriptor, UInt(FIONREAD), &count) == 0 else { return nil }
    #endif
    return Int(count)
}
