internal import ProctorBase
internal import ProctorHTTP

/// The places of host and port in an authority (RFC 3986 §3.2), which itself is not copied.
struct HostAndPort {
    /// Brackets of an IPv6 address included, one point at the end left out, for the root of the DNS may be written or not.
    let host: Range<Int>
    /// nil where it is absent or empty.
    let port: Int?

    /// `range` has no userinfo; nil for a port that is none.
    init?(_ bytes: Span<UInt8>, in range: Range<Int>) {
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

    /// Whether it is an address (RFC 3986 §3.2.2), which is never looked up, or `localhost`, which every machine has
    /// for itself; nobody else can be meant by an empty one.
    func isOwn(in bytes: Span<UInt8>) -> Bool {
        guard let first = host.first, let last = host.last else { return true }
        if bytes[first] == UInt8(ascii: "["), bytes[last] == UInt8(ascii: "]") { return true }
        let text = bytes.extracting(host)
        return IPv6Syntax.isIPv4(text) || Self.equals(text, Self.localhost)
    }

    /// Letter case makes no difference; `name` is in lower case.
    static func equals(_ bytes: Span<UInt8>, _ name: [UInt8]) -> Bool {
        guard bytes.count == name.count else { return false }
        for index in 0..<bytes.count where bytes[index].asciiLowercased != name[index] { return false }
        return true
    }

    private static let localhost = Array("localhost".utf8)

    /// The one before the port: those of an IPv6 address stand in brackets.
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
        var number = 0
        for index in range { number = number * 10 + Int(bytes[index] & 0x0F) }
        return number <= 65_535 ? number : nil
    }
}
