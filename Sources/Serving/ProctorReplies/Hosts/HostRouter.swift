internal import ProctorBase
package import ProctorHTTP
internal import ProctorJournal
package import ProctorScenario

package final class HostRouter: Sendable {
    package let hosts: DeclaredHosts
    package let roles: [Role]
    /// The most bytes to take from the system at once while the origin is unknown.
    package let portionByteCount: Int

    /// The origins with names by the addresses of their ports, for clients of SOCKS that have looked a name up.
    private let addresses: [String: Int]
    /// The port at which a client that has looked the origin's name up reaches it, by origin; empty where none is to.
    private let ownPorts: [Int?]

    package enum Role: Sendable {
        case plain
        /// The origin has a name, and answers for no other.
        case named
        /// A proxy; whether it has exchanges of its own.
        case proxy(hasExchanges: Bool)
    }

    /// Nil where every origin answers for any host.
    package init?(
        _ compiled: CompiledScenario, authorities: [String], addresses: [String: Int] = [:], ownPorts: [Int?] = []
    ) {
        let scenario = compiled.scenario
        self.ownPorts = ownPorts
        guard scenario.hasNames || scenario.origins.contains(where: { $0.role == .proxy }) else { return nil }
        hosts = DeclaredHosts(scenario.origins, authorities: authorities)
        self.addresses = scenario.origins.contains { $0.socks != nil } ? addresses : [:]
        roles = scenario.origins.indices.map { index in
            let origin = scenario.origins[index]
            if origin.role == .proxy {
                return .proxy(hasExchanges: scenario.exchanges.contains { $0.origin == index })
            }
            return origin.hostName == nil ? .plain : .named
        }
        portionByteCount = scenario.origins.indices.map(compiled.portionByteCount).min() ?? .max
    }

    package func isProxy(_ origin: Int) -> Bool {
        if case .proxy = roles[origin] { true } else { false }
    }

    package enum Destination {
        /// The origin, and the target as the origin sees it.
        case request(Int, target: [UInt8])
        case tunnel(Int)
        case nowhere(RoutingFailure)
    }

    /// Whether a CONNECT names the origin that its tunnel leads to.
    package func leads(_ head: RequestHead, to origin: Int) -> Bool {
        if case .tunnel(let named) = destination(of: head) { named == origin } else { false }
    }

    package func destination(of head: RequestHead) -> Destination {
        let bytes = head.bytes.span
        switch head.form {
        case .origin, .asterisk: return .nowhere(.target(head))
        case .authority:
            guard let place = HostAndPort(bytes, in: head.targetRange) else { return .nowhere(.target(head)) }
            let address = addresses.isEmpty ? nil : addresses[String(decoding: head.targetBytes, as: UTF8.self)]
            guard let origin = hosts.tunnelOrigin(bytes, place) ?? address else {
                return .nowhere(.target(head, hosts.otherPort(bytes, place, for: nil)))
            }
            return reaching(origin) { .tunnel(origin) }
        case .absolute:
            guard let target = AbsoluteTarget(bytes, in: head.targetRange),
                let scheme = Scheme(of: target, in: bytes),
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
    package func isFor(_ origin: Int, _ head: RequestHead) -> Bool {
        let entry = hosts.entries[origin]
        switch head.form {
        case .authority: return true
        case .absolute:
            let bytes = head.bytes.span
            guard let target = AbsoluteTarget(bytes, in: head.targetRange),
                Scheme(of: target, in: bytes) == entry.scheme,
                let place = HostAndPort(bytes, in: target.authority)
            else { return false }
            return entry.isCalled(bytes, place)
        case .origin, .asterisk:
            guard let host = head.fields.first(named: "Host") else { return true }
            let bytes = host.span
            guard let place = HostAndPort(bytes, in: 0..<bytes.count) else { return false }
            return entry.isCalled(bytes, place) || isLookedUp(bytes, place, at: origin)
        }
    }

    /// Whether a client that has looked the name up may say this port: the real one, or, behind the port of an HTTPS
    /// record, that of another origin with the name (RFC 9460 §7.2).
    private func isLookedUp(_ bytes: Span<UInt8>, _ place: HostAndPort, at origin: Int) -> Bool {
        guard ownPorts.indices.contains(origin), hosts.entries[origin].hasHost(bytes, place) else { return false }
        return place.port.map { ownPorts[origin] == $0 } ?? false
            || hosts.entries.contains { $0.scheme == hosts.entries[origin].scheme && $0.isCalled(bytes, place) }
    }
}

extension Scenario {
    /// Whether an origin has a name, so that clients must be told its address.
    package var hasNames: Bool { origins.contains { $0.hostName != nil } }
}
