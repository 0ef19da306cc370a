internal import ProctorBase
internal import ProctorHTTP

/// The ranges of host and port in an authority (RFC 3986 §3.2).
package struct HostAndPort {
    /// Includes the brackets of an IPv6 address, excludes one final dot (the DNS root).
    package let host: Range<Int>
    /// Nil where the port is absent or empty.
    package let port: Int?

    /// `range` has no userinfo; nil for an invalid port.
    package init?(_ bytes: Span<UInt8>, in range: Range<Int>) {
        var end = range.upperBound
        var port: Int?
        if let colon = Self.colon(bytes, range) {
            if colon + 1 < end {
                guard let number = Self.number(bytes, colon + 1..<end) else { return nil }
                port = number
            }
            end = colon
        }
        if end > range.lowerBound, bytes[end - 1] == UInt8(ascii: ".") { end -= 1 }
        host = range.lowerBound..<end
        self.port = port
    }

    /// Whether the host needs no lookup on another machine: an address (RFC 3986 §3.2.2), `localhost` or empty.
    package func isOwn(in bytes: Span<UInt8>) -> Bool {
        guard let first = host.first, let last = host.last else { return true }
        if bytes[first] == UInt8(ascii: "["), bytes[last] == UInt8(ascii: "]") { return true }
        let text = bytes.extracting(host)
        return IPv6Syntax.isIPv4(text) || Self.equals(text, Self.localhost)
    }

    /// Ignores letter case; `name` is in lower case.
    package static func equals(_ bytes: Span<UInt8>, _ name: [UInt8]) -> Bool {
        guard bytes.count == name.count else { return false }
        for index in 0..<bytes.count where bytes[index].asciiLowercased != name[index] { return false }
        return true
    }

    private static let localhost = Array("localhost".utf8)

    /// The colon before the port, not one of an IPv6 address.
    private static func colon(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        var index = range.upperBound - 1
        while index >= range.lowerBound {
            let byte = bytes[index]
            if byte == UInt8(ascii: ":") { return index }
            if !byte.isASCIIDigit { return nil }
            index -= 1
        }
        return nil
    }

    private static func number(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        guard range.count <= 5 else { return nil }
        let number = range.reduce(0) { $0 * 10 + Int(bytes[$1] & 0x0F) }
        return number <= 65_535 ? number : nil
    }
}
