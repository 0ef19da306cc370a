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
        /// Nobody answers there.
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
    func origin(_ scheme: Scheme, _ bytes: Span<UInt8>, _ place: HostAndPort) -> Int? {
        for index in entries.indices where entries[index].scheme == scheme {
            if entries[index].isCalled(bytes, place) { return index }
        }
        return nil
    }

    /// The origin that Host means at a port that leads to all of them; see ``OtherPort`` for the rule.
    func origin(byHost bytes: Span<UInt8>, _ place: HostAndPort, _ scheme: Scheme, cameTo connected: Int?) -> Int? {
        if let exact = origin(scheme, bytes, place) { return exact }
        guard let port = OtherPort.standIn(for: place.port, scheme, cameTo: connected) else { return nil }
        return entries.indices.first {
            entries[$0].scheme == scheme && entries[$0].port == port && entries[$0].hasHost(bytes, place)
        }
    }

    /// What there is of a host that nobody declares so; nil where nobody declares it at all.
    func otherPort(_ scheme: Scheme?, _ bytes: Span<UInt8>, _ place: HostAndPort) -> OtherPort? {
        let found = entries.indices.filter { entries[$0].hasHost(bytes, place) }.map { entries[$0] }
        guard let first = found.first else { return nil }
        return OtherPort(
            String(decoding: first.host, as: UTF8.self), declared: found.map { ($0.scheme, $0.port) }, for: scheme)
    }

    /// The origin that a tunnel leads to: CONNECT says no scheme, and where a port has both it is meant for TLS.
    func origin(tunnelled bytes: Span<UInt8>, _ place: HostAndPort) -> Int? {
        place.port == nil ? nil : origin(.https, bytes, place) ?? origin(.http, bytes, place)
    }
}
