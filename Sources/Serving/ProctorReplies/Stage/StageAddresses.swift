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

    /// The addresses in a request's reply; `scheme` is that of the connection.
    package func bound(for head: RequestHead, _ scheme: Scheme) -> BoundAddresses {
        switch self {
        case .origins(let authorities, let schemes):
            return BoundAddresses(authorityKey: [], path: [], authorities: authorities, schemes: schemes)
        case .mount(let path, let fallback):
            let host = head.fields.first(named: "Host").map { Array($0) } ?? []
            let authority = Self.isAuthority(host) ? host : fallback
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
