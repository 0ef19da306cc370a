internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorScenario
internal import ProctorTrace

// Requests of the shared port for hosts that scenarios declare.
extension SharedPort {
    /// nil for a request that is for the server itself, whatever it is called; `here` is where it came to.
    func routeByName(_ head: RequestHead, _ scheme: Scheme, at here: SocketAddress) -> Route? {
        let asked = AskedName(head: head, scheme: scheme, here: here)
        let bytes = head.bytes.span
        switch head.form {
        case .origin, .asterisk: return routeByHost(asked)
        case .authority:
            guard let place = HostAndPort(bytes, in: head.targetRange) else { return refusal(of: head, status: 502) }
            let declared = shelf.catalogue.names.find(bytes, place)
            let found = declared.filter { $0.port == place.port }
            let secured = found.filter { $0.scheme == .https }
            return route(asked, to: secured.isEmpty ? found : secured, by: .tunnel) { _ in nil }
                ?? misdirection(asked, bytes, place, of: declared, for: nil, by: .tunnel)
                ?? refusal(of: head, status: 502)
        case .absolute:
            guard let target = AbsoluteTarget(bytes, in: head.targetRange),
                let place = HostAndPort(bytes, in: target.authority)
            else { return nil }
            if place.isOwn(in: bytes) { return isHere(place, bytes, here) ? nil : refusal(of: head, status: 421) }
            guard let scheme = target.scheme else { return refusal(of: head, status: 421) }
            let declared = shelf.catalogue.names.find(bytes, place)
            let found = declared.filter { $0.scheme == scheme && $0.port == place.port ?? scheme.defaultPort }
            return route(asked, to: found, by: .absolute) { head in
                target.originForm(head.bytes, isOptions: head.hasMethod("OPTIONS"))
            } ?? misdirection(asked, bytes, place, of: declared, for: scheme, by: .absolute)
                ?? refusal(of: head, status: 421)
        }
    }

    /// Whether an address is one that leads here: of this machine, or the one that the connection came to.
    private func isHere(_ place: HostAndPort, _ bytes: Span<UInt8>, _ here: SocketAddress) -> Bool {
        let text = String(decoding: place.host.map { bytes[$0].asciiLowercased }, as: UTF8.self)
        guard !text.isEmpty, text != "localhost" else { return true }
        let host = text.hasPrefix("[") ? String(text.dropFirst().dropLast()) : text
        guard let address = SocketAddress(host: host, port: 0) else { return false }
        return address.isLoopback || address == here.with(port: 0)
    }

    /// A name that nobody declares may well be ours: containers and phones call us as they like.
    private func routeByHost(_ asked: AskedName) -> Route? {
        guard let host = asked.head.fields.first(named: "Host") else { return nil }
        let bytes = host.span
        guard let place = HostAndPort(bytes, in: 0..<bytes.count), !place.isOwn(in: bytes) else { return nil }
        let scheme = asked.scheme
        let declared = shelf.catalogue.names.find(bytes, place)
        guard !declared.isEmpty else { return nil }
        var found = declared.filter { $0.scheme == scheme && $0.port == place.port ?? scheme.defaultPort }
        if found.isEmpty,
            let port = OtherPort.standIn(for: place.port, scheme, cameTo: asked.here.port.map(Int.init))
        {
            found = declared.filter { $0.scheme == scheme && $0.port == port }
        }
        return route(asked, to: found, by: .host) { $0.target }
            ?? misdirection(asked, bytes, place, of: declared, for: scheme, by: .host)
    }

    /// nil where nobody declares the host; `target` is what the origin sees, nil for a tunnel.
    private func route(
        _ asked: AskedName, to places: [CatalogueNames.Place], by routing: JournalEvent.Routing,
        target: (RequestHead) -> [UInt8]?
    ) -> Route? {
        guard let first = places.first else { return nil }
        let head = asked.head
        let catalogue = shelf.catalogue
        guard catalogue.scenarios.indices.contains(first.scenario) else { return nil }
        let scenario = catalogue.scenarios[first.scenario]
        let standing = standing
        guard places.allSatisfy({ $0.scenario == first.scenario }) else {
            let found = places.filter { catalogue.scenarios.indices.contains($0.scenario) }
            let ids = found.map { catalogue.scenarios[$0.scenario].id }
            let url = catalogue.scenarios[first.scenario].origins[first.origin].namedURL
            return .page { AmbiguousNamePage(asked: asked, url: url, ids: ids, routing: routing).reply }
        }
        if routing == .absolute, first.scheme == .https {
            return .page {
                Stranger.unsecured(head).reply(among: [])
            }
        }
        let target = target(head)
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
                return .named(.routed(run.stage, origin: first.origin, target: target, routing))
            }
        }
    }

    /// nil where nobody declares the host; `scheme` is nil for a tunnel, which says none.
    private func misdirection(
        _ asked: AskedName, _ bytes: Span<UInt8>, _ place: HostAndPort, of declared: [CatalogueNames.Place],
        for scheme: Scheme?, by routing: JournalEvent.Routing
    ) -> Route? {
        let scenarios = shelf.catalogue.scenarios
        let origins = declared.compactMap { place in
            scenarios.indices.contains(place.scenario) ? scenarios[place.scenario].origins[place.origin] : nil
        }
        guard let name = origins.first?.hostName,
            let other = OtherPort(name, declared: declared.map { ($0.scheme, $0.port) }, for: scheme)
        else { return nil }
        let urls = Set(origins.map(\.namedURL)).sorted()
        return .page { OtherPortPage(asked: asked, other: other, urls: urls, routing: routing).reply }
    }

    /// `status` is 421 for a target in absolute-form (RFC 9110 §15.5.20), 502 for CONNECT.
    private func refusal(of head: RequestHead, status: Int) -> Route {
        let names = shelf.catalogue.names.names
        return .page { UndeclaredHostPage(head: head, names: names, status: status).reply }
    }
}

extension ProctorScenario.Origin {
    /// As a client would write it that comes by its name.
    fileprivate var namedURL: String { "\(scheme.rawValue)://\(authority(at: ""))" }
}
