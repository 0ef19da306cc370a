internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorScenario

final class HostRouter: Sendable {
    let hosts: DeclaredHosts
    /// By origin: the TLS of its connections and tunnels; nil for plain HTTP.
    let security: [ListenerSecurity?]
    private let roles: [Role]
    /// The most bytes to take from the system at once while the origin is unknown.
    let portionByteCount: Int

    private enum Role: Sendable {
        case plain
        /// The origin has a name, and answers for no other.
        case named
        /// A proxy; whether it has exchanges of its own.
        case proxy(hasExchanges: Bool)
    }

    /// Nil where every origin answers for any host.
    init?(_ compiled: CompiledScenario, authorities: [String], security: [ListenerSecurity?]) {
        let scenario = compiled.scenario
        guard scenario.hasNames || scenario.origins.contains(where: { $0.role == .proxy }) else { return nil }
        hosts = DeclaredHosts(scenario.origins, authorities: authorities)
        self.security = security
        roles = scenario.origins.indices.map { index in
            let origin = scenario.origins[index]
            if origin.role == .proxy {
                return .proxy(hasExchanges: scenario.exchanges.contains { $0.origin == index })
            }
            return origin.hostName == nil ? .plain : .named
        }
        portionByteCount = scenario.origins.indices.map(compiled.portionByteCount).min() ?? .max
    }

    func isProxy(_ origin: Int) -> Bool {
        if case .proxy = roles[origin] { true } else { false }
    }

    // MARK: Routes

    func route(_ head: RequestHead, at origin: Int, of stage: Stage, checksHost: Bool) -> Route {
        switch roles[origin] {
        case .plain: break
        case .named:
            guard !checksHost || isFor(origin, head) else {
                return .named(.failed(.otherHost(head, than: hosts.entries[origin]), stage, at: origin))
            }
        case .proxy(let hasExchanges):
            if head.form == .absolute || head.form == .authority {
                return .named(.proxied(stage, proxy: origin, hasExchanges: hasExchanges))
            }
        }
        return .stage(stage, origin: origin, target: head.target)
    }

    /// The route at the proxy that leads to every name; `port` is its own.
    func routeAtNamesProxy(_ head: RequestHead, of stage: Stage, port: Int?) -> Route {
        if head.form != .absolute, head.form != .authority { return routeByHost(head, of: stage, port: port) }
        switch destination(of: head) {
        case .request(let origin, let target): return .named(.routed(stage, origin: origin, target: target, .absolute))
        case .tunnel(let origin): return .named(.tunnel(stage, origin: origin))
        case .nowhere(let failure): return .named(.failed(failure, stage, at: nil))
        }
    }

    /// The proxy speaks plain HTTP, so the scheme is `http`.
    private func routeByHost(_ head: RequestHead, of stage: Stage, port: Int?) -> Route {
        let host = head.fields.first(named: "Host") ?? []
        let bytes = host.span
        guard let place = HostAndPort(bytes, in: 0..<bytes.count) else {
            return .named(.failed(.host(head), stage, at: nil))
        }
        guard let origin = hosts.origin(byHost: bytes, place, for: .http, cameTo: port) else {
            if place.isOwn(in: bytes), place.port != nil, place.port == port, let first = hosts.entries.first {
                return .named(
                    .failed(.ownAddress(head, EscapedText.of(host, limit: 300), leadingTo: first.url), stage, at: nil))
            }
            return .named(.failed(.host(head, hosts.otherPort(bytes, place, for: .http)), stage, at: nil))
        }
        return .named(.routed(stage, origin: origin, target: head.target, .host))
    }

    enum Destination {
        /// The origin, and the target as the origin sees it.
        case request(Int, target: [UInt8])
        case tunnel(Int)
        case nowhere(RoutingFailure)
    }

    /// Whether a CONNECT names the origin that its tunnel leads to.
    func leads(_ head: RequestHead, to origin: Int) -> Bool {
        if case .tunnel(let named) = destination(of: head) { named == origin } else { false }
    }

    func destination(of head: RequestHead) -> Destination {
        let bytes = head.bytes.span
        switch head.form {
        case .origin, .asterisk: return .nowhere(.target(head))
        case .authority:
            guard let place = HostAndPort(bytes, in: head.targetRange) else { return .nowhere(.target(head)) }
            guard let origin = hosts.origin(tunnelled: bytes, place) else {
                return .nowhere(.target(head, hosts.otherPort(bytes, place, for: nil)))
            }
            return reaching(origin) { .tunnel(origin) }
        case .absolute:
            guard let target = AbsoluteTarget(bytes, in: head.targetRange), let scheme = target.scheme,
                let place = HostAndPort(bytes, in: target.authority)
            else { return .nowhere(.target(head)) }
            guard let origin = hosts.origin(bytes, place, for: scheme) else {
                return .nowhere(.target(head, hosts.otherPort(bytes, place, for: scheme)))
            }
            guard scheme == .http else { return .nowhere(.unsecured(head)) }
            return reaching(origin) {
                .request(origin, target: target.originForm(head.bytes, isOptions: head.hasMethod("OPTIONS")))
            }
        }
    }

    private func reaching(_ origin: Int, _ way: () -> Destination) -> Destination {
        let entry = hosts.entries[origin]
        return entry.isSilent ? .nowhere(.silent(entry)) : way()
    }

    /// Whether the request is for the origin, by scheme, host and port (RFC 9110 §7.4); without Host, which only
    /// HTTP/1.0 may omit (RFC 9112 §3.2), the port decides.
    private func isFor(_ origin: Int, _ head: RequestHead) -> Bool {
        let entry = hosts.entries[origin]
        switch head.form {
        case .authority: return true
        case .absolute:
            let bytes = head.bytes.span
            guard let target = AbsoluteTarget(bytes, in: head.targetRange), target.scheme == entry.scheme,
                let place = HostAndPort(bytes, in: target.authority)
            else { return false }
            return entry.isCalled(bytes, place)
        case .origin, .asterisk:
            guard let host = head.fields.first(named: "Host") else { return true }
            let bytes = host.span
            guard let place = HostAndPort(bytes, in: 0..<bytes.count) else { return false }
            return entry.isCalled(bytes, place)
        }
    }
}

extension Scenario {
    /// Whether an origin has a name, so that clients must be told its address.
    var hasNames: Bool { origins.contains { $0.hostName != nil } }
}

enum NamedRoute {
    /// An origin that was found by its name, with the request-target as it sees it.
    case routed(Stage, origin: Int, target: [UInt8], JournalEvent.Routing)
    /// A proxy of the scenario; `hasExchanges`: it has exchanges of its own.
    case proxied(Stage, proxy: Int, hasExchanges: Bool)
    case tunnel(Stage, origin: Int)
    /// A refusal, noted at an origin's port, or at the port of all names (nil).
    case failed(RoutingFailure, Stage, at: Int?)
}
