import ProctorBase
import ProctorHTTP

package enum TargetPlace {
    case local, relative, elsewhere

    /// Which hosts may be written in a URL.
    package enum Hosts {
        /// No host: a URL reaches this machine only by late-bound text.
        case none
        /// Reserved names (RFC 6761 §6.2, §6.4): the proxy connects to the origin for them.
        case ofProxy
        /// Reserved names: the assignment has their addresses.
        case kept

        fileprivate func permit(_ name: String) -> Bool {
            switch self {
            case .none: false
            case .ofProxy: name.hasSuffix(".test") || name.hasSuffix(".invalid")
            case .kept: HostName.isKept(name)
            }
        }
    }

    package init(of url: Template, hosts: Hosts = .none) {
        self = Self.place(of: url, hosts: hosts)
    }

    private static func place(of url: Template, hosts: Hosts) -> TargetPlace {
        guard let first = url.parts.first else { return .local }
        switch first {
        case .base, .origin: return endsAuthority(url.parts.dropFirst().first) ? .local : .elsewhere
        case .literal(let literal):
            // The URL Standard ignores leading spaces and control characters.
            let bytes = Array(literal.drop { $0 <= 0x20 })
            guard !bytes.isEmpty else { return place(of: Template(parts: Array(url.parts.dropFirst())), hosts: hosts) }
            if bytes.first == UInt8(ascii: "/") { return bytes.starts(with: [0x2F, 0x2F]) ? .elsewhere : .local }
            guard let rest = afterScheme(bytes) else { return .relative }
            if let host = host(of: url), hosts.permit(host) { return .local }
            // Only userinfo may stand between the scheme and a late-bound host.
            let isUserInformation = rest.isEmpty || rest.last == UInt8(ascii: "@")
            guard isUserInformation, !rest.contains(where: endsAuthority) else { return .elsewhere }
            switch url.parts.dropFirst().first {
            case .authority: return endsAuthority(url.parts.dropFirst(2).first) ? .local : .elsewhere
            case .host: return endsHost(url.parts.dropFirst(2)) ? .local : .elsewhere
            default: return .elsewhere
            }
        case .authority, .host, .port, .now, .capture: return .relative
        case .value: return .elsewhere
        }
    }

    /// Whether a Location refers to this machine, as a path or a query alone does.
    package static func staysOnMachine(_ location: Template, hosts: Hosts) -> Bool {
        switch place(of: location, hosts: hosts) {
        case .local: return true
        case .elsewhere: return false
        case .relative:
            guard case .literal(let bytes)? = location.parts.first else { return false }
            let segment = bytes.prefix { !endsAuthority($0) }
            // A colon would end a scheme, and late-bound text must not continue the first segment.
            guard !segment.contains(UInt8(ascii: ":")), location.parts.count == 1 || segment.count < bytes.count else {
                return false
            }
            return !segment.isEmpty || namesNoHost(bytes)
        }
    }

    /// Whether every client reads the text as a reference without a scheme and a host.
    package static func namesNoHost(_ text: [UInt8]) -> Bool {
        guard let first = text.first else { return true }
        // Browsers remove tabs and line breaks before they look for an authority.
        guard endsAuthority(first), first != UInt8(ascii: "\\"), text.allSatisfy({ $0 > 0x20 }) else { return false }
        // Two slashes begin an authority, and some clients read a backslash as a slash.
        return first != UInt8(ascii: "/") || text.count == 1 || text[1] != first && text[1] != UInt8(ascii: "\\")
    }

    /// The literal host, in lower case without a trailing dot; nil when there is none, or when RFC 3986 and the URL
    /// Standard find different hosts.
    package static func host(of url: Template) -> String? {
        guard case .literal(let bytes)? = url.parts.first, let rest = afterScheme(Array(bytes.drop { $0 <= 0x20 }))
        else { return nil }
        let authority = rest.prefix { !endsAuthority($0) }
        // The URL Standard ends the authority at a backslash, RFC 3986 §3.2 does not, so no @ may follow one.
        let longest = rest.prefix { $0 == UInt8(ascii: "\\") || !endsAuthority($0) }
        guard !longest[authority.endIndex...].contains(UInt8(ascii: "@")) else { return nil }
        // Late-bound text must not continue the host.
        guard url.parts.count == 1 || longest.count < rest.count else { return nil }
        let parts = authority.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count <= 2, let hostAndPort = parts.last else { return nil }
        let name = hostAndPort.prefix { $0 != UInt8(ascii: ":") }
        let port = hostAndPort.dropFirst(name.count + 1)
        guard port.allSatisfy({ $0.isASCIIDigit || $0.isASCIILetter || "+-".utf8.contains($0) }) else { return nil }
        return normalised(name)
    }

    /// The host after percent-decoding (RFC 3986 §3.2.2), in lower case, with the other dots of RFC 5895 §2 as ASCII
    /// dots.
    private static func normalised(_ host: ArraySlice<UInt8>) -> String? {
        guard let bytes = PercentText.decode(host, isStrict: true),
            let text = String(validating: bytes, as: UTF8.self)
        else { return nil }
        var name = ""
        for scalar in text.lowercased().unicodeScalars {
            switch scalar {
            case "\u{3002}", "\u{FF0E}", "\u{FF61}": name.unicodeScalars.append(".")
            case let scalar where scalar.isASCII:
                guard scalar.properties.isAlphabetic || "0123456789-._~".unicodeScalars.contains(scalar) else {
                    return nil
                }
                name.unicodeScalars.append(scalar)
            default:
                // Control characters, spaces and separators of any script are refused.
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .unassigned, .privateUse,
                    .surrogate:
                    return nil
                default: name.unicodeScalars.append(scalar)
                }
            }
        }
        if name.hasSuffix(".") { name.removeLast() }
        return name
    }

    /// The bytes after `http://` or `https://`, in any letter case.
    private static func afterScheme(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
        for scheme in ["http://", "https://"] {
            let start = bytes.prefix(scheme.utf8.count)
            if start.map(\.asciiLowercased).elementsEqual(scheme.utf8) { return bytes[start.count...] }
        }
        return nil
    }

    /// Whether the authority ends before this part: `{{authority}}.example.com` would be a host elsewhere.
    private static func endsAuthority(_ part: Template.Part?) -> Bool {
        guard let part else { return true }
        guard case .literal(let bytes) = part, let byte = bytes.first else { return false }
        return endsAuthority(byte)
    }

    /// Whether the authority ends after a late-bound host, or after a port behind that host.
    private static func endsHost(_ parts: ArraySlice<Template.Part>) -> Bool {
        guard case .literal(let bytes)? = parts.first, bytes.first == UInt8(ascii: ":") else {
            return endsAuthority(parts.first)
        }
        let rest = bytes.dropFirst().drop(while: \.isASCIIDigit)
        if let next = rest.first { return endsAuthority(next) }
        guard bytes.count == 1, case .port? = parts.dropFirst().first else { return parts.count == 1 }
        return endsAuthority(parts.dropFirst(2).first)
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
            || byte == UInt8(ascii: "\\")
    }
}
