import ProctorBase

extension URIReference {
    /// One pass for scheme, authority, path, query and fragment; the authority is then split in itself.
    static func split(_ bytes: Span<UInt8>) -> Ranges {
        var ranges = Ranges()
        var start = 0
        if let colon = endOfScheme(bytes) {
            ranges.scheme = 0..<colon
            start = colon + 1
        }
        if bytes.count - start >= 2, bytes[start] == UInt8(ascii: "/"), bytes[start + 1] == UInt8(ascii: "/") {
            let end = firstIndex(in: bytes, from: start + 2) { byte in
                byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
            }
            splitAuthority(bytes, start + 2..<end, into: &ranges)
            start = end
        }
        let pathEnd = firstIndex(in: bytes, from: start) { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        ranges.path = start..<pathEnd
        var end = pathEnd
        if end < bytes.count, bytes[end] == UInt8(ascii: "?") {
            let queryStart = end + 1
            end = firstIndex(in: bytes, from: queryStart) { $0 == UInt8(ascii: "#") }
            ranges.query = queryStart..<end
        }
        if end < bytes.count { ranges.fragment = end + 1..<bytes.count }
        return ranges
    }

    /// The colon after a well-formed scheme.
    private static func endOfScheme(_ bytes: Span<UInt8>) -> Int? {
        guard bytes.count > 1, bytes[0].isASCIILetter else { return nil }
        let end = firstIndex(in: bytes, from: 1) { byte in
            !(byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
                || byte == UInt8(ascii: "."))
        }
        return end < bytes.count && bytes[end] == UInt8(ascii: ":") ? end : nil
    }

    /// The last `@` ends the userinfo: before it nothing can be a host.
    private static func splitAuthority(_ bytes: Span<UInt8>, _ authority: Range<Int>, into ranges: inout Ranges) {
        ranges.authority = authority
        var start = authority.lowerBound
        if let at = authority.last(where: { bytes[$0] == UInt8(ascii: "@") }) {
            ranges.userinfo = start..<at
            start = at + 1
        }
        let colon = (start..<authority.upperBound).last { bytes[$0] == UInt8(ascii: ":") }
        let bracket = (start..<authority.upperBound).last { bytes[$0] == UInt8(ascii: "]") }
        if let colon, colon > bracket ?? -1 {
            ranges.host = start..<colon
            ranges.port = colon + 1..<authority.upperBound
        } else {
            ranges.host = start..<authority.upperBound
        }
    }

    private static func firstIndex(in bytes: Span<UInt8>, from start: Int, where matches: (UInt8) -> Bool) -> Int {
        var index = start
        while index < bytes.count, !matches(bytes[index]) { index += 1 }
        return index
    }
}
