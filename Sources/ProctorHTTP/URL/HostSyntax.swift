import ProctorBase

/// The host and port of an authority (RFC 3986 §3.2.2 and §3.2.3).
enum HostSyntax {
    /// Splits `host [ ":" port ]` (no userinfo); nil when a byte or an address is wrong, or the port is over 65535.
    ///
    /// An empty port is allowed, as in the grammar; an empty host too.
    static func split(_ bytes: Span<UInt8>) -> (host: Range<Int>, port: Range<Int>?)? {
        guard let hostEnd = endOfHost(bytes) else { return nil }
        if hostEnd == bytes.count { return (0..<hostEnd, nil) }
        guard bytes[hostEnd] == UInt8(ascii: ":") else { return nil }
        let port = hostEnd + 1..<bytes.count
        if !port.isEmpty, Self.port(bytes.extracting(port)) == nil { return nil }
        return (0..<hostEnd, port)
    }

    /// 0...65535; nil for anything but digits, for none, and for more than that.
    static func port(_ digits: Span<UInt8>) -> Int? {
        guard !digits.isEmpty else { return nil }
        var port = 0
        for index in digits.indices {
            guard digits[index].isASCIIDigit else { return nil }
            port = port * 10 + Int(digits[index] & 0x0F)
            guard port <= 65535 else { return nil }
        }
        return port
    }

    /// Whether the whole of `bytes` is an IP literal, an address or a registered name, the empty name included.
    static func isHost(_ bytes: Span<UInt8>) -> Bool { endOfHost(bytes) == bytes.count }

    private static func endOfHost(_ bytes: Span<UInt8>) -> Int? {
        if bytes.isEmpty { return 0 }
        if bytes[0] == UInt8(ascii: "[") { return endOfLiteral(bytes) }
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte.isUnreserved || byte.isSubDelimiter {
                index += 1
            } else if byte == UInt8(ascii: "%") {
                guard isEscape(bytes, at: index) else { return nil }
                index += 3
            } else if byte == UInt8(ascii: ":") {
                return index
            } else {
                return nil
            }
        }
        return index
    }

    /// Whether `%HH` stands at `index`.
    static func isEscape(_ bytes: Span<UInt8>, at index: Int) -> Bool {
        bytes.count - index >= 3 && bytes[index] == UInt8(ascii: "%") && bytes[index + 1].hexadecimalValue != nil
            && bytes[index + 2].hexadecimalValue != nil
    }

    private static func endOfLiteral(_ bytes: Span<UInt8>) -> Int? {
        var end = 1
        while end < bytes.count, bytes[end] != UInt8(ascii: "]") { end += 1 }
        guard end < bytes.count, end > 1 else { return nil }
        let address = bytes.extracting(1..<end)
        return isFutureAddress(address) || IPv6Syntax.isAddress(address) ? end + 1 : nil
    }

    /// `v` version `.` anything.
    private static func isFutureAddress(_ bytes: Span<UInt8>) -> Bool {
        guard bytes[0] | 0x20 == UInt8(ascii: "v") else { return false }
        var index = 1
        while index < bytes.count, bytes[index].hexadecimalValue != nil { index += 1 }
        guard index > 1, index < bytes.count - 1, bytes[index] == UInt8(ascii: ".") else { return false }
        return (index + 1..<bytes.count).allSatisfy {
            bytes[$0].isUnreserved || bytes[$0].isSubDelimiter || bytes[$0] == UInt8(ascii: ":")
        }
    }
}
