import ProctorBase

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
