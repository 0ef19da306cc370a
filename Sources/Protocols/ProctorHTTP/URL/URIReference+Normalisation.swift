import ProctorBase

/// The steps of RFC 3986 §6.2 one by one, since cases ask about each of them.
extension URIReference {
    /// Leaves percent-escapes of the host as they are (§6.2.2.1).
    package func lowercasingSchemeAndHost() -> URIReference {
        var changed = bytes
        for index in ranges.scheme ?? 0..<0 { changed[index] = changed[index].asciiLowercased }
        var index = ranges.host?.lowerBound ?? 0
        let end = ranges.host?.upperBound ?? 0
        while index < end {
            if HostSyntax.isEscape(bytes.span, at: index) {
                index += 3
            } else {
                changed[index] = changed[index].asciiLowercased
                index += 1
            }
        }
        return URIReference(bytes: changed, ranges: ranges)
    }

    /// `%2f` becomes `%2F` (§6.2.2.1); broken escapes stay.
    package func uppercasingPercentEscapes() -> URIReference {
        var changed = bytes
        var index = 0
        while index < bytes.count {
            guard HostSyntax.isEscape(bytes.span, at: index) else {
                index += 1
                continue
            }
            for digit in index + 1...index + 2 where changed[digit].isASCIILetter { changed[digit] &= ~0x20 }
            index += 3
        }
        return URIReference(bytes: changed, ranges: ranges)
    }

    /// `%7E` becomes `~`: escapes of letters, digits, `-`, `.`, `_` and `~` are decoded (§6.2.2.2).
    package func decodingUnreservedEscapes() -> URIReference {
        var changed: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if HostSyntax.isEscape(bytes.span, at: index), let byte = bytes.escapedByte(at: index), byte.isUnreserved {
                changed.append(byte)
                index += 3
            } else {
                changed.append(bytes[index])
                index += 1
            }
        }
        return URIReference(splitting: changed)
    }

    /// The path without `.` and `..` segments (§6.2.2.3); a relative reference keeps its path, in which they have a
    /// meaning.
    package func removingDotSegments() -> URIReference {
        guard scheme != nil || path.first == UInt8(ascii: "/") else { return self }
        return with(path: Self.removingDotSegments(path))
    }

    /// Removes an empty port, `:80` after `http` and `:443` after `https` (§6.2.3).
    package func removingDefaultPort() -> URIReference {
        guard let port = ranges.port, let host = ranges.host else { return self }
        guard port.isEmpty || portNumber == defaultPort else { return self }
        return URIReference(splitting: Array(bytes[..<host.upperBound] + bytes[port.upperBound...]))
    }

    /// `http://host` becomes `http://host/` (§6.2.3); for `http` and `https` only.
    package func addingEmptyPath() -> URIReference {
        guard path.isEmpty, authority != nil, defaultPort != nil else { return self }
        return with(path: [UInt8(ascii: "/")])
    }

    /// All steps above, in an order after which another pass changes nothing.
    package func normalised() -> URIReference {
        decodingUnreservedEscapes().uppercasingPercentEscapes().lowercasingSchemeAndHost().removingDotSegments()
            .removingDefaultPort().addingEmptyPath()
    }

    var defaultPort: Int? { Self.defaultPort(of: bytes.span, scheme: ranges.scheme) }

    /// 80 for `http`, 443 for `https`; nil for other schemes and for none.
    static func defaultPort(of bytes: Span<UInt8>, scheme: Range<Int>?) -> Int? {
        guard let scheme else { return nil }
        let name = bytes.extracting(scheme)
        if name.equalsIgnoringCase("http") { return 80 }
        return name.equalsIgnoringCase("https") ? 443 : nil
    }
}

extension [UInt8] {
    func escapedByte(at index: Int) -> UInt8? {
        guard count - index >= 3, let high = self[index + 1].hexadecimalValue,
            let low = self[index + 2].hexadecimalValue
        else { return nil }
        return high << 4 | low
    }
}

extension URIReference {
    /// Escapes illegal bytes and leaves legal text and escapes unchanged (RFC 3986 §2).
    ///
    /// For references from users and servers, with spaces, quotes, raw UTF-8 (RFC 3987 §3.1) or an invalid `%`, which
    /// becomes `%25` (§2.4). Host and port stay, since the DNS has no escapes.
    package func escapingIllegalBytes() -> URIReference {
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

    /// Replaces escaped dot segments such as `%2e` by `.` and `..`.
    ///
    /// The URL Standard treats them as dot segments; by RFC 3986 §6.2.2.2 both are the same URI.
    package func unescapingDotSegments() -> URIReference {
        let segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let plain = segments.map { segment -> [UInt8] in
            let decoded = URIReference(splitting: Array(segment)).decodingUnreservedEscapes().bytes
            return decoded == [.dot] || decoded == [.dot, .dot] ? decoded : Array(segment)
        }
        return with(path: Array(plain.joined(separator: [UInt8(ascii: "/")])))
    }
}

extension UInt8 {
    fileprivate static let dot = UInt8(ascii: ".")
}

/// Percent-escapes (RFC 3986 §2.1).
package enum PercentText {
    /// Decodes escapes; an invalid `%` gives nil if `isStrict`, else it stays.
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

    /// `%` and two upper-case digits (§2.1).
    package static func append(_ byte: UInt8, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "%"))
        text.append(digit(byte >> 4))
        text.append(digit(byte & 0x0F))
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
