import ProctorBase

extension URIReference {
    /// What no URI may hold becomes a percent-escape; what is legal, escapes among it, stays as it is (RFC 3986 §2).
    ///
    /// For references as people type them and servers send them: spaces, quotes, brackets, raw UTF-8 (RFC 3987 §3.1)
    /// and a `%` that escapes nothing, which is written `%25` (§2.4). The host is left alone, since escapes mean
    /// nothing to the DNS, and so is the port.
    public func escapingIllegalBytes() -> URIReference {
        var changed: [UInt8] = []
        changed.reserveCapacity(bytes.count)
        var copied = 0
        func escape(_ range: Range<Int>?, _ isLegal: (UInt8) -> Bool) {
            guard let range else { return }
            changed += bytes[copied..<range.lowerBound]
            copied = range.upperBound
            for index in range {
                let byte = bytes[index]
                if isLegal(byte) || HostSyntax.isEscape(bytes.span.extracting(index..<range.upperBound), at: 0) {
                    changed.append(byte)
                } else {
                    PercentText.append(byte, to: &changed)
                }
            }
        }
        escape(ranges.userinfo) { $0.isPathByte && $0 != UInt8(ascii: "@") }
        escape(ranges.path) { $0.isPathByte || $0 == UInt8(ascii: "/") }
        escape(ranges.query, \.isPathOrQueryByte)
        escape(ranges.fragment, \.isPathOrQueryByte)
        changed += bytes[copied...]
        return URIReference(splitting: changed)
    }

    /// Segments that are dot segments once unescaped, `%2e` among them, are written with plain dots.
    ///
    /// The URL Standard takes them for dot segments before anything is sent; to RFC 3986 §6.2.2.2 both are one URI.
    public func unescapingDotSegments() -> URIReference {
        let segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let plain = segments.map { segment -> [UInt8] in
            let decoded = URIReference(splitting: Array(segment)).decodingUnreservedEscapes().bytes
            return decoded == [.dot] || decoded == [.dot, .dot] ? decoded : Array(segment)
        }
        return Self.compose(
            scheme: scheme, authority: authority, path: Array(plain.joined(separator: [UInt8(ascii: "/")])),
            query: query, fragment: fragment)
    }
}

extension UInt8 {
    fileprivate static let dot = UInt8(ascii: ".")
}

/// Percent-escapes (RFC 3986 §2.1).
package enum PercentText {
    /// Nil where a `%` escapes nothing and `isStrict` forbids that; else it stays.
    package static func decode(_ text: some Collection<UInt8>, isStrict: Bool = false) -> [UInt8]? {
        let bytes = Array(text)
        var decoded: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), let byte = bytes.escapedByte(at: index) {
                decoded.append(byte)
                index += 3
            } else {
                if isStrict, bytes[index] == UInt8(ascii: "%") { return nil }
                decoded.append(bytes[index])
                index += 1
            }
        }
        return decoded
    }

    /// `%` and two digits, in capitals as §2.1 wants them.
    static func append(_ byte: UInt8, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "%"))
        text.append(digit(byte >> 4))
        text.append(digit(byte & 0x0F))
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
