internal import ProctorBase
internal import ProctorScenario

/// The parts of a request-target in absolute-form (RFC 9112 §3.2.2) that a proxy needs, as places in the head's bytes.
struct AbsoluteTarget {
    /// nil for any but `http` and `https`.
    let scheme: Scheme?
    /// Without userinfo.
    let authority: Range<Int>
    /// Path, query and whatever else stands behind the authority.
    let rest: Range<Int>

    /// nil for a URI without an authority.
    init?(_ bytes: Span<UInt8>, in range: Range<Int>) {
        var index = range.lowerBound
        while index < range.upperBound, bytes[index] != UInt8(ascii: ":") { index += 1 }
        let name = bytes.extracting(range.lowerBound..<index)
        scheme = HostAndPort.equals(name, Self.http) ? .http : HostAndPort.equals(name, Self.https) ? .https : nil
        guard range.upperBound - index >= 3, bytes[index + 1] == UInt8(ascii: "/"),
            bytes[index + 2] == UInt8(ascii: "/")
        else { return nil }
        var start = index + 3
        index = start
        while index < range.upperBound, !Self.endsAuthority(bytes[index]) {
            // The last one ends the userinfo: before it nothing can be a host.
            if bytes[index] == UInt8(ascii: "@") { start = index + 1 }
            index += 1
        }
        authority = start..<index
        rest = index..<range.upperBound
    }

    /// What the origin is sent: the bytes as they came, `/` for an empty path, `*` for that of OPTIONS (§3.2.4).
    func originForm(_ bytes: [UInt8], isOptions: Bool) -> [UInt8] {
        guard let first = rest.first else { return [UInt8(ascii: isOptions ? "*" : "/")] }
        return bytes[first] == UInt8(ascii: "/") ? Array(bytes[rest]) : [UInt8(ascii: "/")] + bytes[rest]
    }

    /// What stands behind the authority of a whole target; one without an authority comes back as it is.
    static func originForm(of target: [UInt8]) -> [UInt8] {
        AbsoluteTarget(target.span, in: target.indices)?.originForm(target, isOptions: false) ?? target
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    private static let http = Array("http".utf8)
    private static let https = Array("https".utf8)
}
