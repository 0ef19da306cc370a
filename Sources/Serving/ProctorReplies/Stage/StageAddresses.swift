internal import ProctorBase
package import ProctorHTTP
package import ProctorScenario

package enum StageAddresses: Sendable {
    /// A run: every origin has an authority and a scheme, in the order of the scenario.
    case origins([[UInt8]], schemes: [Scheme])
    /// A scenario below `path` of a shared port; its authority is that of the request.
    case mount(path: [UInt8], fallbackAuthority: [UInt8])

    /// Nil for a run.
    package var mountPath: [UInt8]? {
        guard case .mount(let path, _) = self else { return nil }
        return path
    }

    /// The addresses in a request's reply; `scheme` is that of the connection, `source` what carries the request.
    package func bound(for head: RequestHead, _ scheme: Scheme, from source: (any RequestSource)?) -> BoundAddresses {
        switch self {
        case .origins(let authorities, let schemes):
            return BoundAddresses(authorityKey: [], path: [], authorities: authorities, schemes: schemes)
        case .mount(let path, let fallback):
            let host = head.fields.first(named: "Host").map { Array($0) } ?? []
            var authority = Self.isAuthority(host) ? host : fallback
            if !Self.hasPort(authority), let port = Self.ownPort(of: authority, scheme, source) { authority += port }
            // No authority has a slash, so the keys of the two schemes differ.
            let key = scheme == .http ? authority : Array("https://".utf8) + authority
            return BoundAddresses(authorityKey: key, path: path, authorities: [authority], schemes: [scheme])
        }
    }

    /// The addresses of a run, which depend on no request; nil for a mount.
    package var boundToOrigins: BoundAddresses? {
        guard case .origins(let authorities, let schemes) = self else { return nil }
        return BoundAddresses(authorityKey: [], path: [], authorities: authorities, schemes: schemes)
    }

    private static func hasPort(_ authority: [UInt8]) -> Bool {
        authority.last != UInt8(ascii: "]") && authority.contains(UInt8(ascii: ":"))
    }

    /// The port of the socket with its colon, where the host is the socket's own address: some clients leave it out of Host.
    ///
    /// nil where the port is the usual one of the scheme, and for any other host, whose port 80 or 443 may lead here.
    private static func ownPort(
        of host: [UInt8], _ scheme: Scheme, _ source: (any RequestSource)?
    ) -> [UInt8]? {
        guard let local = source?.socketNames?.local, let colon = local.utf8.lastIndex(of: UInt8(ascii: ":")) else {
            return nil
        }
        let own = local.utf8[..<colon]
        let port = Array(local.utf8[colon...])
        guard port != Array(":\(scheme.defaultPort)".utf8) else { return nil }
        let isLoopback = own.starts(with: "127.".utf8) || own.elementsEqual("[::1]".utf8)
        let isLocalhost = isLoopback && host.elementsEqual("localhost".utf8)
        return isLocalhost || host.elementsEqual(own) ? port : nil
    }

    /// Whether the bytes are valid in a URL: host and port, without characters that end a field or a quoted attribute.
    static func isAuthority(_ bytes: [UInt8]) -> Bool {
        !bytes.isEmpty && bytes.count <= 255
            && bytes.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-._:[]%~".utf8.contains($0) }
    }
}

/// Addresses whose authorities are known.
package struct BoundAddresses {
    /// The key of kept plans; empty where the authority never changes.
    let authorityKey: [UInt8]
    /// The path of the base, empty for a root.
    let path: [UInt8]
    let authorities: [[UInt8]]
    let schemes: [Scheme]

    /// Without a trailing slash.
    package var base: [UInt8] { origin(0) + path }

    package func origin(_ index: Int) -> [UInt8] {
        Array("\(schemes[index].rawValue)://".utf8) + authorities[index]
    }

    /// The values of templates in what `origin` sends, at a moment of the run's clock.
    package func context(origin: Int, at clock: RunClock, captures: Captures = Captures()) -> TemplateContext {
        TemplateContext(
            base: base, authorities: authorities, schemes: schemes, originIndex: origin,
            unixSeconds: clock.unixSeconds, captures: captures)
    }
}
