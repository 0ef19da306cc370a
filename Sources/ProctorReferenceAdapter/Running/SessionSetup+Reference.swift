internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop
public import ProctorProgram
internal import ProctorReference

/// How a session comes to its servers.
extension SessionSetup {
    /// The proxy of the assignment; without one, and without addresses of names, the one that leads to the names.
    var proxyOrigin: Origin? { (proxy ?? soleNamesProxy).flatMap(Self.origin) }

    /// Whether what has an address is asked itself: the proxy of names has nothing else.
    var sparesLoopback: Bool { soleNamesProxy != nil }

    private var soleNamesProxy: String? { proxy == nil && names == nil ? namesProxy : nil }

    /// Where its names stand; empty where a proxy knows them, so that nothing comes by another way.
    func hostTable() throws(HostTable.InvalidEntry) -> HostTable {
        var table = HostTable()
        guard proxy == nil else { return table }
        for named in names ?? [] { try table.set(named.address, for: named.name, port: named.port) }
        return table
    }

    /// Has names come by the proxy that leads to all of them, in place of their addresses.
    public mutating func preferNamesProxy() {
        if namesProxy != nil { names = nil }
    }

    /// Why there is no way, in words that name the key; nil where there is one.
    var missingRoute: String? {
        for (key, authority) in [("proxy", proxy), ("namesProxy", soleNamesProxy)] {
            if let authority, Self.origin(authority) == nil {
                return "\(key): '\(authority)' is no address of a proxy; expected a host and a port, as 127.0.0.1:8080"
            }
        }
        do throws(HostTable.InvalidEntry) {
            _ = try hostTable()
            return nil
        } catch {
            return "names: \(error)"
        }
    }

    /// nil for what is no host with or without a port: nothing is mended here, as no person typed it.
    private static func origin(_ authority: String) -> Origin? {
        guard let url = try? ClientURL("http://\(authority)/"), url.userinfo == nil, url.target == [UInt8(ascii: "/")]
        else { return nil }
        return url.origin
    }
}

extension ReferenceConfiguration {
    /// As a session is set up; a route that can't be read was refused before, see ``SessionSetup/missingRoute``.
    init(_ setup: SessionSetup, breaking: Breakage?) throws(CallFailure) {
        self.init()
        if let timeout = setup.requestTimeout { requestTimeout = .milliseconds(timeout) }
        if let timeout = setup.resourceTimeout { resourceTimeout = .milliseconds(timeout) }
        security = try setup.security(breaking: breaking)
        cookiePolicy = setup.cookiePolicy
        cookieFault = breaking?.cookieFault
        cache = setup.cache.map { ReferenceCache(byteLimit: $0) }
        makeActionFilter = breaking?.makeActionFilter
        proxy = setup.proxyOrigin
        sparesLoopback = setup.sparesLoopback
        names = (try? setup.hostTable()) ?? HostTable()
        transportFault = breaking?.transportFault
    }
}

extension SessionSetup {
    var cookiePolicy: CookiePolicy {
        switch cookies {
        case .always: .always
        case .never: .never
        case .mainDocument: .mainDocument
        }
    }

    /// In lower case; at most one.
    var ownSchemes: Set<String> { Set([ownScheme?.lowercased()].compactMap(\.self)) }
}

extension SessionSetup {
    /// Whom a session trusts, and who it is, from the files that the assignment names.
    func security(breaking: Breakage?) throws(CallFailure) -> ReferenceSecurity {
        var security = ReferenceSecurity()
        if let trust { security.anchors = [try TextFile.bytes(of: trust)] }
        if let identity { security.identity = try identity.loaded() }
        security.fault = breaking?.securityFault
        return security
    }
}

extension Assignment.Identity {
    /// Reads both PEM files.
    func loaded() throws(CallFailure) -> LoadIdentity {
        let chain = try TextFile.bytes(of: certificate)
        let key = try TextFile.bytes(of: key)
        do throws(LoadError) {
            return try LoadIdentity(
                certificatePEM: String(decoding: chain, as: UTF8.self), keyPEM: String(decoding: key, as: UTF8.self))
        } catch {
            throw CallFailure(call: "reading the identity \(name)", code: 0, text: error.sentence)
        }
    }
}

/// Files that an assignment names.
private enum TextFile {
    /// Longer than any certificate with its chain, and the bound for what is read.
    private static let byteLimit = 4 << 20

    static func bytes(of path: String) throws(CallFailure) -> [UInt8] {
        let file = try OpenFile(path: path)
        return try file.bytes(from: 0, byteCount: min(file.byteCount, byteLimit))
    }
}
