#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension Wire {
    /// One call of the system: how much it took, or -1 with `errno`.
    ///
    /// A connection that is gone is an error and no signal.
    func sendSome(_ bytes: ArraySlice<UInt8>, waits: Bool = true) -> Int {
        unsafe bytes.withUnsafeBytes { buffer in
            #if canImport(Darwin)
                let flags = waits ? 0 : MSG_DONTWAIT
                return unsafe Darwin.send(descriptor, buffer.baseAddress, buffer.count, flags)
            #else
                let flags = Int32(MSG_NOSIGNAL) | (waits ? 0 : Int32(MSG_DONTWAIT))
                return unsafe Glibc.send(descriptor, buffer.baseAddress, buffer.count, flags)
            #endif
        }
    }

    /// Sends as much as is taken; how much that was when nothing more is for so long.
    func sendUntilFull(_ bytes: [UInt8], milliseconds: Int32) throws -> Int {
        var sent = 0
        while sent < bytes.count {
            var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard unsafe poll(&entry, 1, milliseconds) != 0 else { return sent }
            let count = sendSome(bytes[sent...], waits: false)
            if count < 0, errno == EAGAIN { continue }
            guard count > 0 else { throw WireFailure("send", errno) }
            sent += count
        }
        return sent
    }
}
