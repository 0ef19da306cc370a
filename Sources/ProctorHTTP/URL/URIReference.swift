import ProctorBase

/// A URI or relative reference over bytes (RFC 3986 §4.1); every component is a view into `bytes`.
public struct URIReference: Sendable, Hashable {
    /// The whole reference, as it was parsed or composed.
    public let bytes: [UInt8]
    let ranges: Ranges

    struct Ranges: Sendable, Hashable {
        var scheme: Range<Int>?
        var authority: Range<Int>?
        var userinfo: Range<Int>?
        var host: Range<Int>?
        var port: Range<Int>?
        var path: Range<Int> = 0..<0
        var query: Range<Int>?
        var fragment: Range<Int>?
    }

    /// Splits and checks every byte against the grammar; the error names the first that does not fit.
    public init(parsing bytes: [UInt8]) throws(URIViolation) {
        self.init(splitting: bytes)
        try check()
    }

    /// Splits as RFC 3986 appendix B does, which fits any bytes; for what peers really send.
    ///
    /// Unlike there, what stands before the first colon is a scheme only when it looks like one.
    public init(splitting bytes: [UInt8]) {
        self.bytes = bytes
        self.ranges = Self.split(bytes.span)
    }

    init(bytes: [UInt8], ranges: Ranges) {
        self.bytes = bytes
        self.ranges = ranges
    }

    /// Without the colon; nil in a relative reference.
    public var scheme: ArraySlice<UInt8>? { ranges.scheme.map { bytes[$0] } }

    /// Between `//` and the path; nil without `//`, empty with nothing after it.
    public var authority: ArraySlice<UInt8>? { ranges.authority.map { bytes[$0] } }

    /// Before the last `@` of the authority.
    public var userinfo: ArraySlice<UInt8>? { ranges.userinfo.map { bytes[$0] } }

    /// With the brackets of an IP literal; nil only without an authority.
    public var host: ArraySlice<UInt8>? { ranges.host.map { bytes[$0] } }

    /// The digits after the colon, possibly none; nil without a colon.
    public var port: ArraySlice<UInt8>? { ranges.port.map { bytes[$0] } }

    /// Always there, often empty.
    public var path: ArraySlice<UInt8> { bytes[ranges.path] }

    /// Without the `?`; empty is not the same as nil.
    public var query: ArraySlice<UInt8>? { ranges.query.map { bytes[$0] } }

    /// Without the `#`.
    public var fragment: ArraySlice<UInt8>? { ranges.fragment.map { bytes[$0] } }

    /// The port as a number, 0...65535; nil when there is none, or none that fits.
    public var portNumber: Int? { ranges.port.flatMap { HostSyntax.port(bytes.span.extracting($0)) } }

    /// The port as a number, or the scheme's own: 80 for `http`, 443 for `https`.
    public var effectivePort: Int? {
        if let port = ranges.port, !port.isEmpty { return portNumber }
        return defaultPort
    }
}

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

extension URIReference {
    /// Throws the departure with the smallest offset.
    func check() throws(URIViolation) {
        if let userinfo = ranges.userinfo { try check(userinfo) { $0.isPathByte && $0 != UInt8(ascii: "@") } }
        if let host = ranges.host, !HostSyntax.isHost(bytes.span.extracting(host)) {
            throw URIViolation(kind: .badHost, offset: host.lowerBound, detail: Array(bytes[host]))
        }
        if let port = ranges.port, !port.isEmpty, portNumber == nil {
            throw URIViolation(kind: .badPort, offset: port.lowerBound, detail: Array(bytes[port]))
        }
        if ranges.scheme == nil, ranges.authority == nil {
            let segment = path.prefix { $0 != UInt8(ascii: "/") }
            if let colon = segment.firstIndex(of: UInt8(ascii: ":")) {
                throw URIViolation(kind: .colonInFirstSegment, offset: colon, detail: Array(segment[..<colon]))
            }
        }
        try check(ranges.path) { $0.isPathByte || $0 == UInt8(ascii: "/") }
        if let query = ranges.query { try check(query) { $0.isPathOrQueryByte } }
        if let fragment = ranges.fragment { try check(fragment) { $0.isPathOrQueryByte } }
    }

    private func check(_ range: Range<Int>, isLegal: (UInt8) -> Bool) throws(URIViolation) {
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            if isLegal(byte) {
                index += 1
            } else if byte == UInt8(ascii: "%") {
                guard HostSyntax.isEscape(bytes.span.extracting(index..<range.upperBound), at: 0) else {
                    let end = min(index + 3, range.upperBound)
                    throw URIViolation(kind: .badPercentEscape, offset: index, detail: Array(bytes[index..<end]))
                }
                index += 3
            } else {
                throw URIViolation(kind: .illegalCharacter, offset: index, detail: [byte])
            }
        }
    }
}
