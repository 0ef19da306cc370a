internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// Where names stand that nobody resolves: all that this client knows of names.
public struct HostTable: Sendable, Hashable {
    private var addresses: [Place: SocketAddress] = [:]

    /// What a URL says of its server.
    private struct Place: Hashable {
        let name: String
        let port: Int
    }

    /// Why a name can't stand at an address.
    public struct Refusal: Error, Sendable, Equatable, CustomStringConvertible {
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
    public mutating func set(_ address: String, for name: String, port: Int) throws(Refusal) {
        let key = Self.key(name)
        guard !key.isEmpty, SocketAddress(host: key, port: 0) == nil else {
            throw Refusal(
                description: "\"\(PrintableText.of(name, limit: 100))\" is no name that could stand elsewhere; "
                    + "expected one like home.example.org")
        }
        guard 1...65535 ~= port else {
            throw Refusal(description: "the port \(port) of \(key) is none; expected 1...65535, as its URLs have it")
        }
        guard let found = SocketAddress(table: address) else {
            throw Refusal(
                description: "\"\(PrintableText.of(address, limit: 200))\" is no address for \(key); expected "
                    + "127.0.0.1:4711, [::1]:4711 or unix:/absolute/path")
        }
        addresses[Place(name: key, port: port)] = found
    }

    /// nil where the table does not have it; its own address may say all.
    func address(of origin: Origin) -> SocketAddress? {
        guard !addresses.isEmpty else { return nil }
        return addresses[Place(name: Self.key(origin.host), port: origin.port)]
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
