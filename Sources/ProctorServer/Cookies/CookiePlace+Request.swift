internal import ProctorHTTP
internal import ProctorScenario

extension CookiePlace {
    /// Of the URL that a request is for (RFC 9110 §7.1): its target, or else its Host, with the scheme of its origin.
    ///
    /// `host` is taken where it says none. Nil for CONNECT and for a target that can't be understood.
    init?(of head: RequestHead, isSecure: Bool, host: String) {
        switch head.form {
        case .authority: return nil
        case .absolute:
            guard let target = AbsoluteTarget(head.bytes.span, in: head.targetRange),
                let named = Self.host(ofAuthority: head.bytes[target.authority])
            else { return nil }
            self.init(
                isSecure: target.scheme == .https, host: named,
                path: Self.path(target.originForm(head.bytes, isOptions: false)))
        default:
            let named = head.fields.first(named: "Host").flatMap { Self.host(ofAuthority: Array($0)[...]) }
            self.init(isSecure: isSecure, host: named ?? host, path: Self.path(head.target))
        }
    }

    /// Without userinfo and port; nil where nothing is left or it is too long for a host.
    static func host(ofAuthority authority: ArraySlice<UInt8>) -> String? {
        var host = authority
        if let sign = host.lastIndex(of: UInt8(ascii: "@")) { host = host[(sign + 1)...] }
        if host.first == UInt8(ascii: "["), let end = host.firstIndex(of: UInt8(ascii: "]")) {
            host = host[...end]
        } else {
            host = host.prefix { $0 != UInt8(ascii: ":") }
        }
        return host.isEmpty || host.count > 255 ? nil : String(decoding: host, as: UTF8.self)
    }

    private static func path(_ target: [UInt8]) -> [UInt8] { Array(target.prefix { $0 != UInt8(ascii: "?") }) }
}
