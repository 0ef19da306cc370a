import ProctorBase

/// The host and port of an authority (RFC 3986 §3.2.2 and §3.2.3).
enum HostSyntax {
    /// Splits `host [ ":" port ]` (no userinfo); nil if a byte or an address is illegal, or the port is over 65535.
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

    /// 0...65535; nil for no digits, other bytes, and larger numbers.
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

    /// An IP literal, an address or a registered name, which may be empty.
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

    /// Whether there is `%HH` at `index`.
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

    /// `IPvFuture`: `v`, a version, `.` and any legal bytes.
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

/// The textual form of an IPv6 address inside an IP literal (RFC 3986 §3.2.2; no zone identifiers).
package enum IPv6Syntax {
    /// Eight groups of one to four hexadecimal digits, at most one `::`, an IPv4 address for the last two groups.
    static func isAddress(_ bytes: Span<UInt8>) -> Bool {
        var groups = 0
        var index = 0
        var hasGap = false
        if starts(bytes, at: 0, with: UInt8(ascii: ":")) {
            guard starts(bytes, at: 1, with: UInt8(ascii: ":")) else { return false }
            hasGap = true
            index = 2
        }
        while index < bytes.count {
            var end = index
            while end < bytes.count, bytes[end].hexadecimalValue != nil { end += 1 }
            if starts(bytes, at: end, with: UInt8(ascii: ".")) {
                guard isIPv4(bytes.extracting(index..<bytes.count)) else { return false }
                groups += 2
                index = bytes.count
                break
            }
            guard 1...4 ~= end - index else { return false }
            groups += 1
            index = end
            if index == bytes.count { break }
            guard bytes[index] == UInt8(ascii: ":") else { return false }
            index += 1
            if starts(bytes, at: index, with: UInt8(ascii: ":")) {
                if hasGap { return false }
                hasGap = true
                index += 1
            } else if index == bytes.count {
                return false
            }
        }
        return hasGap ? groups <= 7 : groups == 8
    }

    /// Four numbers of 0 to 255 without leading zeros.
    package static func isIPv4(_ bytes: Span<UInt8>) -> Bool {
        var numbers = 0
        var index = 0
        while true {
            var value = 0
            let start = index
            while index < bytes.count, bytes[index].isASCIIDigit, index - start < 3 {
                value = value * 10 + Int(bytes[index] & 0x0F)
                index += 1
            }
            guard index > start, value <= 255, index - start == 1 || bytes[start] != UInt8(ascii: "0") else {
                return false
            }
            numbers += 1
            if index == bytes.count { return numbers == 4 }
            guard numbers < 4, bytes[index] == UInt8(ascii: ".") else { return false }
            index += 1
        }
    }

    private static func starts(_ bytes: Span<UInt8>, at index: Int, with byte: UInt8) -> Bool {
        index < bytes.count && bytes[index] == byte
    }
}
