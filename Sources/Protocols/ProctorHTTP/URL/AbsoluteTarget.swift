internal import ProctorBase

/// The ranges of a request-target in absolute-form (RFC 9112 §3.2.2) that a proxy needs.
package struct AbsoluteTarget {
    /// As it came, in any letter case.
    package let scheme: Range<Int>
    /// Without userinfo.
    package let authority: Range<Int>
    package let rest: Range<Int>

    /// Nil for text without a scheme (RFC 3986 §3.1) and for a URI without an authority.
    package init?(_ bytes: Span<UInt8>, in range: Range<Int>) {
        guard let first = range.first, bytes[first].isASCIILetter else { return nil }
        var index = first
        while index < range.upperBound, Self.isSchemeByte(bytes[index]) { index += 1 }
        scheme = first..<index
        guard range.upperBound - index >= 3, bytes[index] == UInt8(ascii: ":"), bytes[index + 1] == UInt8(ascii: "/"),
            bytes[index + 2] == UInt8(ascii: "/")
        else { return nil }
        var start = index + 3
        index = start
        while index < range.upperBound, !Self.endsAuthority(bytes[index]) {
            // The last `@` ends the userinfo.
            if bytes[index] == UInt8(ascii: "@") { start = index + 1 }
            index += 1
        }
        authority = start..<index
        rest = index..<range.upperBound
    }

    /// The target for the origin: the same bytes, `/` for an empty path, `*` for that of OPTIONS (§3.2.4).
    package func originForm(_ bytes: [UInt8], isOptions: Bool) -> [UInt8] {
        guard let first = rest.first else { return [UInt8(ascii: isOptions ? "*" : "/")] }
        return bytes[first] == UInt8(ascii: "/") ? Array(bytes[rest]) : [UInt8(ascii: "/")] + bytes[rest]
    }

    /// The target from after the authority; a target without an authority is returned unchanged.
    package static func originForm(of target: [UInt8], isOptions: Bool = false) -> [UInt8] {
        AbsoluteTarget(target.span, in: target.indices)?.originForm(target, isOptions: isOptions) ?? target
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: byte.isASCIILetter || byte.isASCIIDigit
        }
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }
}
