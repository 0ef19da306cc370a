import ProctorBase

/// An http or https URL in canonical form, and what of it goes on the wire (RFC 9110 §4.2.3, RFC 9112 §3.2).
///
/// Canonical: scheme and host in lower case, no default port, no dot segments, `/` for an empty path, every byte legal.
/// Escapes that were there, the query's order and its emptiness stay, since a server may mean something by them.
/// Equal ones make equal requests, but for userinfo and fragment, which are kept and never sent.
///
/// One reference: requests and responses carry it through many hands.
public struct ClientURL: Sendable {
    private let parts: Parts

    private final class Parts: Sendable {
        let reference: URIReference
        let origin: Origin
        let target: [UInt8]
        let ownScheme: String?
        let isRespelled: Bool

        init(_ reference: URIReference, _ origin: Origin, ownScheme: String? = nil, isRespelled: Bool = false) {
            self.isRespelled = isRespelled
            self.reference = reference
            self.origin = origin
            self.ownScheme = ownScheme
            target = Array(reference.path) + (reference.query.map { [UInt8(ascii: "?")] + $0 } ?? [])
        }
    }

    /// The canonical form; always with scheme, host and a path that begins with a slash.
    public var reference: URIReference { parts.reference }

    /// Scheme, host and port of the server.
    public var origin: Origin { parts.origin }

    /// Path and query, for a request to the origin itself (origin-form, RFC 9112 §3.2.1).
    public var target: [UInt8] { parts.target }

    /// The scheme by which its user calls it, in lower case; nil: the one that it has.
    ///
    /// Elsewhere the scheme is `http`: on the wire, to caches, to cookies, and as an origin.
    public var ownScheme: String? { parts.ownScheme }

    /// The same URL called by another scheme of its user; nil: by its own.
    public func called(_ ownScheme: String?) -> ClientURL {
        ClientURL(parts: Parts(parts.reference, parts.origin, ownScheme: ownScheme, isRespelled: parts.isRespelled))
    }

    /// Whether a person typed the URL otherwise than it is spelled now; no part of equality.
    public var isRespelled: Bool { parts.isRespelled }

    func markedAsRespelled() -> ClientURL {
        ClientURL(parts: Parts(parts.reference, parts.origin, ownScheme: parts.ownScheme, isRespelled: true))
    }

    private init(parts: Parts) { self.parts = parts }

    /// `http://url.invalid/`, for where a URL has to stand and there is none: the name never exists (RFC 6761 §6.4).
    public static let nowhere = ClientURL(
        parts: Parts(
            URIReference(splitting: Array("http://url.invalid/".utf8)),
            Origin(scheme: .http, host: "url.invalid", port: HTTPScheme.http.defaultPort)))

    /// Reads an absolute URL; what no URI may hold is escaped, and a backslash before the query is a slash.
    ///
    /// The backslash is the URL Standard's reading; to RFC 3986 it is illegal anywhere, so no legal URL is misread.
    public init(_ bytes: [UInt8]) throws(ClientURLError) {
        try self.init(canonicalising: Self.mended(bytes))
    }

    /// Reads an absolute URL as UTF-8.
    public init(_ text: String) throws(ClientURLError) {
        try self.init(Array(text.utf8))
    }

    /// `reference` is absolute, and its bytes are legal outside the authority.
    init(canonicalising reference: URIReference) throws(ClientURLError) {
        guard let name = reference.scheme else {
            throw .noScheme(reference.bytes.span.excerpt(0..<reference.bytes.count))
        }
        let lowered = String(decoding: name.map(\.asciiLowercased), as: UTF8.self)
        guard let scheme = HTTPScheme(rawValue: lowered) else { throw .unsupportedScheme(lowered) }
        guard let host = reference.host, !host.isEmpty else { throw .noHost }
        let path = reference.unescapingDotSegments().removingDotSegments().addingEmptyPath()
        do throws(URIViolation) {
            try path.check()
        } catch {
            throw .syntax(error)
        }
        let origin = Origin(
            scheme: scheme, host: FieldText.decode(host), port: path.effectivePort ?? scheme.defaultPort)
        var authority = reference.userinfo.map { Array($0) + [UInt8(ascii: "@")] } ?? []
        authority += origin.authority.utf8
        parts = Parts(
            URIReference.compose(
                scheme: Array(scheme.rawValue.utf8)[...], authority: authority[...], path: Array(path.path),
                query: path.query, fragment: path.fragment), origin)
    }

    /// Without spaces and controls at its ends, its backslashes turned, its illegal bytes escaped.
    static func mended(_ bytes: [UInt8]) -> URIReference {
        var trimmed = bytes[...]
        while let first = trimmed.first, first <= .space { trimmed.removeFirst() }
        while let last = trimmed.last, last <= .space { trimmed.removeLast() }
        var turned = Array(trimmed)
        for index in turned.indices {
            if turned[index] == UInt8(ascii: "?") || turned[index] == UInt8(ascii: "#") { break }
            if turned[index] == UInt8(ascii: "\\") { turned[index] = UInt8(ascii: "/") }
        }
        return URIReference(splitting: turned).escapingIllegalBytes()
    }
}

extension ClientURL {
    /// Whether both name the same resource: escapes in one spelling, user and fragment aside (RFC 3986 §6.2.2).
    package func isEquivalent(to other: ClientURL) -> Bool {
        origin == other.origin && equivalentTarget == other.equivalentTarget
    }

    private var equivalentTarget: [UInt8] {
        let reference = reference.uppercasingPercentEscapes().decodingUnreservedEscapes()
        return Array(reference.path) + (reference.query.map { [UInt8(ascii: "?")] + $0 } ?? [])
    }
}

extension ClientURL: Hashable {
    /// By the bytes of the canonical form, and what its user calls it.
    public static func == (left: ClientURL, right: ClientURL) -> Bool {
        left.parts === right.parts || left.reference == right.reference && left.ownScheme == right.ownScheme
    }

    /// By the bytes of the canonical form.
    public func hash(into hasher: inout Hasher) { hasher.combine(reference.bytes) }
}

extension ClientURL {
    /// Reads what a person typed: as `init(_:)`, and `http:example.com`, `http:/example.com` and `http:///path` too.
    ///
    /// A host may have escapes and letters beyond ASCII, which become what the DNS has for them.
    ///
    /// Apple's loader mends these three, by `//` and by the host `localhost`. RFC 9110 §4.2.1 wants an empty host
    /// refused, so nothing that a server sent is read this way.
    public init(typed text: String) throws(ClientURLError) {
        self = try ClientURL(mendingTyped: text).spelled(text)
    }

    private init(mendingTyped text: String) throws(ClientURLError) {
        let reference = Self.mended(Array(text.utf8))
        guard let scheme = reference.scheme, reference.host?.isEmpty ?? true, reference.defaultPort != nil else {
            try self.init(canonicalising: reference.spellingHostInASCII())
            return
        }
        var rest = reference.bytes[(scheme.endIndex + 1)...]
        if reference.authority == nil {
            if rest.first == UInt8(ascii: "/") { rest.removeFirst() }
        } else {
            rest.removeFirst(2)
        }
        var bytes = Array(scheme) + Array("://".utf8)
        let split = URIReference(splitting: Array("//".utf8) + rest)
        if split.host?.isEmpty ?? true {
            bytes += split.userinfo.map { Array($0) + [UInt8(ascii: "@")] } ?? []
            bytes += "localhost".utf8
            rest = rest.dropFirst(split.userinfo.map { $0.count + 1 } ?? 0)
        }
        try self.init(
            canonicalising: URIReference(splitting: bytes + rest).escapingIllegalBytes().spellingHostInASCII())
    }

    private func spelled(_ text: String) -> ClientURL { self.text == text ? self : markedAsRespelled() }

    /// The same, of URLs whose scheme may also be one of those, in lower case, by which their user calls `http`.
    public init(typed text: String, ownSchemes: Set<String>) throws(ClientURLError) {
        for scheme in ownSchemes {
            let (http, isCalled) = Self.withoutOwnScheme(Array(text.utf8), scheme)
            guard isCalled else { continue }
            self = try ClientURL(mendingTyped: String(decoding: http, as: UTF8.self)).called(scheme).spelled(text)
            return
        }
        try self.init(typed: text)
    }

    /// With `http` in place of that scheme; false where it is not there.
    static func withoutOwnScheme(_ text: [UInt8], _ scheme: String?) -> (text: [UInt8], isCalled: Bool) {
        guard let scheme else { return (text, false) }
        let rest = text.drop { $0 <= .space }
        let prefix = Array("\(scheme):".utf8)
        guard rest.count >= prefix.count, rest.prefix(prefix.count).map(\.asciiLowercased) == prefix else {
            return (text, false)
        }
        return (Array("http:".utf8) + rest.dropFirst(prefix.count), true)
    }
}

extension ClientURL {
    /// Where a Location leads that came with the answer to this URL (RFC 9110 §10.2.2).
    ///
    /// Location is resolved against this URL (RFC 3986 §5.2) after being mended as `init(_:)` does, its host as a typed one;
    /// an empty one is this very URL. Where it has no fragment, this URL's goes on.
    /// The scheme of its user stays where Location names none, or that one.
    /// One with userinfo of its own is refused: a server has no business with another's password (RFC 9110 §4.2.4).
    public func resolving(location: some Collection<UInt8>) throws(ClientURLError) -> ClientURL {
        let (location, isCalled) = Self.withoutOwnScheme(Array(location), ownScheme)
        let reference = Self.mended(location).spellingHostInASCII()
        let target = reference.resolved(against: self.reference)
        let resolved = try ClientURL(
            canonicalising: URIReference.compose(
                scheme: target.scheme, authority: target.authority, path: Array(target.path), query: target.query,
                fragment: target.fragment ?? self.reference.fragment))
        guard reference.userinfo == nil else { throw .userinfoFromServer }
        return isCalled || reference.scheme == nil ? resolved.called(ownScheme) : resolved
    }
}

/// What of a URL goes on the wire; userinfo and fragment never do (RFC 9110 §4.2.4 and §7.1).
extension ClientURL: CustomStringConvertible {
    /// Scheme, authority, path and query, for a request to a proxy (absolute-form, RFC 9112 §3.2.2).
    public var absoluteTarget: [UInt8] { Array(origin.description.utf8) + target }

    /// The value of Host (RFC 9110 §7.2).
    public var hostField: HTTPField { HTTPField("Host", origin.authority) }

    /// Without the `#`; nil where there is none.
    public var fragment: String? { reference.fragment.map { FieldText.decode($0) } }

    /// User and password as they are escaped in the URL, without the `@`.
    public var userinfo: String? { reference.userinfo.map { FieldText.decode($0) } }

    /// The whole canonical URL, userinfo and fragment with it, by the scheme of its user; ASCII.
    public var text: String { calledByItsUser(FieldText.decode(reference.bytes)) }

    /// As `text`, without userinfo, which a line for a person should not show.
    public var description: String {
        calledByItsUser(FieldText.decode(absoluteTarget)) + (fragment.map { "#\($0)" } ?? "")
    }

    private func calledByItsUser(_ text: String) -> String {
        ownScheme.map { $0 + text.dropFirst(origin.scheme.rawValue.count) } ?? text
    }
}

extension ClientURL {
    /// User and password of the URL without their escapes (RFC 3986 §3.2.1); nil where there is no colon between them.
    ///
    /// Either may be empty. They are for a challenge and never stand in a request (RFC 9110 §4.2.4).
    public var userAndPassword: (user: String, password: String)? {
        guard let userinfo = reference.userinfo, let colon = userinfo.firstIndex(of: UInt8(ascii: ":")) else {
            return nil
        }
        return (Self.unescaped(userinfo[..<colon]), Self.unescaped(userinfo[(colon + 1)...]))
    }

    private static func unescaped(_ text: ArraySlice<UInt8>) -> String {
        FieldText.decode(PercentText.decode(text) ?? Array(text))
    }
}

/// Why a client can't load what it was given as a URL.
public enum ClientURLError: Error, Sendable, Equatable {
    /// There is no `scheme:` at its beginning; the bytes are the first of it.
    case noScheme([UInt8])
    /// Neither `http` nor `https`, in lower case.
    case unsupportedScheme(String)
    /// Nothing stands where the host belongs, which RFC 9110 §4.2.1 makes invalid.
    case noHost
    /// A Location that names user or password: RFC 9110 §4.2.4 wants it treated as an error.
    case userinfoFromServer
    /// The host or the port is none; everything else is mended by escaping.
    case syntax(URIViolation)
}

extension ClientURLError: CustomStringConvertible {
    /// What is wrong and what would be right, in one line.
    public var description: String {
        switch self {
        case .noScheme(let bytes):
            "\(ByteQuote.quote(bytes)) does not begin with a scheme; expected a URL like \"http://example.com/path\""
        case .unsupportedScheme(let scheme): "the scheme \"\(scheme)\" is not served; expected \"http\" or \"https\""
        case .noHost: "the URL names no host; expected one behind \"//\" (RFC 9110 §4.2.1)"
        case .userinfoFromServer:
            "the server's URL names a user or password, which may hide whose it is (RFC 9110 §4.2.4); leave it out"
        case .syntax(let violation): violation.description
        }
    }
}
