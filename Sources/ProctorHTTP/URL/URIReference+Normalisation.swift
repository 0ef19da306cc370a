import ProctorBase

/// Each step of RFC 3986 §6.2 on its own, because clients are asked about each on its own.
extension URIReference {
    /// Scheme and host in small letters, percent-escapes of the host left alone (§6.2.2.1).
    public func lowercasingSchemeAndHost() -> URIReference {
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
    public func uppercasingPercentEscapes() -> URIReference {
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

    /// `%7E` becomes `~`: escapes of letters, digits, `-`, `.`, `_` and `~` are undone (§6.2.2.2).
    public func decodingUnreservedEscapes() -> URIReference {
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

    /// The path without `.` and `..` segments (§6.2.2.3); a relative reference keeps its path, where they have a
    /// meaning.
    public func removingDotSegments() -> URIReference {
        guard scheme != nil || path.first == UInt8(ascii: "/") else { return self }
        return Self.compose(
            scheme: scheme, authority: authority, path: Self.removingDotSegments(path), query: query,
            fragment: fragment)
    }

    /// Takes away an empty port, `:80` after `http` and `:443` after `https` (§6.2.3).
    public func removingDefaultPort() -> URIReference {
        guard let port = ranges.port, let host = ranges.host else { return self }
        guard port.isEmpty || portNumber == defaultPort else { return self }
        return URIReference(splitting: Array(bytes[..<host.upperBound] + bytes[port.upperBound...]))
    }

    /// `http://host` becomes `http://host/` (§6.2.3); for `http` and `https` only.
    public func addingEmptyPath() -> URIReference {
        guard path.isEmpty, authority != nil, defaultPort != nil else { return self }
        return Self.compose(
            scheme: scheme, authority: authority, path: [UInt8(ascii: "/")], query: query, fragment: fragment)
    }

    /// All of the above, in the order that reaches a fixed point.
    public func normalised() -> URIReference {
        decodingUnreservedEscapes().uppercasingPercentEscapes().lowercasingSchemeAndHost().removingDotSegments()
            .removingDefaultPort().addingEmptyPath()
    }

    var defaultPort: Int? { Self.defaultPort(of: bytes.span, scheme: ranges.scheme) }

    /// 80 for `http`, 443 for `https`; nil for every other scheme, and for none.
    static func defaultPort(of bytes: Span<UInt8>, scheme: Range<Int>?) -> Int? {
        guard let scheme else { return nil }
        let name = bytes.extracting(scheme)
        if name.equalsIgnoringCase("http") { return 80 }
        return name.equalsIgnoringCase("https") ? 443 : nil
    }
}

extension [UInt8] {
    /// The byte that `%HH` at `index` stands for.
    func escapedByte(at index: Int) -> UInt8? {
        guard count - index >= 3, let high = self[index + 1].hexadecimalValue,
            let low = self[index + 2].hexadecimalValue
        else { return nil }
        return high << 4 | low
    }
}
