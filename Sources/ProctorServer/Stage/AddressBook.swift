internal import ProctorBase
internal import ProctorHTTP
internal import ProctorScenario

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Where a stage can be reached, for late-bound text.
enum AddressBook: Sendable {
    /// A run: every origin has an authority of its own, in the order of the scenario.
    case origins([[UInt8]])
    /// A standing mount below `path` of a shared port; its authority is the one the client used.
    case mount(path: [UInt8], fallbackAuthority: [UInt8])

    /// The path of a standing mount; nil for a root.
    var mountPath: [UInt8]? {
        guard case .mount(let path, _) = self else { return nil }
        return path
    }

    /// The addresses as a request's reply may name them.
    func bound(for head: RequestHead) -> BoundAddresses {
        switch self {
        case .origins(let authorities):
            return BoundAddresses(authorityKey: [], path: [], authorities: authorities)
        case .mount(let path, let fallback):
            let host = head.fields.first(named: "Host").map { Array($0) } ?? []
            let authority = Self.isAuthority(host) ? host : fallback
            return BoundAddresses(authorityKey: authority, path: path, authorities: [authority])
        }
    }

    /// What may be repeated into a URL: host and port, nothing that could end a field or a quoted attribute.
    static func isAuthority(_ bytes: [UInt8]) -> Bool {
        !bytes.isEmpty && bytes.count <= 255
            && bytes.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-._:[]%~".utf8.contains($0) }
    }
}

/// An address book with its authorities known.
struct BoundAddresses {
    /// What kept plans are told apart by; empty where it never changes.
    let authorityKey: [UInt8]
    /// The path of the base, empty for a root.
    let path: [UInt8]
    /// One for each origin of the scenario.
    let authorities: [[UInt8]]

    /// The base URL without a slash at its end.
    var base: [UInt8] { origin(0) + path }

    func origin(_ index: Int) -> [UInt8] {
        Array("http://".utf8) + authorities[index]
    }

    /// What late-bound text means now, in what `origin` sends.
    func context(origin: Int, captures: Captures = Captures()) -> TemplateContext {
        TemplateContext(
            base: base, authorities: authorities, originIndex: origin, unixSeconds: Int(time(nil)), captures: captures)
    }
}
