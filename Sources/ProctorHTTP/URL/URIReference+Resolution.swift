extension URIReference {
    /// The target of this reference as seen from `base` (RFC 3986 §5.2, strict: a scheme equal to the base's counts).
    ///
    /// The base's fragment is never taken. A base should have a scheme; one without gives a result without.
    public func resolved(against base: URIReference) -> URIReference {
        if scheme != nil {
            return Self.compose(
                scheme: scheme, authority: authority, path: Self.removingDotSegments(path), query: query,
                fragment: fragment)
        }
        if authority != nil {
            return Self.compose(
                scheme: base.scheme, authority: authority, path: Self.removingDotSegments(path), query: query,
                fragment: fragment)
        }
        let path: [UInt8]
        if self.path.isEmpty {
            path = Array(base.path)
        } else if self.path.first == UInt8(ascii: "/") {
            path = Self.removingDotSegments(self.path)
        } else {
            path = Self.removingDotSegments(merged(with: base))
        }
        return Self.compose(
            scheme: base.scheme, authority: base.authority, path: path,
            query: query ?? (self.path.isEmpty ? base.query : nil), fragment: fragment)
    }

    /// This relative path in the place of the base path's last segment (§5.2.3).
    private func merged(with base: URIReference) -> [UInt8] {
        if base.authority != nil, base.path.isEmpty { return [UInt8(ascii: "/")] + path }
        guard let slash = base.path.lastIndex(of: UInt8(ascii: "/")) else { return Array(path) }
        return Array(base.path[...slash] + path)
    }

    /// Takes `.` and `..` segments out of a path (§5.2.4); those that would climb above the root are dropped.
    public static func removingDotSegments(_ path: some Collection<UInt8>) -> [UInt8] {
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

    /// Puts components together (§5.3).
    ///
    /// Without an authority a path that begins with `//` would be read back as one, so `/.` goes before it; with
    /// neither scheme nor authority, `./` keeps a colon in the first segment from making a scheme.
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
