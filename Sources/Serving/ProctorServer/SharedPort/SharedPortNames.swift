internal import ProctorBase
internal import ProctorHTTP
import ProctorJournal
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorScenario
internal import ProctorServing

struct CatalogueNames: Sendable {
    private let origins: [[UInt8]: [NamedOrigin]]
    let names: [String]

    struct NamedOrigin: Sendable {
        let scenario: Int
        let origin: Int
        let scheme: Scheme
        let port: Int
    }

    init(_ scenarios: [Scenario]) {
        self.init(scenarios.enumerated().lazy.map { ($0.offset, $0.element) })
    }

    /// Scenarios with their positions, in order.
    init(_ scenarios: some Sequence<(Int, Scenario)>) {
        var origins: [[UInt8]: [NamedOrigin]] = [:]
        var names: Set<String> = []
        for (position, scenario) in scenarios {
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

    /// The origins with the host of an authority, whatever the port.
    func find(_ bytes: Span<UInt8>, _ place: HostAndPort) -> [NamedOrigin] {
        guard !isEmpty, place.host.count <= 253 else { return [] }
        return origins[place.host.map { bytes[$0].asciiLowercased }] ?? []
    }
}

// Requests at the shared port for hosts that scenarios declare.
extension SharedPort {
    /// Nil for a request to the server itself; `here` gives the address that the client connected to.
    func routeByName(_ head: RequestHead, _ scheme: Scheme, at here: () -> SocketAddress) -> Route? {
        if head.form == .origin || head.form == .asterisk, !stages.mayDeclareNames { return nil }
        let asked = AskedName(head: head, scheme: scheme, here: here(), catalogue: stages.catalogue)
        let bytes = head.bytes.span
        switch head.form {
        case .origin, .asterisk: return routeByHost(asked)
        case .authority:
            guard let names = asked.catalogue.names else { return whenAllWereRead(asked) }
            guard let place = HostAndPort(bytes, in: head.targetRange) else { return undeclared(asked) }
            let declared = names.find(bytes, place)
            let atPort = declared.filter { $0.port == place.port }
            let secured = atPort.filter { $0.scheme == .https }
            return namedRoute(asked, to: secured.isEmpty ? atPort : secured, target: nil)
                ?? misdirection(asked, of: declared, for: nil) ?? undeclared(asked)
        case .absolute:
            guard let target = AbsoluteTarget(bytes, in: head.targetRange),
                let place = HostAndPort(bytes, in: target.authority)
            else { return nil }
            let isOwn = place.isOwn(in: bytes)
            if isOwn, isHere(place, in: bytes, here: here()) { return nil }
            guard let names = asked.catalogue.names else { return whenAllWereRead(asked) }
            guard !isOwn, let scheme = Scheme(of: target, in: bytes) else { return undeclared(asked) }
            let declared = names.find(bytes, place)
            let atPort = declared.filter { $0.scheme == scheme && $0.port == place.port ?? scheme.defaultPort }
            return namedRoute(
                asked, to: atPort, target: target.originForm(head.bytes, isOptions: head.hasMethod("OPTIONS")))
                ?? misdirection(asked, of: declared, for: scheme) ?? undeclared(asked)
        }
    }

    /// Whether an address leads here: a loopback address, or the one that the client connected to.
    private func isHere(_ place: HostAndPort, in bytes: Span<UInt8>, here: SocketAddress) -> Bool {
        let text = String(decoding: place.host.map { bytes[$0].asciiLowercased }, as: UTF8.self)
        guard !text.isEmpty else { return true }
        return here.isReached(at: text.hasPrefix("[") ? String(text.dropFirst().dropLast()) : text)
    }

    /// Nil also for an undeclared name: containers and phones have names of their own for this server.
    private func routeByHost(_ asked: AskedName) -> Route? {
        guard let host = asked.head.fields.first(named: "Host") else { return nil }
        let bytes = host.span
        guard let place = HostAndPort(bytes, in: 0..<bytes.count), !place.isOwn(in: bytes) else { return nil }
        guard let names = asked.catalogue.names else { return whenAllWereRead(asked) }
        let scheme = asked.scheme
        let declared = names.find(bytes, place)
        guard !declared.isEmpty else { return nil }
        var atPort = declared.filter { $0.scheme == scheme && $0.port == place.port ?? scheme.defaultPort }
        if atPort.isEmpty,
            let port = OtherPort.standIn(for: place.port, scheme, cameTo: asked.here.port.map(Int.init))
        {
            atPort = declared.filter { $0.scheme == scheme && $0.port == port }
        }
        return namedRoute(asked, to: atPort, target: asked.head.target)
            ?? misdirection(asked, of: declared, for: scheme)
    }

    /// Which names scenarios declare is known when every file was read.
    private func whenAllWereRead(_ asked: AskedName) -> Route {
        .later { [self] in
            if let failure = await asked.catalogue.readAll() {
                return .page {
                    BuiltInReply(
                        status: 503,
                        lines: [
                            "which names the scenarios declare isn't known now, for not all of them can be read; ask again",
                            "", "\(failure)",
                        ])
                }
            }
            return route(asked.head, asked.scheme, at: asked.here)
        }
    }

    /// Nil where no scenario declares the host; `target` is what the origin sees, nil for a tunnel.
    private func namedRoute(
        _ asked: AskedName, to places: [CatalogueNames.NamedOrigin], target: @autoclosure () -> [UInt8]?
    ) -> Route? {
        guard let first = places.first else { return nil }
        guard let scenario = asked.catalogue.sound(at: first.scenario) else { return nil }
        guard places.allSatisfy({ $0.scenario == first.scenario }) else {
            let ids = places.map { asked.catalogue.ids[$0.scenario] }
            let url = scenario.origins[first.origin].namedURL
            return .page { asked.ambiguous(url: url, ids: ids) }
        }
        if asked.routing == .absolute, first.scheme == .https {
            return .page { RoutingFailure.unsecured(asked.head).reply(among: []) }
        }
        let target = target()
        return .later { [standing] in
            switch await standing(scenario) {
            case .failure(let failure): return .page { failure.reply }
            case .success(let run) where run.scenario.fingerprint != scenario.fingerprint:
                return .page {
                    BuiltInReply(status: 503, body: "scenario \(scenario.id) has just changed; ask again\n")
                }
            case .success(let run):
                guard let target else { return .named(.tunnel(run.stage, origin: first.origin)) }
                return .named(.routed(run.stage, origin: first.origin, target: target, asked.routing))
            }
        }
    }

    /// Nil where no scenario declares the host; `scheme` is nil for a tunnel.
    private func misdirection(
        _ asked: AskedName, of declared: [CatalogueNames.NamedOrigin], for scheme: Scheme?
    ) -> Route? {
        let origins = declared.compactMap { asked.catalogue.sound(at: $0.scenario)?.origins[$0.origin] }
        guard let name = origins.first?.hostName,
            let other = OtherPort(name, declared: declared.map { ($0.scheme, $0.port) }, for: scheme)
        else { return nil }
        let urls = Set(origins.map(\.namedURL)).sorted()
        return .page { asked.misdirected(to: other, urls: urls) }
    }

    private func undeclared(_ asked: AskedName) -> Route { .page { asked.undeclared() } }
}

extension ProctorScenario.Origin {
    fileprivate var namedURL: String { "\(scheme.rawValue)://\(authority(at: ""))" }
}

/// A request at the shared port that may be for the host of a scenario, and the refusals for its client.
struct AskedName: Sendable {
    let head: RequestHead
    let scheme: Scheme
    /// The address that the client connected to.
    let here: SocketAddress
    /// The catalogue at the time of the request; positions of scenarios are positions in it.
    let catalogue: Catalogue

    var routing: JournalEvent.Routing {
        switch head.form {
        case .origin, .asterisk: .host
        case .authority: .tunnel
        case .absolute: .absolute
        }
    }

    /// The field or the target with the host, as received.
    private var text: String {
        EscapedText.escape(routing == .host ? head.fields.first(named: "Host") ?? [] : head.targetBytes, limit: 300)
    }

    /// The refusal for an undeclared host: 421 for a target in absolute-form (RFC 9110 §15.5.20), 502 for CONNECT.
    func undeclared() -> BuiltInReply {
        let names = catalogue.names?.names ?? []
        var lines = ["no scenario declares the host of \(EscapedText.escape(head.targetBytes, limit: 300))", ""]
        lines.append(names.isEmpty ? "no scenario here has a name" : "declared are:")
        lines += Self.list(names, limit: 50)
        lines += ["", "Names are never looked up, and no other host is ever dialled."]
        return BuiltInReply(status: routing == .tunnel ? 502 : 421, lines: lines)
    }

    /// The refusal for a host that is declared with other ports; `urls` are those of the host, at least one.
    func misdirected(to other: OtherPort, urls: [String]) -> BuiltInReply {
        let what = routing == .host ? "Host" : "target"
        var lines = ["\(what): wanted \(other.wanted), got \(text)", "", "\(other.host) is there as:"]
        lines += Self.list(urls, limit: 50)
        lines += ["", hint(other)]
        return reply(lines)
    }

    private func hint(_ other: OtherPort) -> String {
        guard routing == .host else { return "Ask for one of these; to a proxy no other port stands for it." }
        let usual = scheme.defaultPort
        guard let port = here.port, other.onlyScheme == nil, other.ports.contains(usual) else {
            return "Have Host say one of these."
        }
        return "Have Host say one of these; \(port), which you connected to, may stand there for \(usual)."
    }

    /// The refusal for a host that several scenarios `ids` declare, in the catalogue's order; `url` is the host's.
    ///
    /// No port is opened: the client opens one by the URL of the scenario that it wants.
    func ambiguous(url: String, ids: [String]) -> BuiltInReply {
        var lines = ["\(ids.count) scenarios declare the host of \(text):", ""]
        lines += Self.list(ids, limit: 200)
        lines += ["", "Nothing was started. To choose one, ask for its page, which says where its front door stands:"]
        lines.append("  \(curl) \(base)/\(ids[0])")
        lines.append("or start a run of it, whose namesProxy is that door:")
        lines.append("  \(curl) -d '{\"scenario\": \"\(ids[0])\"}' \(base)\(ControlCall.prefix)/runs")
        lines.append("and come by it:")
        lines.append("  curl --proxy http://DOOR \(url)/")
        return reply(lines)
    }

    private var curl: String {
        if case .unix(let path) = here { return "curl --unix-socket \(path)" }
        return scheme == .https ? "curl -k" : "curl"
    }

    private var base: String {
        if case .unix = here { return "http://localhost" }
        return "\(scheme.rawValue)://\(here)"
    }

    /// 421 for Host (RFC 9110 §15.5.20), 502 at a proxy (§15.6.3).
    private func reply(_ lines: [String]) -> BuiltInReply {
        BuiltInReply(status: routing == .host ? 421 : 502, lines: lines)
    }

    /// An indented line for each item, and a last one with the number of omitted items.
    private static func list(_ items: [String], limit: Int) -> [String] {
        let lines = items.prefix(limit).map { "  \($0)" }
        return items.count > limit ? lines + ["  and \(items.count - limit) more"] : lines
    }
}
