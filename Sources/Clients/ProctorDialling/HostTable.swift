internal import ProctorBase
package import ProctorDNS
package import ProctorHTTP
package import ProctorLoop

/// Where a host is: at addresses, or whom to ask.
package enum HostPlace: Sendable, Hashable {
    /// In the order in which they are to be tried; not empty.
    case addresses([SocketAddress])
    case asked(HostQuestion)
}

/// What is to be asked for, and whom.
package struct HostQuestion: Sendable, Hashable {
    package let name: DNSName
    /// The port to connect to, unless an HTTPS record says another.
    package let port: UInt16
    package let resolver: SocketAddress
    /// Whether HTTPS records are asked for too (RFC 9460 §9).
    package let asksForServices: Bool

    package init(name: DNSName, port: UInt16, resolver: SocketAddress, asksForServices: Bool) {
        (self.name, self.port, self.resolver, self.asksForServices) = (name, port, resolver, asksForServices)
    }
}

/// The addresses of host names; this client knows no other names, since it uses no resolver.
public struct HostTable: Sendable, Hashable {
    private var addresses: [NamedHost: [SocketAddress]] = [:]
    /// Where the addresses of all names are asked for, so that the table says their ports alone; nil: no such server.
    package var resolver: SocketAddress?

    private struct NamedHost: Hashable {
        let name: String
        let port: Int
    }

    /// Why an entry of a host table is invalid.
    public struct InvalidEntry: Error, Sendable, Equatable, CustomStringConvertible {
        /// The reason as a sentence.
        public let description: String

        package init(description: String) { self.description = description }
    }

    /// Makes an empty table.
    public init() {}

    /// Whether the table has no entry.
    public var isEmpty: Bool { addresses.isEmpty && resolver == nil }

    /// Maps a name to `127.0.0.1:4711`, `[::1]:4711` or `unix:/path`; `port` is that of its URLs, 1...65535.
    ///
    /// Names are compared without case and without a dot at their end. A later entry replaces an earlier one.
    public mutating func set(_ address: String, for name: String, port: Int) throws(InvalidEntry) {
        try set([address], for: name, port: port)
    }

    /// Maps a name to several addresses, in the order in which they are to be tried.
    package mutating func set(_ texts: [String], for name: String, port: Int) throws(InvalidEntry) {
        let key = Self.key(name)
        guard !key.isEmpty, SocketAddress(host: key, port: 0) == nil else {
            throw InvalidEntry(
                description: "\"\(PrintableText.sanitize(name, limit: 100))\" is no name that could stand elsewhere; "
                    + "expected one like home.example.org")
        }
        guard 1...65535 ~= port else {
            throw InvalidEntry(
                description: "the port \(port) of \(key) is none; expected 1...65535, as its URLs have it")
        }
        var list: [SocketAddress] = []
        for text in texts.prefix(Self.mostAddresses) {
            guard let address = SocketAddress(table: text) else {
                throw InvalidEntry(
                    description: "\"\(PrintableText.sanitize(text, limit: 200))\" is no address for \(key); expected "
                        + "127.0.0.1:4711, [::1]:4711 or unix:/absolute/path")
            }
            list.append(address)
        }
        addresses[NamedHost(name: key, port: port)] = list
    }

    /// The most addresses of a name; further ones are left out.
    package static let mostAddresses = 64

    /// nil where the table has no entry; the host may itself be an address.
    package func address(of origin: Origin) -> SocketAddress? { known(origin)?.first }

    private func known(_ origin: Origin) -> [SocketAddress]? {
        guard !addresses.isEmpty else { return nil }
        return addresses[NamedHost(name: Self.key(origin.host), port: origin.port)]
    }

    /// Where an origin with a name is; nil for a name that is not in the table, and that nobody can be asked for.
    package func place(of origin: Origin) -> HostPlace? {
        let known = known(origin)
        // A table that has them all needs no question.
        if let known, known.count > 1 { return .addresses(known) }
        guard let resolver, SocketAddress(host: origin.undottedHost, port: 0) == nil else {
            return known.map { .addresses($0) }
        }
        guard let name = DNSName(origin.undottedHost), let own = UInt16(exactly: origin.port) else { return nil }
        return .asked(
            HostQuestion(
                name: name, port: known?.first?.port ?? own, resolver: resolver,
                asksForServices: origin.scheme == .https))
    }

    private static func key(_ name: String) -> String {
        Origin(scheme: .http, host: name, port: 0).undottedHost
    }
}

extension Origin {
    /// The host without the trailing dot.
    fileprivate var undottedHost: String {
        guard host.utf8.count > 1, host.utf8.last == UInt8(ascii: ".") else { return host }
        return String(host.dropLast())
    }
}
