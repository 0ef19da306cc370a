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
