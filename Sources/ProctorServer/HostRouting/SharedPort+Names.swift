internal import ProctorBase
internal import ProctorHTTP
import ProctorJournal
internal import ProctorLoop
internal import ProctorScenario

/// The names that the scenarios of a catalogue declare, and which origins have them.
struct CatalogueNames: Sendable {
    private let origins: [[UInt8]: [NamedOrigin]]
    /// In alphabetical order.
    let names: [String]

    /// An origin of a scenario.
    struct NamedOrigin: Sendable {
        /// In the catalogue.
        let scenario: Int
        let origin: Int
        let scheme: Scheme
        let port: Int
    }

    init(_ scenarios: [Scenario]) {
        var origins: [[UInt8]: [NamedOrigin]] = [:]
        var names: Set<String> = []
        for (position, scenario) in scenarios.enumerated() {
            for (index, origin) in scenario.origins.enumerated() {
                guard let name = origin.hostName else { continue }
                names.insert(name)
                origins[Array(name.utf8), default: []].append(
                    NamedOrigin(scenario: position, origin: index, scheme: origin.scheme, port: origin.namedPort))
            }
        }
        self.origins = origins
        self.names = names.sorted()
    }

    var isEmpty: Bool { origins.isEmpty }

    /// Where the host of an authority is declared, whatever the port.
    func find(_ bytes: Span<UInt8>, _ place: HostAndPort) -> [NamedOrigin] {
        guard !isEmpty, place.host.count <= 253 else { return [] }
        return origins[place.host.map { bytes[$0].asciiLowercased }] ?? []
    }
}

// Requests of the shared port for hosts that scenarios declare.
extension SharedPort {
    /// Nil for a request that is for the server itself, whatever name the request says; `here` is where it came to.
    func routeByName(_ head: RequestHead, _ scheme: Scheme, at here: SocketAddress) -> Route? {
        let asked = AskedName(head: head, scheme: scheme, here: here)
        let bytes = head.bytes.span
        switch head.form {
        case .origin, .asterisk: return routeByHost(asked)
        case .authority:
            guard let place = HostAndPort(bytes, in: head.targetRange) else { return undeclared(asked) }
            let declared = stages.catalogue.names.find(bytes, place)
            let found = declared.filter { $0.port == place.port }
            let secured = found.filter { $0.scheme == .https }
            return route(asked, to: secured.isEmpty ? found : secured, target: nil)
                ?? misdirection(asked, of: declared, for: nil) ?? undeclared(asked)
        case .absolute:
            guard let target = AbsoluteTarget(bytes, in: head.targetRange),
                let place = HostAndPort(bytes, in: target.authority)
            else { return nil }
            if place.isOwn(in: bytes) {
                return isHere(place, in: bytes, here: here) ? nil : undeclared(asked)
            }
            guard let scheme = target.scheme else { return undeclared(asked) }
            let declared = stages.catalogue.names.find(bytes, place)
            let found = declared.filter { $0.scheme == scheme && $0.port == place.port ?? scheme.defaultPort }
            return route(
                asked, to: found, target: target.originForm(head.bytes, isOptions: head.hasMethod("OPTIONS")))
                ?? misdirection(asked, of: declared, for: scheme) ?? undeclared(asked)
        }
    }

    /// Whether an address is one that leads here: of this machine, or the one that the connection came to.
    private func isHere(_ place: HostAndPort, in bytes: Span<UInt8>, here: SocketAddress) -> Bool {
        let text = String(decoding: place.host.map { bytes[$0].asciiLowercased }, as: UTF8.self)
        guard !text.isEmpty, text != "localhost" else { return true }
        let host = text.hasPrefix("[") ? String(text.dropFirst().dropLast()) : text
        guard let address = SocketAddress(host: host, port: 0) else { return false }
        return address.isLoopback || address == here.with(port: 0)
    }

    /// A name that no scenario declares may well mean this server: containers and phones have names of their own for it.
    private func routeByHost(_ asked: AskedName) -> Route? {
        guard let host = asked.head.fields.first(named: "Host") else { return nil }
        let bytes = host.span
        guard let place = HostAndPort(bytes, in: 0..<bytes.count), !place.isOwn(in: bytes) else { return nil }
        let scheme = asked.scheme
        let declared = stages.catalogue.names.find(bytes, place)
        guard !declared.isEmpty else { return nil }
        var found = declared.filter { $0.scheme == scheme && $0.port == place.port ?? scheme.defaultPort }
        if found.isEmpty,
            let port = OtherPort.standIn(for: place.port, scheme, cameTo: asked.here.port.map(Int.init))
        {
            found = declared.filter { $0.scheme == scheme && $0.port == port }
        }
        return route(asked, to: found, target: asked.head.target) ?? misdirection(asked, of: declared, for: scheme)
    }

    /// Nil where no scenario declares the host; `target` is what the origin sees, nil for a tunnel.
    private func route(
        _ asked: AskedName, to places: [CatalogueNames.NamedOrigin], target: @autoclosure () -> [UInt8]?
    ) -> Route? {
        guard let first = places.first else { return nil }
        let catalogue = stages.catalogue
        guard catalogue.scenarios.indices.contains(first.scenario) else { return nil }
        let scenario = catalogue.scenarios[first.scenario]
        let standing = standing
        guard places.allSatisfy({ $0.scenario == first.scenario }) else {
            let found = places.filter { catalogue.scenarios.indices.contains($0.scenario) }
            let ids = found.map { catalogue.scenarios[$0.scenario].id }
            let url = catalogue.scenarios[first.scenario].origins[first.origin].namedURL
            return .page { asked.ambiguous(url: url, ids: ids) }
        }
        if asked.routing == .absolute, first.scheme == .https {
            return .page { RoutingFailure.unsecured(asked.head).reply(among: []) }
        }
        let target = target()
        return .later {
            switch await standing(scenario) {
            case .failure(let failure): return .page { BuiltInReply(status: 503, body: failure.text + "\n") }
            case .success(let run):
                guard run.scenario.fingerprint == scenario.fingerprint else {
                    return .page {
                        BuiltInReply(status: 503, body: "scenario \(scenario.id) has just changed; ask again\n")
                    }
                }
                guard let target else { return .named(.tunnel(run.stage, origin: first.origin)) }
                return .named(.routed(run.stage, origin: first.origin, target: target, asked.routing))
            }
        }
    }

    /// Nil where no scenario declares the host; `scheme` is nil for a tunnel, which says none.
    private func misdirection(
        _ asked: AskedName, of declared: [CatalogueNames.NamedOrigin], for scheme: Scheme?
    ) -> Route? {
        let scenarios = stages.catalogue.scenarios
        let origins = declared.compactMap { place in
            scenarios.indices.contains(place.scenario) ? scenarios[place.scenario].origins[place.origin] : nil
        }
        guard let name = origins.first?.hostName,
            let other = OtherPort(name, declared: declared.map { ($0.scheme, $0.port) }, for: scheme)
        else { return nil }
        let urls = Set(origins.map(\.namedURL)).sorted()
        return .page { asked.misdirected(to: other, urls: urls) }
    }

    private func undeclared(_ asked: AskedName) -> Route {
        let names = stages.catalogue.names.names
        return .page { asked.undeclared(among: names) }
    }
}

extension ProctorScenario.Origin {
    /// As a client would write it that comes by its name.
    fileprivate var namedURL: String { "\(scheme.rawValue)://\(authority(at: ""))" }
}
