internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// An IPv4, IPv6 or Unix socket address; always numeric, never resolved.
public enum SocketAddress: Sendable, Hashable, CustomStringConvertible {
    /// `host` in dotted form; port 0 lets the system choose a free one.
    case ipv4(host: String, port: UInt16)
    /// `host` without brackets.
    case ipv6(host: String, port: UInt16)
    /// The path of a Unix socket; empty for an end without a name.
    case unix(path: String)

    /// Reads a literal IPv4 or IPv6 address, or `localhost` as 127.0.0.1; nil for any other name.
    public init?(host: String, port: UInt16) {
        let name = host == "localhost" ? "127.0.0.1" : host
        var ipv4 = in_addr()
        var ipv6 = in6_addr()
        if unsafe inet_pton(AF_INET, name, &ipv4) == 1 {
            self = .ipv4(host: name, port: port)
        } else if unsafe inet_pton(AF_INET6, name, &ipv6) == 1 {
            self = .ipv6(host: name, port: port)
        } else {
            return nil
        }
    }

    /// The port; nil for a Unix socket.
    public var port: UInt16? {
        switch self {
        case .ipv4(_, let port), .ipv6(_, let port): port
        case .unix: nil
        }
    }

    /// The host without brackets and port; nil for a Unix socket.
    package var host: String? {
        switch self {
        case .ipv4(let host, _), .ipv6(let host, _): host
        case .unix: nil
        }
    }

    /// Host and port as an authority (RFC 3986 §3.2), or the path of a Unix socket.
    public var description: String {
        switch self {
        case .ipv4(let host, let port): "\(host):\(port)"
        case .ipv6(let host, let port): "[\(host)]:\(port)"
        case .unix(let path): path
        }
    }

    /// Whether only this machine can reach the address.
    public var isLoopback: Bool {
        switch self {
        case .ipv4(let host, _): host.hasPrefix("127.")
        case .ipv6(let host, _): host == "::1"
        case .unix: true
        }
    }

    /// The address of 4 bytes of IPv4 or 16 of IPv6 in network byte order; nil for another count.
    package init?(hostBytes bytes: [UInt8], port: UInt16) {
        switch bytes.count {
        case 4: self = .ipv4(host: bytes.map { String($0) }.joined(separator: "."), port: port)
        case 16:
            var address = in6_addr()
            unsafe withUnsafeMutableBytes(of: &address) { unsafe $0.copyBytes(from: bytes) }
            self = unsafe .ipv6(host: Self.text(AF_INET6, &address), port: port)
        default: return nil
        }
    }

    /// The address with the same host and another port; a Unix socket stays as it is.
    public func with(port: UInt16) -> SocketAddress {
        switch self {
        case .ipv4(let host, _): .ipv4(host: host, port: port)
        case .ipv6(let host, _): .ipv6(host: host, port: port)
        case .unix: self
        }
    }
}

extension SocketAddress {
    var family: Int32 {
        switch self {
        case .ipv4: AF_INET
        case .ipv6: AF_INET6
        case .unix: AF_UNIX
        }
    }

    /// The host in network byte order, 4 or 16 bytes; nil for a Unix socket.
    ///
    /// An IPv4-mapped IPv6 address gives the IPv4 one (RFC 4291 §2.5.5.2).
    package var hostBytes: [UInt8]? {
        switch self {
        case .ipv4(let host, _): return Self.bytes(of: host, AF_INET, count: 4)
        case .ipv6(let host, _):
            guard let bytes = Self.bytes(of: host, AF_INET6, count: 16) else { return nil }
            return bytes.starts(with: Array(repeating: 0, count: 10) + [0xFF, 0xFF]) ? Array(bytes[12...]) : bytes
        case .unix: return nil
        }
    }

    private static func bytes(of host: String, _ family: Int32, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return unsafe inet_pton(family, host, &bytes) == 1 ? bytes : nil
    }

    /// Lends the address as a `sockaddr`; throws for a host that is no literal address, and for an invalid path.
    func withSystemAddress<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) throws(CallFailure) -> Result {
        var storage = sockaddr_storage()
        let length: Int
        switch self {
        case .ipv4(let host, let port): length = try fillIPv4(&storage, host, port: port)
        case .ipv6(let host, let port): length = try fillIPv6(&storage, host, port: port)
        case .unix(let path): length = try fillUnix(&storage, path)
        }
        return unsafe withUnsafePointer(to: &storage) { pointer in
            unsafe body(UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self), socklen_t(length))
        }
    }

    /// Our end (`getsockname`) or the peer's (`getpeername`).
    static func ofSocket(_ descriptor: Int32, peer: Bool) -> SocketAddress {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            let address = unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: sockaddr.self)
            return unsafe peer
                ? getpeername(descriptor, address, &length) : getsockname(descriptor, address, &length)
        }
        guard result == 0 else { return .unix(path: "") }
        return read(storage)
    }

    fileprivate static func read(_ storage: sockaddr_storage) -> SocketAddress {
        unsafe withUnsafePointer(to: storage) { pointer in
            let raw = unsafe UnsafeRawPointer(pointer)
            switch Int32(storage.ss_family) {
            case AF_INET:
                let address = unsafe raw.loadUnaligned(as: sockaddr_in.self)
                var host = address.sin_addr
                return unsafe .ipv4(host: text(AF_INET, &host), port: UInt16(bigEndian: address.sin_port))
            case AF_INET6:
                let address = unsafe raw.loadUnaligned(as: sockaddr_in6.self)
                var host = address.sin6_addr
                return unsafe .ipv6(host: text(AF_INET6, &host), port: UInt16(bigEndian: address.sin6_port))
            default:
                return .unix(path: "")
            }
        }
    }

    private static func text(_ family: Int32, _ address: UnsafeRawPointer) -> String {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
            guard let start = buffer.baseAddress,
                unsafe inet_ntop(family, address, start, socklen_t(buffer.count)) != nil
            else { return "?" }
            return unsafe String(cString: start)
        }
    }
}

private func fillIPv4(_ storage: inout sockaddr_storage, _ host: String, port: UInt16) throws(CallFailure) -> Int {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    // An address left at zero would mean every interface of the machine.
    guard unsafe inet_pton(AF_INET, host, &address.sin_addr) == 1 else { throw notLiteral(host, "IPv4") }
    return store(address, in: &storage)
}

private func fillIPv6(_ storage: inout sockaddr_storage, _ host: String, port: UInt16) throws(CallFailure) -> Int {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    guard unsafe inet_pton(AF_INET6, host, &address.sin6_addr) == 1 else { throw notLiteral(host, "IPv6") }
    return store(address, in: &storage)
}

private func fillUnix(_ storage: inout sockaddr_storage, _ path: String) throws(CallFailure) -> Int {
    var address = sockaddr_un()
    let bytes = Array(path.utf8)
    let room = MemoryLayout.size(ofValue: address.sun_path) - 1
    guard bytes.count <= room else {
        throw CallFailure(
            call: "address \(path)", code: ENAMETOOLONG,
            text: "the path of a Unix socket has at most \(room) bytes, this one has \(bytes.count)")
    }
    // On Linux a leading NUL means a name outside the file system.
    guard !bytes.isEmpty, !bytes.contains(0) else {
        throw CallFailure(
            call: "address \(EscapedText.escape(bytes))", code: EINVAL,
            text: "the path of a Unix socket is neither empty nor holds NUL")
    }
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    return store(address, in: &storage)
}

private func notLiteral(_ host: String, _ family: String) -> CallFailure {
    CallFailure(call: "address \(host)", code: EINVAL, text: "not a literal \(family) address")
}

/// Returns the length of the stored address.
private func store<Address>(_ address: Address, in storage: inout sockaddr_storage) -> Int {
    unsafe withUnsafeMutableBytes(of: &storage) { target in
        unsafe withUnsafeBytes(of: address) { unsafe target.copyMemory(from: $0) }
    }
    return MemoryLayout<Address>.size
}

extension SocketAddress {
    /// Reads `127.0.0.1:4711`, `[::1]:4711` or `unix:/absolute/path`; nil for another text, and for the port 0.
    package init?(table text: String) {
        let scheme = "unix:"
        if text.hasPrefix(scheme) {
            let path = String(text.dropFirst(scheme.count))
            guard path.hasPrefix("/"), !path.utf8.contains(0) else { return nil }
            self = .unix(path: path)
            return
        }
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0 else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        self.init(host: String(host), port: port)
    }
}

extension SocketAddress {
    /// Whether a client of this machine may reach this address, with any port, as `localhost` or by an address.
    ///
    /// A name of another kind may be one that a page of a browser has had resolved to this machine.
    package func isReached(at host: String) -> Bool {
        if host == "localhost" { return true }
        guard let address = SocketAddress(host: host, port: 0) else { return false }
        return address.isLoopback || address == with(port: 0)
    }

    /// Whether a client of this machine may reach this address by the value of a Host field: `localhost:8088`, `[::1]`.
    ///
    /// Names below `localhost` reach it too (RFC 6761 §6.3).
    package func isReached(atAuthority authority: String) -> Bool {
        var host = authority.lowercased()[...]
        if host.hasPrefix("[") {
            guard let end = host.firstIndex(of: "]") else { return false }
            host = host[host.index(after: host.startIndex)..<end]
        } else if let colon = host.lastIndex(of: ":") {
            host = host[..<colon]
        }
        if host.last == "." { host.removeLast() }
        return host.hasSuffix(".localhost") || isReached(at: String(host))
    }
}

/// Room for the address from which datagrams come, which is read again only where it differs.
struct ReceivedAddress {
    private var storage = sockaddr_storage()
    private var length: socklen_t = 0
    private(set) var address = SocketAddress.unix(path: "")

    /// Lends the room to a call that fills it unless its result is negative.
    mutating func receive(_ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int) -> Int {
        var new = sockaddr_storage()
        var newLength = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = unsafe withUnsafeMutablePointer(to: &new) { pointer in
            unsafe call(UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: sockaddr.self), &newLength)
        }
        let isSame = unsafe newLength == length && memcmp(&new, &storage, Int(newLength)) == 0
        guard result >= 0, !isSame else { return result }
        (storage, length) = (new, newLength)
        address = SocketAddress.read(new)
        return result
    }
}
