import ProctorBase

/// The textual form of an IPv6 address inside an IP literal (RFC 3986 §3.2.2; no zone identifiers).
public enum IPv6Syntax {
    /// Eight groups of one to four hexadecimal digits, one `::` for a run of them, an IPv4 address for the last two.
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
    public static func isIPv4(_ bytes: Span<UInt8>) -> Bool {
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
