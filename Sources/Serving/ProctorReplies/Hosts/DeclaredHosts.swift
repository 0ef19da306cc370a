internal import ProctorBase
internal import ProctorScenario

/// The hosts that requests of a run may name, made when the run opens.
package struct DeclaredHosts: Sendable {
    /// One for each origin, in the order of the scenario.
    package let entries: [Entry]

    package struct Entry: Sendable {
        /// A name in lower case, or an address; IPv6 in brackets.
        let host: [UInt8]
        let port: Int
        let scheme: Scheme
        /// Whether a port of TLS serves plain HTTP too.
        let servesPlain: Bool
        let isSilent: Bool
        /// As in a URL: without the scheme's default port.
        let authority: String

        package var url: String { "\(scheme.rawValue)://\(authority)" }

        func speaks(_ wanted: Scheme) -> Bool { scheme == wanted || servesPlain && wanted == .http }

        func isCalled(_ bytes: Span<UInt8>, _ place: HostAndPort) -> Bool {
            (place.port ?? scheme.defaultPort) == port && hasHost(bytes, place)
        }

        func hasHost(_ bytes: Span<UInt8>, _ place: HostAndPort) -> Bool {
            HostAndPort.equals(bytes.extracting(place.host), host)
        }
    }

    /// Authorities by origin.
    init(_ origins: [Origin], authorities: [String]) {
        entries = zip(origins, authorities).map { origin, authority in
            let bytes = Array(authority.utf8)
            let place = HostAndPort(bytes.span, in: bytes.indices)
            return Entry(
                host: place.map { bytes[$0.host].map(\.asciiLowercased) } ?? [],
                port: place?.port ?? origin.scheme.defaultPort, scheme: origin.scheme,
                servesPlain: origin.servesPlainHTTP, isSilent: origin.role != .server && origin.role != .proxy,
                authority: authority)
        }
    }

    func origin(_ bytes: Span<UInt8>, _ place: HostAndPort, for scheme: Scheme) -> Int? {
        entries.firstIndex { $0.speaks(scheme) && $0.isCalled(bytes, place) }
    }

    /// The origin of a Host field at a port that leads to all of them; ``OtherPort`` has the rule.
    package func origin(
        byHost bytes: Span<UInt8>, _ place: HostAndPort, for scheme: Scheme, cameTo connected: Int?
    ) -> Int? {
        if let exact = origin(bytes, place, for: scheme) { return exact }
        guard let port = OtherPort.standIn(for: place.port, scheme, cameTo: connected) else { return nil }
        return entries.firstIndex { $0.scheme == scheme && $0.port == port && $0.hasHost(bytes, place) }
    }

    /// The declared ports of a host that is not declared with this port or scheme; nil for an undeclared host.
    package func otherPort(_ bytes: Span<UInt8>, _ place: HostAndPort, for scheme: Scheme?) -> OtherPort? {
        let declared = entries.filter { $0.hasHost(bytes, place) }
        guard let first = declared.first else { return nil }
        return OtherPort(
            String(decoding: first.host, as: UTF8.self), declared: declared.map { ($0.scheme, $0.port) }, for: scheme)
    }

    /// The origin of a tunnel: CONNECT names no scheme; a port with both schemes means TLS.
    func tunnelOrigin(_ bytes: Span<UInt8>, _ place: HostAndPort) -> Int? {
        place.port == nil ? nil : origin(bytes, place, for: .https) ?? origin(bytes, place, for: .http)
    }
}

/// A declared host that is requested with another port or scheme than it is declared with.
///
/// At the shared port and at a run's proxies, a target must have the declared port, or none where that is the scheme's
/// default. Host may also have the port that the client connected to in place of the default. At the port of one name
/// no other port is accepted.
package struct OtherPort: Equatable {
    /// In lower case, without a final dot.
    package let host: String
    /// The only scheme that the host is declared with; nil: several.
    package let onlyScheme: Scheme?
    /// Ascending, not empty.
    package let ports: [Int]

    /// `declared` has all declarations of the host; `scheme` is nil for a tunnel.
    ///
    /// Nil for an undeclared host.
    package init?(_ host: String, declared: [(scheme: Scheme, port: Int)], for scheme: Scheme?) {
        guard let first = declared.first else { return nil }
        let fitting = declared.filter { scheme == nil || $0.scheme == scheme }
        self.host = host
        onlyScheme = fitting.isEmpty ? first.scheme : nil
        ports = Array(Set((fitting.isEmpty ? declared : fitting).map(\.port))).sorted()
    }

    /// Half a sentence about permitted values, to follow "wanted".
    package var wanted: String {
        var texts = ports.prefix(Self.limit).map(String.init)
        if ports.count > Self.limit { texts.append("\(ports.count - Self.limit) others") }
        let last = texts.removeLast()
        let list = texts.isEmpty ? last : "\(texts.joined(separator: ", ")) or \(last)"
        return "\(host) as it is declared, \(onlyScheme.map { "for \($0.rawValue) " } ?? "")with port \(list)"
    }

    private static let limit = 10

    /// The scheme's default port, where Host has the connected port (nil: a Unix socket); else nil.
    package static func standIn(for said: Int?, _ scheme: Scheme, cameTo connected: Int?) -> Int? {
        said != nil && said == connected ? scheme.defaultPort : nil
    }
}
