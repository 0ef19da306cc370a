internal import ProctorHTTP
internal import ProctorReference
public import ProctorTrace

/// How a session comes to its servers.
extension SessionSetup {
    /// The proxy of the assignment; without one, and without addresses of names, the one that leads to the names.
    var proxyOrigin: Origin? { (proxy ?? soleNamesProxy).flatMap(Self.origin) }

    /// Whether what has an address is asked itself: the proxy of names has nothing else.
    var sparesLoopback: Bool { soleNamesProxy != nil }

    private var soleNamesProxy: String? { proxy == nil && names == nil ? namesProxy : nil }

    /// Where its names stand; empty where a proxy knows them, so that nothing comes by another way.
    func hostTable() throws(HostTable.Refusal) -> HostTable {
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
        do throws(HostTable.Refusal) {
            _ = try hostTable()
            return nil
        } catch {
            return "names: \(error)"
        }
    }

    /// nil for what is no host with or without a port: nothing is mended here, for nobody typed it.
    private static func origin(_ authority: String) -> Origin? {
        guard let url = try? ClientURL("http://\(authority)/"), url.userinfo == nil, url.target == [UInt8(ascii: "/")]
        else { return nil }
        return url.origin
    }
}

extension ReferenceConfiguration {
    /// What can't be read was refused before; see ``SessionSetup/missingRoute``.
    mutating func takeRoute(of setup: SessionSetup, breaking: Breakage?) {
        proxy = setup.proxyOrigin
        sparesLoopback = setup.sparesLoopback
        names = (try? setup.hostTable()) ?? HostTable()
        transportFault = breaking?.transportFault
    }
}
