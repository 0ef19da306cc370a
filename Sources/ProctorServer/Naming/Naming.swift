internal import ProctorBase
internal import ProctorHTTP
internal import ProctorScenario
internal import ProctorTrace

/// How requests of a run find the origin that they name; nil in a stage where nothing has a name and nothing is a proxy.
final class Naming: Sendable {
    let hosts: DeclaredHosts
    /// By origin: how its connections, and tunnels to it, are secured.
    let securing: [Securing?]
    /// By origin.
    private let places: [Place]
    /// What may be taken from the system at once where it is not known who answers.
    let portionByteCount: Int

    /// What an origin's own port is.
    private enum Place: Sendable {
        /// It answers whatever it is called.
        case plain
        /// It has a name, and answers to no other.
        case named
        /// A proxy; whether it has exchanges of its own.
        case proxy(hasExchanges: Bool)
    }

    /// nil where every origin answers by itself, whatever it is called.
    init?(_ compiled: CompiledScenario, authorities: [String], securing: [Securing?]) {
        let scenario = compiled.scenario
        guard scenario.hasNames || scenario.origins.contains(where: { $0.role == .proxy }) else { return nil }
        hosts = DeclaredHosts(scenario.origins, authorities: authorities)
        self.securing = securing
        places = scenario.origins.indices.map { index in
            let origin = scenario.origins[index]
            if origin.role == .proxy {
                return .proxy(hasExchanges: scenario.exchanges.contains { $0.origin == index })
            }
            return origin.hostName == nil ? .plain : .named
        }
        portionByteCount = scenario.origins.indices.map(compiled.portionByteCount).min() ?? .max
    }

    func isProxy(_ origin: Int) -> Bool {
        if case .proxy = places[origin] { true } else { false }
    }

    // MARK: Routes

    /// At an origin's own port, or in a tunnel to it.
    func route(_ head: RequestHead, at origin: Int, of stage: Stage, checksHost: Bool) -> Route {
        switch places[origin] {
        case .plain: break
        case .named:
            guard !checksHost || isFor(origin, head) else {
                return .named(.stranger(.otherHost(head, than: hosts.entries[origin]), stage, at: origin))
            }
        case .proxy(let hasExchanges):
            if head.form == .absolute || head.form == .authority {
                return .named(.proxied(stage, proxy: origin, hasExchanges: hasExchanges))
            }
        }
        return .stage(stage, origin: origin, target: head.target)
    }

    /// At the front door, which leads to every name; `port` is its own.
    func routeAtDoor(_ head: RequestHead, of stage: Stage, port: Int?) -> Route {
        if head.form != .absolute, head.form != .authority { return routeByHost(head, of: stage, port: port) }
        switch destination(of: head) {
        case .request(let origin, let target): return .named(.routed(stage, origin: origin, target: target, .absolute))
        case .tunnel(let origin): return .named(.tunnel(stage, origin: origin))
        case .nowhere(let stranger): return .named(.stranger(stranger, stage, at: nil))
        }
    }

    /// The door speaks plain HTTP, so nothing else can be meant.
    private func routeByHost(_ head: RequestHead, of stage: Stage, port: Int?) -> Route {
        let host = head.fields.first(named: "Host") ?? []
        let bytes = host.span
        guard let place = HostAndPort(bytes, in: 0..<bytes.count) else {
            return .named(.stranger(.host(head), stage, at: nil))
        }
        guard let origin = hosts.origin(byHost: bytes, place, .http, cameTo: port) else {
            if place.isOwn(in: bytes), place.port != nil, place.port == port, let first = hosts.entries.first {
                return .named(
                    .stranger(.door(head, EscapedText.of(host, limit: 300), leadingTo: first.url), stage, at: nil))
            }
            return .named(.stranger(.host(head, hosts.otherPort(.http, bytes, place)), stage, at: nil))
        }
        return .named(.routed(stage, origin: origin, target: head.target, .host))
    }

    /// Where a request leads that a proxy is sent.
    enum Destination {
        /// The origin, and the target as it sees it.
        case request(Int, target: [UInt8])
        case tunnel(Int)
        case nowhere(Stranger)
    }

    func destination(of head: RequestHead) -> Destination {
        let bytes = head.bytes.span
        switch head.form {
        case .origin, .asterisk: return .nowhere(.target(head))
        case .authority:
            guard let place = HostAndPort(bytes, in: head.targetRange) else { return .nowhere(.target(head)) }
            guard let origin = hosts.origin(tunnelled: bytes, place) else {
                return .nowhere(.target(head, hosts.otherPort(nil, bytes, place)))
            }
            return reaching(origin) { .tunnel(origin) }
        case .absolute:
            guard let target = AbsoluteTarget(bytes, in: head.targetRange), let scheme = target.scheme,
                let place = HostAndPort(bytes, in: target.authority)
            else { return .nowhere(.target(head)) }
            guard let origin = hosts.origin(scheme, bytes, place) else {
                return .nowhere(.target(head, hosts.otherPort(scheme, bytes, place)))
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

    /// Whether the request is for the origin; it answers for no other scheme, host or port (RFC 9110 §7.4).
    ///
    /// Without Host, which only HTTP/1.0 may leave out (RFC 9112 §3.2), nothing but the port says whom it is for.
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
    /// Whether any origin is called by a name, so that clients have to be told where it stands.
    var hasNames: Bool { origins.contains { $0.hostName != nil } }
}
