internal import CNGTCP2
internal import ProctorLoop

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// An address as ngtcp2 compares it: a `sockaddr` in memory of its own.
@safe final class SystemAddress {
    let address: SocketAddress
    private let storage: UnsafeMutablePointer<ngtcp2_sockaddr_union>
    private let byteCount: Int

    /// nil for a Unix socket.
    init?(_ address: SocketAddress) {
        guard let host = address.hostBytes, let port = address.port else { return nil }
        self.address = address
        unsafe storage = .allocate(capacity: 1)
        unsafe storage.initialize(to: ngtcp2_sockaddr_union())
        if host.count == 4 {
            byteCount = MemoryLayout<sockaddr_in>.size
            unsafe storage.pointee.in.sin_family = sa_family_t(AF_INET)
            unsafe storage.pointee.in.sin_port = port.bigEndian
            unsafe withUnsafeMutableBytes(of: &storage.pointee.in.sin_addr) { unsafe $0.copyBytes(from: host) }
        } else {
            byteCount = MemoryLayout<sockaddr_in6>.size
            unsafe storage.pointee.in6.sin6_family = sa_family_t(AF_INET6)
            unsafe storage.pointee.in6.sin6_port = port.bigEndian
            unsafe withUnsafeMutableBytes(of: &storage.pointee.in6.sin6_addr) { unsafe $0.copyBytes(from: host) }
        }
    }

    deinit { unsafe storage.deallocate() }

    /// The memory belongs to this object.
    var pointer: ngtcp2_addr {
        unsafe ngtcp2_addr(
            addr: UnsafeMutableRawPointer(storage).assumingMemoryBound(to: sockaddr.self),
            addrlen: ngtcp2_socklen(byteCount))
    }

    /// Whether an address of ngtcp2's is this one.
    func isEqual(to other: ngtcp2_addr) -> Bool {
        guard unsafe Int(other.addrlen) == byteCount, let bytes = unsafe other.addr else { return false }
        return unsafe memcmp(bytes, storage, byteCount) == 0
    }

    /// An address that ngtcp2 gives; nil for one of another family.
    static func read(_ given: ngtcp2_addr) -> SocketAddress? {
        guard let bytes = unsafe given.addr else { return nil }
        let raw = UnsafeRawPointer(bytes)
        switch unsafe Int32(bytes.pointee.sa_family) {
        case AF_INET:
            var address = unsafe raw.loadUnaligned(as: sockaddr_in.self)
            let host = unsafe withUnsafeBytes(of: &address.sin_addr) { unsafe Array($0) }
            return SocketAddress(hostBytes: host, port: UInt16(bigEndian: address.sin_port))
        case AF_INET6:
            var address = unsafe raw.loadUnaligned(as: sockaddr_in6.self)
            let host = unsafe withUnsafeBytes(of: &address.sin6_addr) { unsafe Array($0) }
            return SocketAddress(hostBytes: host, port: UInt16(bigEndian: address.sin6_port))
        default: return nil
        }
    }
}
