import ProctorBase

/// A URI or relative reference over bytes (RFC 3986 §4.1); components are slices of `bytes`.
package struct URIReference: Sendable, Hashable {
    package let bytes: [UInt8]
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

    /// Without the colon; nil in a relative reference.
    package var scheme: ArraySlice<UInt8>? { ranges.scheme.map { bytes[$0] } }

    /// Nil without `//`; may be empty.
    package var authority: ArraySlice<UInt8>? { ranges.authority.map { bytes[$0] } }

    /// The text before the last `@` of the authority.
    package var userinfo: ArraySlice<UInt8>? { ranges.userinfo.map { bytes[$0] } }

    /// With the brackets of an IP literal; nil only without an authority.
    package var host: ArraySlice<UInt8>? { ranges.host.map { bytes[$0] } }

    /// The digits after the colon, possibly none; nil without a colon.
    package var port: ArraySlice<UInt8>? { ranges.port.map { bytes[$0] } }

    /// May be empty.
    package var path: ArraySlice<UInt8> { bytes[ranges.path] }

    /// Without the `?`; nil without a `?`, else possibly empty.
    package var query: ArraySlice<UInt8>? { ranges.query.map { bytes[$0] } }

    /// Without the `#`.
    package var fragment: ArraySlice<UInt8>? { ranges.fragment.map { bytes[$0] } }

    /// 0...65535; nil for no port or one out of range.
    package var portNumber: Int? { ranges.port.flatMap { HostSyntax.port(bytes.span.extracting($0)) } }

    /// The port, else the scheme's default: 80 for `http`, 443 for `https`.
    package var effectivePort: Int? {
        if let port = ranges.port, !port.isEmpty { return portNumber }
        return defaultPort
    }
}

extension URIReference {
    /// Checks every byte against the grammar; the error names the first illegal byte.
    package init(parsing bytes: [UInt8]) throws(URIViolation) {
        self.init(splitting: bytes)
        try check()
    }

    /// Splits any bytes as RFC 3986 appendix B does, for what peers send.
    ///
    /// One difference: text before the first colon is a scheme only if it is well-formed.
    package init(splitting bytes: [UInt8]) {
        self.init(bytes: bytes, ranges: Self.split(bytes.span))
    }

    /// Splits scheme, authority, path, query and fragment in one pass, then the authority.
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

    /// The offset of the colon after a well-formed scheme.
    private static func endOfScheme(_ bytes: Span<UInt8>) -> Int? {
        guard bytes.count > 1, bytes[0].isASCIILetter else { return nil }
        let end = firstIndex(in: bytes, from: 1) { byte in
            !(byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
                || byte == UInt8(ascii: "."))
        }
        return end < bytes.count && bytes[end] == UInt8(ascii: ":") ? end : nil
    }

    /// The last `@` ends the userinfo, since no host can contain one.
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
    /// Throws the violation with the smallest offset.
    func check() throws(URIViolation) {
        if let userinfo = ranges.userinfo { try check(userinfo) { $0.isPathByte && $0 != UInt8(ascii: "@") } }
        if let host = ranges.host, !HostSyntax.isHost(bytes.span.extracting(host)) {
            throw URIViolation(.badHost, at: host.lowerBound, detail: Array(bytes[host]))
        }
        if let port = ranges.port, !port.isEmpty, portNumber == nil {
            throw URIViolation(.badPort, at: port.lowerBound, detail: Array(bytes[port]))
        }
        if ranges.scheme == nil, ranges.authority == nil {
            let segment = path.prefix { $0 != UInt8(ascii: "/") }
            if let colon = segment.firstIndex(of: UInt8(ascii: ":")) {
                throw URIViolation(.colonInFirstSegment, at: colon, detail: Array(segment[..<colon]))
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
                    throw URIViolation(.badPercentEscape, at: index, detail: Array(bytes[index..<end]))
                }
                index += 3
            } else {
                throw URIViolation(.illegalCharacter, at: index, detail: [byte])
            }
        }
    }
}

/// Why bytes are no URI reference.
public typealias URIViolation = GrammarViolation<URIRule>

extension URIViolation {
    fileprivate init(_ kind: URIRule, at offset: Int, detail: [UInt8]) {
        self.init(kind: kind, offset: offset, detail: detail, section: URIRule.table[kind].section)
    }
}

/// The kinds of errors of a URI reference.
public enum URIRule: String, GrammarRule, CaseIterable {
    case illegalCharacter = "illegal-character"
    case badPercentEscape = "bad-percent-escape"
    case badHost = "bad-host"
    case badPort = "bad-port"
    case colonInFirstSegment = "colon-in-first-segment"

    /// The error and the correct form.
    public var sentence: String { Self.table[self].sentence }

    fileprivate static let table = ContainedTable<Self, (section: String, sentence: String)>("uri-violations") {
        ($0["section"], $0["sentence"])
    }
}

extension URIReference {
    /// Resolves against `base` (RFC 3986 §5.2, strict: a scheme equal to that of the base is kept).
    ///
    /// Never uses the fragment of the base. A base without a scheme gives a result without one.
    package func resolved(against base: URIReference) -> URIReference {
        if scheme != nil { return with(path: Self.removingDotSegments(path)) }
        if authority != nil {
            return Self.compose(
                scheme: base.scheme, authority: authority, path: Self.removingDotSegments(path), query: query,
                fragment: fragment)
        }
        let path: [UInt8] =
            switch self.path.first {
            case nil: Array(base.path)
            case UInt8(ascii: "/"): Self.removingDotSegments(self.path)
            default: Self.removingDotSegments(merged(with: base))
            }
        return Self.compose(
            scheme: base.scheme, authority: base.authority, path: path,
            query: query ?? (self.path.isEmpty ? base.query : nil), fragment: fragment)
    }

    func with(path: [UInt8]) -> URIReference {
        Self.compose(scheme: scheme, authority: authority, path: path, query: query, fragment: fragment)
    }

    /// Replaces the last segment of the base path by this path (§5.2.3).
    private func merged(with base: URIReference) -> [UInt8] {
        if base.authority != nil, base.path.isEmpty { return [UInt8(ascii: "/")] + path }
        guard let slash = base.path.lastIndex(of: UInt8(ascii: "/")) else { return Array(path) }
        return Array(base.path[...slash] + path)
    }

    /// Removes `.` and `..` segments (§5.2.4); those above the root are dropped.
    package static func removingDotSegments(_ path: some Collection<UInt8>) -> [UInt8] {
        let input = Array(path)
        var output: [UInt8] = []
        output.reserveCapacity(input.count)
        var rest = input[...]
        while !rest.isEmpty {
            if rest.starts(with: "../".utf8) {
                rest = rest.dropFirst(3)
            } else if rest.starts(with: "./".utf8) {
                rest = rest.dropFirst(2)
            } else if rest.starts(with: "/./".utf8) {
                rest = rest.dropFirst(2)
            } else if rest.elementsEqual("/.".utf8) {
                output.append(UInt8(ascii: "/"))
                break
            } else if rest.starts(with: "/../".utf8) {
                removeLastSegment(of: &output)
                rest = rest.dropFirst(3)
            } else if rest.elementsEqual("/..".utf8) {
                removeLastSegment(of: &output)
                output.append(UInt8(ascii: "/"))
                break
            } else if rest.elementsEqual(".".utf8) || rest.elementsEqual("..".utf8) {
                break
            } else {
                let end = rest.dropFirst().firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
                output.append(contentsOf: rest[..<end])
                rest = rest[end...]
            }
        }
        return output
    }

    private static func removeLastSegment(of output: inout [UInt8]) {
        let slash = output.lastIndex(of: UInt8(ascii: "/")) ?? 0
        output.removeSubrange(slash...)
    }

    /// Joins components (§5.3).
    ///
    /// A path that begins with `//` without an authority gets `/.` before it, and a colon in the first segment without
    /// a scheme gets `./`, so that parsing the result gives the same components.
    static func compose(
        scheme: ArraySlice<UInt8>?, authority: ArraySlice<UInt8>?, path: [UInt8], query: ArraySlice<UInt8>?,
        fragment: ArraySlice<UInt8>?
    ) -> URIReference {
        var bytes: [UInt8] = []
        if let scheme { bytes += scheme + [UInt8(ascii: ":")] }
        if let authority {
            bytes += "//".utf8
            bytes += authority
        } else if path.starts(with: "//".utf8) {
            bytes += "/.".utf8
        } else if scheme == nil, path.prefix(while: { $0 != UInt8(ascii: "/") }).contains(UInt8(ascii: ":")) {
            bytes += "./".utf8
        }
        bytes += path
        if let query { bytes += [UInt8(ascii: "?")] + query }
        if let fragment { bytes += [UInt8(ascii: "#")] + fragment }
        return URIReference(splitting: bytes)
    }
}
