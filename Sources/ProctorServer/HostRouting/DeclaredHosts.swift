internal import ProctorBase
internal import ProctorScenario

/// The hosts that requests of a run may name, made when it opens; looking one up copies nothing.
struct DeclaredHosts: Sendable {
    /// In the order of the scenario; one for each origin.
    let entries: [Entry]

    struct Entry: Sendable {
        /// A name in lower case, or an address, an IPv6 one in brackets.
        let host: [UInt8]
        let port: Int
        let scheme: Scheme
        /// No server answers there.
        let isSilent: Bool
        /// As it stands in a URL: without the port that is the scheme's own.
        let authority: String

        /// As a client would write it.
        var url: String { "\(scheme.rawValue)://\(authority)" }

        func isCalled(_ bytes: Span<UInt8>, _ place: HostAndPort) -> Bool {
            (place.port ?? scheme.defaultPort) == port && hasHost(bytes, place)
        }

        /// Whatever the port.
        fileprivate func hasHost(_ bytes: Span<UInt8>, _ place: HostAndPort) -> Bool {
            HostAndPort.equals(bytes.extracting(place.host), host)
        }
    }

    /// Authorities by origin, as its URLs have them.
    init(_ origins: [Origin], authorities: [String]) {
        entries = zip(origins, authorities).map { origin, authority in
            let bytes = Array(authority.utf8)
            let place = HostAndPort(bytes.span, in: bytes.indices)
            return Entry(
                host: place.map { bytes[$0.host].map(\.asciiLowercased) } ?? [],
                port: place?.port ?? origin.scheme.defaultPort, scheme: origin.scheme,
                isSilent: origin.role != .server && origin.role != .proxy, authority: authority)
        }
    }

    /// The origin that a URL of the scheme means.
    func origin(_ bytes: Span<UInt8>, _ place: HostAndPort, for scheme: Scheme) -> Int? {
        for index in entries.indices where entries[index].scheme == scheme {
            if entries[index].isCalled(bytes, place) { return index }
        }
        return nil
    }

    /// The origin that Host means at a port that leads to all of them; see ``OtherPort`` for the rule.
    func origin(
        byHost bytes: Span<UInt8>, _ place: HostAndPort, for scheme: Scheme, cameTo connected: Int?
    ) -> Int? {
        if let exact = origin(bytes, place, for: scheme) { return exact }
        guard let port = OtherPort.standIn(for: place.port, scheme, cameTo: connected) else { return nil }
        return entries.indices.first {
            entries[$0].scheme == scheme && entries[$0].port == port && entries[$0].hasHost(bytes, place)
        }
    }

    /// What is declared of a host, where not with this port or for this scheme; nil where the host is not declared at all.
    func otherPort(_ bytes: Span<UInt8>, _ place: HostAndPort, for scheme: Scheme?) -> OtherPort? {
        let found = entries.indices.filter { entries[$0].hasHost(bytes, place) }.map { entries[$0] }
        guard let first = found.first else { return nil }
        return OtherPort(
            String(decoding: first.host, as: UTF8.self), declared: found.map { ($0.scheme, $0.port) }, for: scheme)
    }

    /// The origin that a tunnel leads to: CONNECT says no scheme, and where a port has both it is meant for TLS.
    func origin(tunnelled bytes: Span<UInt8>, _ place: HostAndPort) -> Int? {
        place.port == nil ? nil : origin(bytes, place, for: .https) ?? origin(bytes, place, for: .http)
    }
}

/// A declared host that is asked for with a port, or for a scheme, that it is not declared with.
///
/// One rule holds at the shared port and at every proxy of a run's names. A target says the port that the origin is declared with,
/// or none where that is the scheme's own. So does Host, and there the port that the connection came to stands for the
/// scheme's own as well: a URL that leads here has to say it. At the port of one name nothing stands for anything.
struct OtherPort: Equatable {
    /// As it is declared: in lower case, without a dot at its end.
    let host: String
    /// Nothing else of the host is declared where this is not nil.
    let onlyScheme: Scheme?
    /// Ascending; at least one.
    let ports: [Int]

    /// `declared` is all that there is of the host; `scheme` is nil for a tunnel, which says none.
    ///
    /// Nil for a host that is not declared.
    init?(_ host: String, declared: [(scheme: Scheme, port: Int)], for scheme: Scheme?) {
        guard let first = declared.first else { return nil }
        let fitting = declared.filter { scheme == nil || $0.scheme == scheme }
        self.host = host
        onlyScheme = fitting.isEmpty ? first.scheme : nil
        ports = Array(Set((fitting.isEmpty ? declared : fitting).map(\.port))).sorted()
    }

    /// What would have been right: half a sentence, behind "wanted".
    var wanted: String {
        let texts = ports.prefix(Self.limit).map(String.init)
        let more = ports.count > Self.limit ? ["\(ports.count - Self.limit) others"] : []
        let list = texts + more
        let text = list.count == 1 ? list[0] : "\(list.dropLast().joined(separator: ", ")) or \(list[list.count - 1])"
        guard let onlyScheme else { return "\(host) as it is declared, with port \(text)" }
        return "\(host) as it is declared, for \(onlyScheme.rawValue) with port \(text)"
    }

    private static let limit = 10

    /// The port that the one which Host says stands for, where it is the one that the connection came to; nil: none.
    ///
    /// `connected` is nil for a Unix socket.
    static func standIn(for said: Int?, _ scheme: Scheme, cameTo connected: Int?) -> Int? {
        said != nil && said == connected ? scheme.defaultPort : nil
    }
}
