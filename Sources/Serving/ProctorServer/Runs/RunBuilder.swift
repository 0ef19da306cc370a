internal import ProctorBase
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorProgram
internal import ProctorReplies
internal import ProctorScenario
internal import ProctorServing

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

struct RunBuilder {
    let id: String
    let settings: RunSettings
    let configuration: ServerConfiguration
    let loop: EventLoop
    let contexts: TLSContexts
    let onEnd: @Sendable (String) -> Void

    /// `host` is the run's own address; when that can't be bound, the server's host is used.
    ///
    /// Throws ``SecurityRefusal`` where TLS is not available, ``HostRefusal`` where an origin can't have its address.
    func build(
        _ compiled: CompiledScenario, host: SocketAddress?, otherHost: SocketAddress?,
        spares: [SocketAddress] = []
    ) async throws -> Run {
        let trust = try await contexts.trust(for: compiled.scenario)
        let shared = configuration.address.with(port: 0)
        let open = { [self] (host: SocketAddress) async throws -> Run in
            try await loop.run {
                let ports = try await RunPorts(
                    for: compiled.scenario, at: host, otherHost: otherHost, spares: spares,
                    firstPort: settings.firstPort, speaking: settings.wantedProtocol,
                    on: loop, report: configuration.report)
                return try run(compiled, ports, trust: trust)
            }
        }
        do {
            return try await open(host ?? shared)
        } catch ServerStartFailure.address(_, let failure) where failure.code == EADDRNOTAVAIL && host != nil {
            return try await open(shared)
        }
    }

    /// On the loop that owns the ports' listeners.
    private func run(
        _ compiled: CompiledScenario, _ ports: RunPorts, trust: TrustFiles?
    ) throws(ServerStartFailure) -> Run {
        let scenario = compiled.scenario
        let security = scenario.origins.indices.map {
            scenario.security(ofOrigin: $0, inRunOf: settings.wantedProtocol, contexts)
        }
        let router = HostRouter(
            compiled, authorities: ports.authorities, addresses: ports.addresses,
            ownPorts: scenario.hasResolver ? ports.bound.map { $0.port.map(Int.init) } : [])
        let transport = RunTransport(security: security)
        var limits = configuration.limits.journal
        limits.keepsBeginning = settings.bounds != nil
        let stage = Stage(
            compiled: compiled,
            addresses: .origins(
                ports.authorities.map { Array($0.utf8) }, schemes: scenario.origins.map(\.scheme)),
            router: router,
            journal: Journal(
                of: scenario.id, run: id, limits: limits, configuration: configuration, at: .run,
                judge: scenario.service?.judge(of: scenario)),
            startsOver: settings.startsOver, seed: settings.seed ?? configuration.runSeed,
            recutting: settings.recutting,
            bounds: settings.bounds, wantedProtocol: settings.wantedProtocol,
            // A case of an exam asks for a part of its scenario.
            uses: settings.bounds == nil ? configuration.uses : nil,
            companions: [transport, RunJudging()])
        let responder = try responder(of: stage, ports)
        var accepting: [AcceptLoop.Accepting] = []
        for (index, listener) in ports.listeners.enumerated() {
            guard let listener else { continue }
            accepting.append(accept(listener, .origin(stage, index), security: security[index]))
        }
        if let listener = ports.namesProxy, let router {
            accepting.append(accept(listener, .namesProxy(stage, router)))
        }
        if stage.speaksHTTP3 { accepting += try http3Ports(of: stage, ports, security) }
        if stage.cookies != nil {
            for listener in ports.listeners + [ports.namesProxy] { listener.map(transport.watch) }
        }
        return Run(
            id: id, stage: stage, authorities: ports.authorities, trust: trust, accepting: accepting,
            heldPorts: ports.held, names: ports.names, namesProxy: ports.namesProxy?.address.description,
            responder: responder.map { RunningResponder($0) }, socketFolder: ports.sockets,
            awaitDuration: configuration.limits.awaitDuration,
            lifeSeconds: settings.lifeSeconds, onEnd: onEnd)
    }

    /// The server of DNS of a scenario that asks for names, or whose names have several addresses.
    private func responder(of stage: Stage, _ ports: RunPorts) throws(ServerStartFailure) -> (any NameServer)? {
        let scenario = stage.scenario
        // Without the module the reader refuses such scenarios.
        guard scenario.hasResolver, let open = NameServers.slot.part else { return nil }
        let host = SocketAddress.ipv4(host: "127.0.0.1", port: 0)
        do throws(CallFailure) {
            return try open(host, stage, ports.bound, loop).get()
        } catch {
            for listener in ports.listeners + [ports.namesProxy] { listener?.close() }
            throw .address(host, error)
        }
    }

    /// The UDP ports of origins that speak HTTP/3, by the numbers of their ports.
    private func http3Ports(
        of stage: Stage, _ ports: RunPorts, _ security: [ListenerSecurity?]
    ) throws(ServerStartFailure) -> [AcceptLoop.Accepting] {
        var opened: [any ServedPort] = []
        for index in stage.scenario.origins.indices where stage.protocols(ofOrigin: index).contains(.h3) {
            guard let http3 = configuration.http3, let security = security[index] else { continue }
            do throws(CallFailure) {
                opened.append(
                    try http3.open(
                        on: loop, at: ports.bound[index], endpoint: .origin(stage, index), security: security,
                        bounds: ConnectionBounds(configuration.limits)))
            } catch {
                for port in opened { port.close() }
                for listener in ports.listeners + [ports.namesProxy] { listener?.close() }
                throw .address(ports.bound[index], error)
            }
        }
        return opened.map { $0.start() }
    }

    private func accept(
        _ listener: Listener, _ endpoint: Endpoint, security: ListenerSecurity? = nil
    ) -> AcceptLoop.Accepting {
        AcceptLoop(
            listener, endpoint: endpoint, security: security, bounds: ConnectionBounds(configuration.limits),
            recording: settings.recording, report: configuration.report
        ).start()
    }
}

extension Scenario {
    /// Whether its runs have a server of DNS.
    fileprivate var hasResolver: Bool { dns != nil || origins.contains { $0.addresses != nil } }

    /// Nil for an origin without TLS.
    fileprivate func security(
        ofOrigin index: Int, inRunOf wanted: RunProtocol, _ contexts: TLSContexts
    ) -> ListenerSecurity? {
        guard let program = origins[index].tls(inRunOf: wanted) else { return nil }
        return ListenerSecurity(
            program, canAlert: alerts(at: origins[index]),
            name: origins[index].hostName ?? origins.first { $0.addresses?.contains(index) ?? false }?.hostName,
            contexts: contexts)
    }
}

/// The ports of one run, bound but not served yet; on the loop's thread only.
struct RunPorts: Sendable {
    /// The listener of an origin, by origin; nil for an origin without a server.
    private(set) var listeners: [Listener?] = []
    private(set) var held: [any HeldPort] = []
    /// The authority of an origin as in its URLs, by origin.
    private(set) var authorities: [String] = []
    private(set) var names: [Assignment.NamedHost] = []
    /// The origins with names, by the addresses of their ports.
    private(set) var addresses: [String: Int] = [:]
    /// Leads to every name; nil where there are none.
    private(set) var namesProxy: Listener?
    private(set) var sockets: SocketFolder?
    /// The address of an origin's port, by origin.
    private(set) var bound: [SocketAddress] = []
    /// The port that a group of origins shares, by group.
    private var groupPorts: [Int: UInt16] = [:]
    /// What origins without `protocols` of their own speak.
    private let wanted: RunProtocol
    /// The port of the next listener; 0: the system chooses it.
    private var nextPort: UInt16

    /// Binds all ports or none; without `firstPort` the system chooses them.
    init(
        for scenario: Scenario, at host: SocketAddress, otherHost: SocketAddress?, spares: [SocketAddress] = [],
        firstPort: UInt16? = nil, speaking wanted: RunProtocol, on loop: EventLoop,
        report: @escaping @Sendable (String) -> Void
    ) async throws {
        self.wanted = wanted
        nextPort = firstPort ?? 0
        if scenario.origins.contains(where: { $0.transport == .unix }) {
            sockets = try Self.orFailure(host) { () throws(CallFailure) in try SocketFolder(report: report) }
        }
        let groups = AddressGroups(of: scenario)
        let addresses = OriginAddresses(
            host: host, otherHost: otherHost, groups: groups, spares: spares, sockets: sockets)
        var left = groups.isEmpty ? 0 : Self.mostRetries
        while true {
            do {
                try await bindOrigins(scenario, addresses, on: loop)
                return
            } catch {
                for listener in listeners { listener?.close() }
                namesProxy?.close()
                // A port that the system chose at one address was not free at another one.
                guard left > 0, case ServerStartFailure.address(_, let failure) = error, failure.code == EADDRINUSE
                else { throw error }
            }
            left -= 1
            (listeners, held, authorities, names, bound) = ([], [], [], [], [])
            (self.addresses, groupPorts, nextPort) = ([:], [:], firstPort ?? 0)
        }
    }

    /// How often all ports are bound again.
    private static let mostRetries = 16

    private mutating func bindOrigins(
        _ scenario: Scenario, _ addresses: OriginAddresses, on loop: EventLoop
    ) async throws {
        for (index, origin) in scenario.origins.enumerated() {
            var address = try addresses.address(of: origin, at: index)
            let group = addresses.groups.group(of: index)
            if let port = group.flatMap({ groupPorts[$0] }) { address = address.with(port: port) }
            do throws(CallFailure) {
                try await bindOrigin(origin, at: address, on: loop)
            } catch {
                if let refusal = addresses.refusal(of: origin, at: index, error) { throw refusal }
                throw ServerStartFailure.address(address, error)
            }
            if let group { groupPorts[group] = bound[index].port }
        }
        nameHosts(scenario)
        guard scenario.hasNames else { return }
        let address = takePort(at: addresses.host)
        namesProxy = try Self.orFailure(address) { () throws(CallFailure) in try Listener(on: loop, address: address) }
    }

    private mutating func takePort(at address: SocketAddress) -> SocketAddress {
        guard nextPort > 0, address.port == 0 else { return address }
        defer { nextPort += 1 }
        return address.with(port: nextPort)
    }

    private mutating func bindOrigin(
        _ origin: Origin, at address: SocketAddress, on loop: EventLoop
    ) async throws(CallFailure) {
        // At a port of HTTP/3 alone, TCP is refused.
        let isOfDatagrams = origin.role == .server && origin.speaksHTTP3Alone(inRunOf: wanted)
        var held: (any HeldPort)?
        if isOfDatagrams {
            held = try ClosedPort(host: address)
        } else {
            held = try await Self.heldPort(for: origin, host: address, on: loop)
        }
        if let port = held {
            listeners.append(nil)
            self.held.append(port)
            bound.append(port.address)
            let text = port.address.description
            authorities.append(origin.authority(at: text))
            if isOfDatagrams, origin.hostName != nil { addresses[text] = authorities.count - 1 }
            return
        }
        let listener = try Listener(
            on: loop, address: takePort(at: address), receiveBufferByteCount: origin.receiveBufferByteCount)
        listeners.append(listener)
        bound.append(listener.address)
        let text = listener.address.description
        authorities.append(origin.authority(at: text))
        if origin.hostName != nil { addresses[text] = authorities.count - 1 }
    }

    /// What clients are told of names, when all ports are bound.
    private mutating func nameHosts(_ scenario: Scenario) {
        for (index, origin) in scenario.origins.enumerated() {
            guard let name = origin.hostName else { continue }
            let places = (origin.addresses ?? [index]).filter(bound.indices.contains)
            let texts = places.map { origin.transport == .unix ? "unix:\(bound[$0])" : "\(bound[$0])" }
            var named = Assignment.NamedHost(name: name, port: origin.namedPort, address: texts.first ?? "")
            // With `dns` a client has to ask for them.
            if scenario.dns == nil, origin.addresses != nil { named.addresses = texts }
            names.append(named)
        }
    }

    private static func orFailure<Result>(
        _ address: SocketAddress, _ body: () throws(CallFailure) -> Result
    ) throws(ServerStartFailure) -> Result {
        do throws(CallFailure) {
            return try body()
        } catch {
            throw .address(address, error)
        }
    }

    /// The socket that reserves the port of an origin without a server; nil for an origin with one.
    private static func heldPort(
        for origin: Origin, host: SocketAddress, on loop: EventLoop
    ) async throws(CallFailure) -> (any HeldPort)? {
        switch origin.role {
        case .server, .proxy: nil
        case .closed: try ClosedPort(host: host)
        case .unaccepting: try UnacceptingPort(host: host, receiveBufferByteCount: origin.receiveBufferByteCount)
        case .unreachable: try await UnreachablePort.open(host: host, on: loop)
        }
    }
}
