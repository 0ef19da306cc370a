extension ClientURL {
    /// Reads what a person typed: as `init(_:)`, and `http:example.com`, `http:/example.com` and `http:///path` too.
    ///
    /// Apple's loader mends these three, by `//` and by the host `localhost`. RFC 9110 §4.2.1 wants an empty host
    /// refused, so nothing that a server sent is read this way.
    public init(typed text: String) throws(ClientURLError) {
        let reference = Self.mended(Array(text.utf8))
        guard let scheme = reference.scheme, reference.host?.isEmpty ?? true, reference.defaultPort != nil else {
            try self.init(canonicalising: reference)
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
        try self.init(canonicalising: URIReference(splitting: bytes + rest).escapingIllegalBytes())
    }
}
