import ProctorBase
internal import ProctorHTTP
package import ProctorProgram

/// Text with late-bound parts, written `{{…}}` in a fixture.
package struct Template: Sendable, Equatable {
    package let parts: [Part]

    /// Literal bytes, or a late-bound part.
    package enum Part: Sendable, Equatable {
        case literal([UInt8])
        /// `{{base}}`: the URL of the scenario, without a trailing slash.
        case base
        /// `{{origin}}` (nil: the serving origin) or `{{origin.NAME}}`: scheme, host and port.
        case origin(Int?)
        /// `{{authority}}` or `{{authority.NAME}}`: host and port.
        case authority(Int?)
        /// `{{host}}` or `{{host.NAME}}`: the host, an IPv6 address in brackets.
        case host(Int?)
        /// `{{port}}` or `{{port.NAME}}`: the port in decimal; the scheme's default when the authority has none.
        case port(Int?)
        /// `{{now + 1h}}`: an IMF-fixdate (RFC 9110 §5.6.7), this many seconds after the reply is made.
        case now(offsetSeconds: Int)
        /// `{{path.NAME}}`: the capture `{NAME}` of the request pattern.
        case capture(String)
        /// A value of the request or of the run.
        case value(LateValue, LateEscape)
    }

    package init(parts: [Part]) {
        self.parts = parts
    }

    /// The bytes; nil when a part is late-bound.
    package var literalBytes: [UInt8]? {
        var bytes: [UInt8] = []
        for part in parts {
            guard case .literal(let piece) = part else { return nil }
            bytes += piece
        }
        return bytes
    }
}

extension Template {
    /// The bytes with the values of late-bound parts; an origin that the context does not have adds no bytes.
    ///
    /// `value` returns the escaped bytes of a value of the request or of the run.
    package func render(
        in context: TemplateContext, into bytes: inout [UInt8],
        value: (LateValue, LateEscape) -> [UInt8] = { _, _ in [] }
    ) {
        for part in parts {
            switch part {
            case .literal(let literal): bytes += literal
            case .base: bytes += context.base
            case .origin(let index):
                bytes += Array(context.scheme(index).rawValue.utf8)
                bytes += Array("://".utf8)
                bytes += context.authority(index)
            case .authority(let index): bytes += context.authority(index)
            case .host(let index): bytes += context.hostAndPort(index).host
            case .port(let index): bytes += context.hostAndPort(index).port
            case .now(let offset):
                bytes += HTTPDate.imfFixdate(
                    unixSeconds: context.unixSeconds.addingReportingOverflow(offset).partialValue)
            case .capture(let name): bytes += context.captures[name] ?? []
            case .value(let late, let escape): bytes += value(late, escape)
            }
        }
    }

    package func rendered(
        in context: TemplateContext, value: (LateValue, LateEscape) -> [UInt8] = { _, _ in [] }
    ) -> [UInt8] {
        if parts.count == 1, case .literal(let bytes) = parts[0] { return bytes }
        var bytes: [UInt8] = []
        render(in: context, into: &bytes, value: value)
        return bytes
    }
}

extension TemplateContext {
    fileprivate func authority(_ index: Int?) -> [UInt8] {
        let index = index ?? originIndex
        return authorities.indices.contains(index) ? authorities[index] : []
    }

    /// Splits the authority (RFC 3986 §3.2); colons in brackets belong to an IPv6 address.
    fileprivate func hostAndPort(_ index: Int?) -> (host: [UInt8], port: [UInt8]) {
        let authority = authority(index)
        guard !authority.isEmpty else { return ([], []) }
        let colon = authority.lastIndex { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "]") }
        guard let colon, authority[colon] == UInt8(ascii: ":") else {
            return (authority, Array(String(scheme(index).defaultPort).utf8))
        }
        return (Array(authority[..<colon]), Array(authority[(colon + 1)...]))
    }

    fileprivate func scheme(_ index: Int?) -> Origin.Scheme {
        let index = index ?? originIndex
        return schemes.indices.contains(index) ? schemes[index] : .http
    }
}

/// The values of late-bound parts while one reply is made.
package struct TemplateContext: Sendable {
    /// `http://127.0.0.1:40000`, or with a mount's path; without a trailing slash.
    package var base: [UInt8]
    /// Host and port by origin index: `127.0.0.1:40000`.
    package var authorities: [[UInt8]]
    /// The schemes by origin index; `http` for an index after the end.
    package var schemes: [Origin.Scheme]
    /// Trust files for clients of TLS origins; nil: none.
    package var trust: TrustFiles?
    /// The addresses of the scenario's host names; may be empty.
    package var names: [Assignment.NamedHost]
    /// Authority of the proxy for all of ``names``; nil: none.
    package var namesProxy: String?
    /// Address of the run's server of DNS; nil: none.
    package var resolver: String?
    /// The index of the origin of `{{origin}}` and `{{authority}}`.
    package var originIndex: Int
    /// Seconds since 1970 when the reply is made.
    package var unixSeconds: Int
    /// The captures of the request's pattern.
    package var captures: Captures

    /// `authorities` must have one entry for each origin of the scenario.
    package init(
        base: [UInt8], authorities: [[UInt8]], schemes: [Origin.Scheme] = [], trust: TrustFiles? = nil,
        names: [Assignment.NamedHost] = [], namesProxy: String? = nil, resolver: String? = nil,
        originIndex: Int = 0, unixSeconds: Int = 0, captures: Captures = Captures()
    ) {
        (self.schemes, self.trust, self.names, self.namesProxy) = (schemes, trust, names, namesProxy)
        (self.resolver, self.base, self.authorities, self.originIndex) = (resolver, base, authorities, originIndex)
        (self.unixSeconds, self.captures) = (unixSeconds, captures)
    }
}

/// Files with which clients validate a server and identify themselves.
package struct TrustFiles: Sendable, Equatable {
    /// Absolute path of the authority's certificate, PEM.
    package var authority: String
    /// The client identities by name.
    package var identities: [String: Assignment.Identity]

    package init(authority: String, identities: [String: Assignment.Identity]) {
        (self.authority, self.identities) = (authority, identities)
    }
}

extension Template {
    /// Whether both templates can have the same text; compares the text before and after late-bound parts.
    package func mayBe(_ other: Template) -> Bool {
        if let mine = literalBytes, let theirs = other.literalBytes { return mine == theirs }
        func agree(_ mine: [UInt8], _ theirs: [UInt8]) -> Bool {
            zip(mine, theirs).allSatisfy { $0 == $1 }
        }
        return agree(literalStart, other.literalStart) && agree(literalEnd.reversed(), other.literalEnd.reversed())
    }

    private var literalStart: [UInt8] {
        if case .literal(let bytes)? = parts.first { bytes } else { [] }
    }

    private var literalEnd: [UInt8] {
        if case .literal(let bytes)? = parts.last { bytes } else { [] }
    }

    /// The text for messages, with `{{…}}` for late-bound parts.
    package var shown: String {
        parts.map { if case .literal(let bytes) = $0 { EscapedText.escape(bytes, limit: 100) } else { "{{…}}" } }
            .joined()
    }
}
