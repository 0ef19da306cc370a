#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Sends several datagrams of one size by one call where the system can (Linux: UDP_SEGMENT, udp(7)), and else one by one.
struct SegmentedSending {
    #if canImport(Darwin)
        private var isRefused = true
    #else
        /// Whether the system has refused to divide bytes for this socket.
        private var isRefused = false
    #endif

    mutating func send(
        _ bytes: UnsafeRawBufferPointer, each segmentByteCount: Int, to receiver: UnsafeRawPointer, _ length: socklen_t,
        _ descriptor: Int32
    ) {
        guard unsafe !bytes.isEmpty, segmentByteCount > 0 else { return }
        #if !canImport(Darwin)
            if bytes.count > segmentByteCount, !isRefused {
                let error = unsafe Self.sendDivided(bytes, segmentByteCount, receiver, length, descriptor)
                // A buffer that is full loses datagrams in either way.
                guard error == EINVAL || error == EIO || error == EOPNOTSUPP || error == ENOPROTOOPT else { return }
                isRefused = true
            }
        #endif
        let address = unsafe receiver.assumingMemoryBound(to: sockaddr.self)
        var start = 0
        while start < bytes.count {
            let end = min(start + segmentByteCount, bytes.count)
            let piece = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<end])
            unsafe _ = sendto(descriptor, piece.baseAddress, piece.count, noSignalFlag, address, length)
            start = end
        }
    }

    #if !canImport(Darwin)
        /// Returns 0 or errno.
        private static func sendDivided(
            _ bytes: UnsafeRawBufferPointer, _ segmentByteCount: Int, _ receiver: UnsafeRawPointer, _ length: socklen_t,
            _ descriptor: Int32
        ) -> Int32 {
            // A cmsghdr with a UInt16: its length, SOL_UDP, UDP_SEGMENT (linux/udp.h), which are no constants of the C library.
            var control: (UInt64, UInt64, UInt64) = (0, 0, 0)
            return unsafe withUnsafeMutableBytes(of: &control) { control in
                unsafe control.storeBytes(of: MemoryLayout<cmsghdr>.size + MemoryLayout<UInt16>.size, as: Int.self)
                unsafe control.storeBytes(of: Int32(IPPROTO_UDP), toByteOffset: 8, as: Int32.self)
                unsafe control.storeBytes(of: 103, toByteOffset: 12, as: Int32.self)
                unsafe control.storeBytes(of: UInt16(segmentByteCount), toByteOffset: 16, as: UInt16.self)
                var vector = unsafe iovec(
                    iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
                return unsafe withUnsafeMutablePointer(to: &vector) { vector in
                    var message = unsafe msghdr()
                    unsafe message.msg_name = UnsafeMutableRawPointer(mutating: receiver)
                    unsafe message.msg_namelen = length
                    unsafe message.msg_iov = vector
                    unsafe message.msg_iovlen = 1
                    unsafe message.msg_control = control.baseAddress
                    unsafe message.msg_controllen = control.count
                    return unsafe sendmsg(descriptor, &message, noSignalFlag) < 0 ? errno : 0
                }
            }
        }
    #endif
}
