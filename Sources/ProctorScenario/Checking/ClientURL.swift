import ProctorBase

/// Tells where a client program's URL leads.
enum ClientURL {
    enum Place { case local, relative, elsewhere }

    /// Through a proxy a name may stand for a host that nobody has: the proxy plays its part (RFC 6761 §6.2, §6.4).
    static func place(of url: Template, throughProxy: Bool = false) -> Place {
        guard let first = url.parts.first else { return .local }
        switch first {
        case .base, .origin: return endsAuthority(url.parts.dropFirst().first) ? .local : .elsewhere
        case .literal(let bytes):
            if bytes.first == UInt8(ascii: "/") { return bytes.starts(with: [0x2F, 0x2F]) ? .elsewhere : .local }
            guard let rest = afterScheme(bytes) else { return .relative }
            if throughProxy, namesNobody(rest, isWhole: url.parts.count == 1) { return .local }
            // Only user information may stand between the scheme and a late-bound host.
            let isUserInformation = rest.isEmpty || rest.last == UInt8(ascii: "@")
            guard isUserInformation, !rest.contains(where: endsAuthority),
                case .authority? = url.parts.dropFirst().first,
                endsAuthority(url.parts.dropFirst(2).first)
            else { return .elsewhere }
            return .local
        case .authority, .now, .capture: return .relative
        }
    }

    /// What follows `http://` or `https://`, in letters of any case.
    private static func afterScheme(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
        for scheme in ["http://", "https://"] {
            let start = bytes.prefix(scheme.utf8.count)
            if start.map(\.asciiLowercased).elementsEqual(scheme.utf8) { return bytes[start.count...] }
        }
        return nil
    }

    /// Whether it begins with an authority in a domain that is never delegated.
    private static func namesNobody(_ rest: ArraySlice<UInt8>, isWhole: Bool) -> Bool {
        let authority = rest.prefix { !endsAuthority($0) }
        guard isWhole || authority.count < rest.count else { return false }
        let host = authority.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false).last ?? []
        let name = String(decoding: host.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self).lowercased()
        return name.hasSuffix(".test") || name.hasSuffix(".invalid")
    }

    /// Whether nothing of a host can follow: else `{{authority}}.example.com` would be another machine.
    private static func endsAuthority(_ part: Template.Part?) -> Bool {
        guard let part else { return true }
        guard case .literal(let bytes) = part, let byte = bytes.first else { return false }
        return endsAuthority(byte)
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
            || byte == UInt8(ascii: "\\")
    }
}
