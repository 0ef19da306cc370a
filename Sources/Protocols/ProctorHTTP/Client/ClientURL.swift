import ProctorBase

/// An http or https URL in canonical form (RFC 9110 §4.2.3, RFC 9112 §3.2).
///
/// Canonical: scheme and host in lower case, no default port, no dot segments, `/` for an empty path, every byte legal.
/// Existing escapes and the order of the query stay, since a server may give them a meaning. Equal values make equal
/// requests; the comparison also includes userinfo and fragment, which are never sent.
public struct ClientURL: Sendable {
    private let parts: Parts

    private final class Parts: Sendable {
        let reference: URIReference
        let origin: Origin
        let target: [UInt8]
        let ownScheme: String?
        let isRespelled: Bool

        init(_ reference: URIReference, _ origin: Origin, ownScheme: String? = nil, isRespelled: Bool = false) {
            (self.isRespelled, self.reference, self.origin) = (isRespelled, reference, origin)
            self.ownScheme = ownScheme
            target = Array(reference.path) + (reference.query.map { [UInt8(ascii: "?")] + $0 } ?? [])
        }
    }

    /// The URL as a reference, which always has a scheme, a host and a path that begins with a slash.
    package var reference: URIReference { parts.reference }

    /// Scheme, host and port (RFC 9110 §4.3.1).
    public var origin: Origin { parts.origin }

    package var target: [UInt8] { parts.target }

    /// The user's own name for the scheme `http`, in lower case; nil if the user calls it `http` or `https`.
    ///
    /// On the wire, in caches and in cookies the scheme is `http`.
    package var ownScheme: String? { parts.ownScheme }

    /// A copy of the URL with another ``ownScheme``.
    package func called(_ ownScheme: String?) -> ClientURL {
        ClientURL(parts: Parts(parts.reference, parts.origin, ownScheme: ownScheme, isRespelled: parts.isRespelled))
    }

    /// Whether the user's text was not in canonical form; not part of equality.
    package var isRespelled: Bool { parts.isRespelled }

    func markedAsRespelled() -> ClientURL {
        ClientURL(parts: Parts(parts.reference, parts.origin, ownScheme: parts.ownScheme, isRespelled: true))
    }

    private init(parts: Parts) { self.parts = parts }

    /// `http://url.invalid/`: a placeholder for a missing URL; the name never exists (RFC 6761 §6.4).
    package static let nowhere = ClientURL(
        parts: Parts(
            URIReference(splitting: Array("http://url.invalid/".utf8)),
            Origin(scheme: .http, host: "url.invalid", port: HTTPScheme.http.defaultPort)))

    /// Reads an absolute URL; illegal bytes are escaped, and a backslash before the query is read as a slash.
    ///
    /// The URL Standard reads a backslash so; RFC 3986 forbids it, so the meaning of no legal URL changes.
    package init(_ bytes: [UInt8]) throws(ClientURLError) {
        try self.init(canonicalising: Self.mended(bytes))
    }

    /// Reads the UTF-8 of a text as `init(_:)` of bytes does.
    public init(_ text: String) throws(ClientURLError) {
        try self.init(Array(text.utf8))
    }

    /// `reference` must be absolute, with only legal bytes outside the authority.
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

    /// Removes spaces and controls at both ends, turns backslashes into slashes and escapes illegal bytes.
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
    /// Whether both identify the same resource: compares with normalised escapes, without userinfo, fragment and the dot at the
    /// end of a name; escaped UTF-8 in a host is its A-label (RFC 3986 §6.2.2, §3.2.2).
    package func isEquivalent(to other: ClientURL) -> Bool {
        guard origin != other.origin || target != other.target else { return true }
        let (own, others) = (normalised, other.normalised)
        return origin.scheme == other.origin.scheme && origin.port == other.origin.port && own == others
    }

    /// Host and target.
    private var normalised: [[UInt8]] {
        let reference = reference.uppercasingPercentEscapes().decodingUnreservedEscapes().spellingHostInASCII()
        var host = (reference.host ?? []).map(\.asciiLowercased)
        if host.count > 1, host.last == UInt8(ascii: ".") { host.removeLast() }
        return [host, Array(reference.path) + (reference.query.map { [UInt8(ascii: "?")] + $0 } ?? [])]
    }
}

extension ClientURL: Hashable {
    /// Compares the bytes of the canonical form and ``ownScheme``.
    public static func == (left: ClientURL, right: ClientURL) -> Bool {
        left.parts === right.parts || left.reference == right.reference && left.ownScheme == right.ownScheme
    }

    /// Hashes the bytes of the canonical form.
    public func hash(into hasher: inout Hasher) { hasher.combine(reference.bytes) }
}

extension ClientURL {
    /// Reads text that a user typed: as `init(_:)`, and also `http:example.com`, `http:/example.com` and
    /// `http:///path`.
    ///
    /// Escapes and letters beyond ASCII in the host are converted to A-labels. Apple's loader reads these three forms
    /// as `//` and with the host `localhost`. URLs from a server are not read this way, since RFC 9110 §4.2.1 requires
    /// an empty host to be refused.
    package init(typed text: String) throws(ClientURLError) {
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

    /// Reads text that a user typed; `ownSchemes`, in lower case, are further names for `http`.
    package init(typed text: String, ownSchemes: Set<String>) throws(ClientURLError) {
        for scheme in ownSchemes {
            let (http, isCalled) = Self.withoutOwnScheme(Array(text.utf8), scheme)
            guard isCalled else { continue }
            self = try ClientURL(mendingTyped: String(decoding: http, as: UTF8.self)).called(scheme).spelled(text)
            return
        }
        try self.init(typed: text)
    }

    /// Replaces that scheme by `http`; `isCalled` is false if the text does not begin with it.
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
    /// The target of a redirect: the URL of a Location in the answer to this URL (RFC 9110 §10.2.2).
    ///
    /// Location is corrected as `init(_:)` does, its host as in typed text, then resolved against this URL (RFC 3986
    /// §5.2); an empty one is this URL. Without a fragment it gets that of this URL. A Location with userinfo is
    /// refused: a server must not choose the password for another one (RFC 9110 §4.2.4).
    package func resolving(location: some Collection<UInt8>) throws(ClientURLError) -> ClientURL {
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

/// The parts that are sent; userinfo and fragment never are (RFC 9110 §4.2.4, §7.1).
extension ClientURL: CustomStringConvertible {
    /// Scheme, authority, path and query, for a request to a proxy (absolute-form, RFC 9112 §3.2.2).
    package var absoluteTarget: [UInt8] { Array(origin.description.utf8) + target }

    /// The value of Host (RFC 9110 §7.2).
    package var hostField: HTTPField { HTTPField("Host", origin.authority) }

    /// Without the `#`; nil if the URL has none.
    package var fragment: String? { reference.fragment.map { FieldText.decode($0) } }

    /// User and password with their escapes, without the `@`.
    package var userinfo: String? { reference.userinfo.map { FieldText.decode($0) } }

    /// The whole canonical URL with userinfo and fragment, with ``ownScheme`` as its scheme; ASCII.
    public var text: String { calledByItsUser(FieldText.decode(reference.bytes)) }

    /// The URL as in ``text``, without userinfo, which messages should not show.
    public var description: String {
        calledByItsUser(FieldText.decode(absoluteTarget)) + (fragment.map { "#\($0)" } ?? "")
    }

    private func calledByItsUser(_ text: String) -> String {
        ownScheme.map { $0 + text.dropFirst(origin.scheme.rawValue.count) } ?? text
    }
}

extension ClientURL {
    /// User and password without escapes (RFC 3986 §3.2.1); nil without a colon between them.
    ///
    /// Either may be empty. They answer a challenge and are never sent in a request's URL (RFC 9110 §4.2.4).
    package var userAndPassword: (user: String, password: String)? {
        guard let userinfo = reference.userinfo, let colon = userinfo.firstIndex(of: UInt8(ascii: ":")) else {
            return nil
        }
        return (Self.unescaped(userinfo[..<colon]), Self.unescaped(userinfo[(colon + 1)...]))
    }

    private static func unescaped(_ text: ArraySlice<UInt8>) -> String {
        FieldText.decode(PercentText.decode(text) ?? Array(text))
    }
}

/// Why a text is no URL that a client can load.
public enum ClientURLError: Error, Sendable, Equatable {
    /// The text does not begin with `scheme:`; the bytes are its beginning.
    case noScheme([UInt8])
    /// The scheme, in lower case, is neither `http` nor `https`.
    case unsupportedScheme(String)
    /// The host is empty, which RFC 9110 §4.2.1 forbids.
    case noHost
    /// A Location has a user or password, which must be treated as an error (RFC 9110 §4.2.4).
    case userinfoFromServer
    /// The host or the port is malformed; all other illegal bytes are escaped instead.
    case syntax(URIViolation)
}

extension ClientURLError: CustomStringConvertible {
    /// The error and the correct form, in one line.
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

/// Scheme, host and port: the unit of connections and credentials (RFC 9110 §4.3.1).
public struct Origin: Sendable, Hashable, CustomStringConvertible {
    /// The scheme, which decides the default port and whether the connection uses TLS.
    public let scheme: HTTPScheme
    /// In lower case; an IPv6 address without brackets.
    ///
    /// Different spellings of one address stay different.
    public let host: String
    /// 0...65535; the scheme's default port if the URL has none.
    public let port: Int

    /// Lower-cases the host and removes its brackets.
    public init(scheme: HTTPScheme, host: String, port: Int) {
        self.scheme = scheme
        var name = host.utf8.map(\.asciiLowercased)[...]
        if name.first == UInt8(ascii: "["), name.last == UInt8(ascii: "]") { name = name.dropFirst().dropLast() }
        self.host = String(decoding: name, as: UTF8.self)
        self.port = port
    }

    /// The value of Host (RFC 9110 §7.2): the host, in brackets if it has colons, and the port unless it is the
    /// scheme's default port.
    public var authority: String {
        let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return port == scheme.defaultPort ? name : "\(name):\(port)"
    }

    /// The form of the Origin field (RFC 6454 §6.2): `http://example.com:8080`.
    public var description: String { "\(scheme.rawValue)://\(authority)" }
}

/// The schemes that are served over HTTP connections (RFC 9110 §4.2).
public enum HTTPScheme: String, Sendable, CaseIterable {
    case http, https

    /// 80 for http, 443 for https (RFC 9110 §4.2.1 and §4.2.2).
    package var defaultPort: Int {
        switch self {
        case .http: 80
        case .https: 443
        }
    }
}
