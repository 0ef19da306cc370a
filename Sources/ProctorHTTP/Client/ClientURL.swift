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

        init(_ reference: URIReference, _ origin: Origin, _ ownScheme: String? = nil, isRespelled: Bool = false) {
            self.isRespelled = isRespelled
            self.reference = reference
            self.origin = origin
            self.ownScheme = ownScheme
            target = Array(reference.path) + (reference.query.map { [UInt8(ascii: "?")] + $0 } ?? [])
        }
    }

    /// The canonical form; always with scheme, host and a path that begins with a slash.
    public var reference: URIReference { parts.reference }

    /// Whom to ask.
    public var origin: Origin { parts.origin }

    /// Path and query, for a request to the origin itself (origin-form, RFC 9112 §3.2.1).
    public var target: [UInt8] { parts.target }

    /// The scheme by which its user calls it, in lower case; nil: the one that it has.
    ///
    /// It is `http` to everybody else: on the wire, to caches, to cookies, and as an origin.
    public var ownScheme: String? { parts.ownScheme }

    /// The same URL by another scheme of its user; nil: by its own.
    public func called(_ ownScheme: String?) -> ClientURL {
        ClientURL(parts: Parts(parts.reference, parts.origin, ownScheme, isRespelled: parts.isRespelled))
    }

    /// Whether a person typed it otherwise than it is spelled now; of no account when two are compared.
    public var isRespelled: Bool { parts.isRespelled }

    func markedAsRespelled() -> ClientURL {
        ClientURL(parts: Parts(parts.reference, parts.origin, parts.ownScheme, isRespelled: true))
    }

    private init(parts: Parts) { self.parts = parts }

    /// `http://url.invalid/`, for where a URL has to stand and there is none: nobody has that name (RFC 6761 §6.4).
    public static let nowhere = ClientURL(
        parts: Parts(
            URIReference(splitting: Array("http://url.invalid/".utf8)),
            Origin(scheme: .http, host: "url.invalid", port: Origin.Scheme.http.defaultPort)))

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
        guard let scheme = Origin.Scheme(rawValue: lowered) else { throw .unsupportedScheme(lowered) }
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

extension ClientURL: Hashable {
    /// By the bytes of the canonical form, and what its user calls it.
    public static func == (left: ClientURL, right: ClientURL) -> Bool {
        left.parts === right.parts || left.reference == right.reference && left.ownScheme == right.ownScheme
    }

    /// By the bytes of the canonical form.
    public func hash(into hasher: inout Hasher) { hasher.combine(reference.bytes) }
}
