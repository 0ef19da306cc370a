internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// Where a connection leads, by which way and secured by what; those to the same one are as good as each other.
struct Destination: Hashable {
    /// The reader of the requests: the server, or the proxy that is handed them whole.
    let origin: Origin
    /// The proxy that is asked for a tunnel to `origin` (RFC 9110 §9.3.6); nil: none.
    let tunnelProxy: Origin?
    /// The address to dial; nil: by the host.
    let address: SocketAddress?
    /// nil for what is not secured.
    let security: ConnectionSecurity?

    init(
        _ origin: Origin, through tunnelProxy: Origin? = nil, _ security: ConnectionSecurity?,
        names: HostTable = HostTable()
    ) {
        self.origin = origin
        self.tunnelProxy = tunnelProxy
        self.security = origin.scheme == .https ? security : nil
        address = names.address(of: tunnelProxy ?? origin)
    }

    /// To the server itself, or by a proxy: a plain request is handed to it, a secured one goes through a tunnel.
    init(server: Origin, proxy: Origin?, security: ConnectionSecurity?, names: HostTable) {
        if let proxy, server.scheme == .http {
            self.init(proxy, security, names: names)
        } else {
            self.init(server, through: proxy, security, names: names)
        }
    }

    /// Whose name or address is connected to.
    var dialled: Origin { tunnelProxy ?? origin }

    /// Every address to try; names are not looked up.
    var addresses: [SocketAddress] {
        get throws(LoadError) {
            if let address { return [address] }
            let (host, port) = (dialled.host, UInt16(exactly: dialled.port))
            guard let port, let address = SocketAddress(host: dialled.undottedHost, port: port) else {
                throw LoadError(
                    .cannotFindHost,
                    "\"\(PrintableText.of(host, limit: 100))\" with port \(dialled.port): this client looks up no names "
                        + "and was told of none such; name it in the configuration, or use an address such as 127.0.0.1 "
                        + "or [::1], or localhost")
            }
            // RFC 6761 §6.3: the name stands for both loopback addresses, and a server may listen on either.
            return dialled.undottedHost == "localhost" ? [address, .ipv6(host: "::1", port: port)] : [address]
        }
    }

    static func == (one: Destination, other: Destination) -> Bool {
        one.origin == other.origin && one.tunnelProxy == other.tunnelProxy && one.address == other.address
            && one.security === other.security
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(origin)
        if let tunnelProxy { hasher.combine(tunnelProxy) }
        if let address { hasher.combine(address) }
        if let security { hasher.combine(ObjectIdentifier(security)) }
    }
}

/// Addresses of names: all that this client knows of names, since it resolves none.
public struct HostTable: Sendable, Hashable {
    private var addresses: [NamedHost: SocketAddress] = [:]

    /// What a URL says of its server.
    private struct NamedHost: Hashable {
        let name: String
        let port: Int
    }

    /// Why a name can't stand at an address.
    public struct InvalidEntry: Error, Sendable, Equatable, CustomStringConvertible {
        /// One sentence for a person.
        public let description: String
    }

    /// Knows no name.
    public init() {}

    /// Whether no name is known.
    public var isEmpty: Bool { addresses.isEmpty }

    /// Puts a name at `127.0.0.1:4711`, `[::1]:4711` or `unix:/path`; `port` is that of its URLs, 1...65535.
    ///
    /// Names are told apart whatever their case, and a dot at their end is not looked at. The last word counts.
    public mutating func set(_ address: String, for name: String, port: Int) throws(InvalidEntry) {
        let key = Self.key(name)
        guard !key.isEmpty, SocketAddress(host: key, port: 0) == nil else {
            throw InvalidEntry(
                description: "\"\(PrintableText.of(name, limit: 100))\" is no name that could stand elsewhere; "
                    + "expected one like home.example.org")
        }
        guard 1...65535 ~= port else {
            throw InvalidEntry(
                description: "the port \(port) of \(key) is none; expected 1...65535, as its URLs have it")
        }
        guard let found = SocketAddress(table: address) else {
            throw InvalidEntry(
                description: "\"\(PrintableText.of(address, limit: 200))\" is no address for \(key); expected "
                    + "127.0.0.1:4711, [::1]:4711 or unix:/absolute/path")
        }
        addresses[NamedHost(name: key, port: port)] = found
    }

    /// nil where the table does not have it; its own address may say all.
    func address(of origin: Origin) -> SocketAddress? {
        guard !addresses.isEmpty else { return nil }
        return addresses[NamedHost(name: Self.key(origin.host), port: origin.port)]
    }

    private static func key(_ name: String) -> String {
        Origin(scheme: .http, host: name, port: 0).undottedHost
    }
}

extension SocketAddress {
    /// As ``HostTable`` has it.
    fileprivate init?(table text: String) {
        let scheme = "unix:"
        if text.hasPrefix(scheme) {
            let path = String(text.dropFirst(scheme.count))
            guard path.hasPrefix("/"), !path.utf8.contains(0) else { return nil }
            self = .unix(path: path)
            return
        }
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0 else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        self.init(host: String(host), port: port)
    }
}

extension Origin {
    /// Without the dot that may end a name: how it is looked up, and how TLS has it (RFC 6066 §3).
    ///
    /// Host says the name as the URL does, dot and all (RFC 9110 §7.2).
    var undottedHost: String {
        guard host.utf8.count > 1, host.utf8.last == UInt8(ascii: ".") else { return host }
        return String(host.dropLast())
    }

    /// Host and port, whatever the port: the target of CONNECT (authority-form, RFC 9112 §3.2.3).
    var hostAndPort: String {
        host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// Whether only this machine is meant, by an address or by `localhost` (RFC 6761 §6.3).
    var isLoopback: Bool { SocketAddress(host: undottedHost, port: 0)?.isLoopback ?? false }
}
