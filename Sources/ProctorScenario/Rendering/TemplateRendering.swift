internal import ProctorHTTP
public import ProctorProgram

extension Template {
    /// Appends the text with everything late-bound filled in; an origin the context does not know adds nothing.
    public func render(in context: TemplateContext, into bytes: inout [UInt8]) {
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
            }
        }
    }

    /// The text with everything late-bound filled in.
    public func rendered(in context: TemplateContext) -> [UInt8] {
        if parts.count == 1, case .literal(let bytes) = parts[0] { return bytes }
        var bytes: [UInt8] = []
        render(in: context, into: &bytes)
        return bytes
    }
}

extension TemplateContext {
    fileprivate func authority(_ index: Int?) -> [UInt8] {
        let index = index ?? originIndex
        return authorities.indices.contains(index) ? authorities[index] : []
    }

    /// The authority taken apart (RFC 3986 §3.2); colons within brackets belong to an address of IPv6.
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

/// What late-bound text stands for while one reply is made.
public struct TemplateContext: Sendable {
    /// `http://127.0.0.1:40000` or with a mount's path, without a slash at its end.
    public var base: [UInt8]
    /// Host and port by origin index: `127.0.0.1:40000`.
    public var authorities: [[UInt8]]
    /// By origin index; an origin beyond its end has `http`.
    public var schemes: [Origin.Scheme]
    /// Files for clients of origins that speak TLS; nil: there are none.
    public var trust: TrustFiles?
    /// Where names of the scenario stand; empty where it has none.
    public var names: [Assignment.NamedHost]
    /// Authority of the proxy that leads to all of them; nil where there are none.
    public var namesProxy: String?
    /// The origin that `{{origin}}` and `{{authority}}` mean.
    public var originIndex: Int
    /// Seconds since 1970 at which the reply is made.
    public var unixSeconds: Int
    /// What the request's pattern took.
    public var captures: Captures

    /// `authorities` has one entry for each origin of the scenario.
    public init(
        base: [UInt8], authorities: [[UInt8]], schemes: [Origin.Scheme] = [], trust: TrustFiles? = nil,
        names: [Assignment.NamedHost] = [], namesProxy: String? = nil, originIndex: Int = 0, unixSeconds: Int = 0,
        captures: Captures = Captures()
    ) {
        self.schemes = schemes
        self.trust = trust
        self.names = names
        self.namesProxy = namesProxy
        self.base = base
        self.authorities = authorities
        self.originIndex = originIndex
        self.unixSeconds = unixSeconds
        self.captures = captures
    }
}

/// What clients are given to trust a server, and to be trusted by it.
public struct TrustFiles: Sendable, Equatable {
    /// Path of the authority's certificate, PEM.
    public var authority: String
    /// Client identities by name.
    public var identities: [String: Assignment.Identity]

    /// Paths are absolute.
    public init(authority: String, identities: [String: Assignment.Identity]) {
        self.authority = authority
        self.identities = identities
    }
}
