internal import ProctorBase
internal import ProctorHTTP
internal import ProctorScenario
internal import ProctorTrace

// Requests of the shared port for hosts that scenarios declare.
extension SharedPort {
    /// nil for a request that is for the server itself, whatever it is called.
    func routeByName(_ head: RequestHead, _ scheme: Scheme, _ port: Int?) -> Route? {
        let bytes = head.bytes.span
        switch head.form {
        case .origin, .asterisk: return routeByHost(head, scheme, port)
        case .authority:
            guard let place = HostAndPort(bytes, in: head.targetRange) else { return refusal(of: head) }
            let found = shelf.catalogue.names.find(bytes, place).filter { $0.port == place.port }
            let secured = found.filter { $0.scheme == .https }
            return route(head, to: secured.isEmpty ? found : secured, by: .tunnel) { _ in nil } ?? refusal(of: head)
        case .absolute:
            guard let target = AbsoluteTarget(bytes, in: head.targetRange),
                let place = HostAndPort(bytes, in: target.authority)
            else { return nil }
            if place.isOwn(in: bytes) { return nil }
            guard let scheme = target.scheme else { return refusal(of: head) }
            let found = shelf.catalogue.names.find(bytes, place).filter {
                $0.scheme == scheme && $0.port == place.port ?? scheme.defaultPort
            }
            return route(head, to: found, by: .absolute) { head in
                target.originForm(head.bytes, isOptions: head.hasMethod("OPTIONS"))
            } ?? refusal(of: head)
        }
    }

    /// A name that nobody declares may well be ours: containers and phones call us as they like.
    private func routeByHost(_ head: RequestHead, _ scheme: Scheme, _ port: Int?) -> Route? {
        guard let host = head.fields.first(named: "Host") else { return nil }
        let bytes = host.span
        guard let place = HostAndPort(bytes, in: 0..<bytes.count), !place.isOwn(in: bytes) else { return nil }
        let found = shelf.catalogue.names.find(bytes, place).filter { $0.scheme == scheme }
        guard !found.isEmpty else { return nil }
        let exact = found.filter { $0.port == place.port ?? scheme.defaultPort }
        // `--resolve` has the URL, and so Host, say the port that the connection goes to: it stands for the usual one.
        let isOurs = exact.isEmpty && place.port != nil && place.port == port
        let meant = isOurs ? found.filter { $0.port == scheme.defaultPort } : exact
        return route(head, to: meant, by: .host) { $0.target } ?? misdirection(head, of: found)
    }

    /// nil where nobody declares the host; `target` is what the origin sees, nil for a tunnel.
    private func route(
        _ head: RequestHead, to places: [CatalogueNames.Place], by routing: JournalEvent.Routing,
        target: (RequestHead) -> [UInt8]?
    ) -> Route? {
        guard let first = places.first else { return nil }
        let catalogue = shelf.catalogue
        guard catalogue.scenarios.indices.contains(first.scenario) else { return nil }
        let scenario = catalogue.scenarios[first.scenario]
        let standing = standing
        guard places.allSatisfy({ $0.scenario == first.scenario }) else {
            let scenarios = places.map { catalogue.scenarios[$0.scenario] }
            let page = AmbiguousNamePage(head: head, scenarios: scenarios, routing: routing)
            return .page { await page.reply(standing) }
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

    /// 421: the host is declared, and not at this port (RFC 9110 §15.5.20).
    private func misdirection(_ head: RequestHead, of places: [CatalogueNames.Place]) -> Route {
        let scenarios = shelf.catalogue.scenarios
        let urls = places.compactMap { place in
            scenarios.indices.contains(place.scenario) ? scenarios[place.scenario].origins[place.origin] : nil
        }.map { $0.authority(at: "") }
        return .page { UndeclaredPortPage(head: head, authorities: Array(Set(urls)).sorted()).reply }
    }

    private func refusal(of head: RequestHead) -> Route {
        let names = shelf.catalogue.names.names
        return .page { UndeclaredHostPage(head: head, names: names).reply }
    }
}

/// What a client is told that asks the shared port, as a proxy, for a host that no scenario declares.
struct UndeclaredHostPage: Sendable {
    let head: RequestHead
    /// Of all scenarios.
    let names: [String]

    private static let limit = 50

    var reply: BuiltInReply {
        var lines = ["no scenario declares the host of \(EscapedText.of(head.targetBytes, limit: 300))", ""]
        lines.append(names.isEmpty ? "no scenario here has a name" : "declared are:")
        lines += names.prefix(Self.limit).map { "  \($0)" }
        if names.count > Self.limit { lines.append("  and \(names.count - Self.limit) more") }
        lines += ["", "Names are never looked up, and nobody is ever dialled."]
        return BuiltInReply(status: 502, body: lines.joined(separator: "\n") + "\n")
    }
}

/// What a client is told that asks the shared port for a declared host with a port that it does not have.
struct UndeclaredPortPage: Sendable {
    let head: RequestHead
    /// Of the host, at least one.
    let authorities: [String]

    private static let limit = 50

    var reply: BuiltInReply {
        let host = head.fields.first(named: "Host") ?? []
        var lines = ["no scenario declares the port of Host: \(EscapedText.of(host, limit: 300))", ""]
        lines.append("that host is declared as:")
        lines += authorities.prefix(Self.limit).map { "  \($0)" }
        if authorities.count > Self.limit { lines.append("  and \(authorities.count - Self.limit) more") }
        lines += ["", "Send one of these as Host, or the port that you connect to, which stands for the scheme's own."]
        return BuiltInReply(status: 421, body: lines.joined(separator: "\n") + "\n")
    }
}

/// What a client is told that asks the shared port for a host which several scenarios declare.
struct AmbiguousNamePage: Sendable {
    let head: RequestHead
    /// At least two.
    let scenarios: [Scenario]
    let routing: JournalEvent.Routing

    /// Those whose ports are opened to say where they stand.
    private static let limit = 20

    func reply(
        _ standing: @Sendable (Scenario) async -> Result<Run, SharedPort.StandingFailure>
    ) async -> BuiltInReply {
        let what = routing == .host ? head.fields.first(named: "Host") ?? [] : head.targetBytes
        var lines = ["\(scenarios.count) scenarios declare the host of \(EscapedText.of(what, limit: 300))", ""]
        lines.append("each has a front door of its own:")
        for scenario in scenarios.prefix(Self.limit) {
            switch await standing(scenario) {
            case .success(let run):
                lines.append("  \(scenario.id)")
                lines.append("      curl --proxy http://\(run.namesProxy ?? "") \(run.base)/")
            case .failure(let failure): lines.append("  \(failure.text)")
            }
        }
        if scenarios.count > Self.limit { lines.append("  and \(scenarios.count - Self.limit) more") }
        return BuiltInReply(status: routing == .host ? 421 : 502, body: lines.joined(separator: "\n") + "\n")
    }
}
