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
            (place.port ?? scheme.defaultPort) == port && HostAndPort.equals(bytes.extracting(place.host), host)
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

    /// The origin that a tunnel leads to: CONNECT says no scheme, and where a port has both it is meant for TLS.
    func origin(tunnelled bytes: Span<UInt8>, _ place: HostAndPort) -> Int? {
        place.port == nil ? nil : origin(.https, bytes, place) ?? origin(.http, bytes, place)
    }
}
