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
        _ compiled: CompiledScenario, host: SocketAddress?, otherHost: SocketAddress?
    ) async throws -> Run {
        let trust = try await contexts.trust(for: compiled.scenario)
        let shared = configuration.address.with(port: 0)
        let open = { [self] (host: SocketAddress) async throws -> Run in
            try await loop.run {
                let ports = try await RunPorts(
                    for: compiled.scenario, at: host, otherHost: otherHost, firstPort: settings.recording?.firstPort,
                    on: loop, report: configuration.report)
                return run(compiled, ports, trust: trust)
            }
        }
        do {
            return try await open(host ?? shared)
        } catch ServerStartFailure.address(_, let failure) where failure.code == EADDRNOTAVAIL && host != nil {
            return try await open(shared)
        }
    }

    /// On the loop that owns the ports' listeners.
    private func run(_ compiled: CompiledScenario, _ ports: RunPorts, trust: TrustFiles?) -> Run {
        let scenario = compiled.scenario
        let security = scenario.origins.indices.map {
            scenario.security(ofOrigin: $0, inRunOf: settings.wantedProtocol, contexts)
        }
        let router = HostRouter(compiled, authorities: ports.authorities, addresses: ports.addresses)
        let transport = RunTransport(security: security)
        var limits = configuration.limits.journal
        limits.keepsBeginning = settings.bounds != nil
        let stage = Stage(
            compiled: compiled,
            addresses: .origins(
                ports.authorities.map { Array($0.utf8) }, schemes: scenario.origins.map(\.scheme)),
            router: router,
            journal: Journal(
                of: scenario.id, run: id, limits: limits, configuration: configuration,
                judge: DescriptionJudge(of: scenario)),
            startsOver: settings.startsOver, seed: settings.seed ?? configuration.runSeed, reslice: settings.reslice,
            bounds: settings.bounds, wantedProtocol: settings.wantedProtocol,
            // A case of an exam asks for a part of its scenario.
            uses: settings.bounds == nil ? configuration.uses : nil,
            companions: [transport, RunJudging()])
        var accepting: [AcceptLoop.Accepting] = []
        for (index, listener) in ports.listeners.enumerated() {
            guard let listener else { continue }
            accepting.append(accept(listener, .origin(stage, index), security: security[index]))
        }
        if let listener = ports.namesProxy, let router {
            accepting.append(accept(listener, .namesProxy(stage, router)))
        }
        if stage.cookies != nil {
            for listener in ports.listeners + [ports.namesProxy] { listener.map(transport.watch) }
        }
        return Run(
            id: id, stage: stage, authorities: ports.authorities, trust: trust, accepting: accepting,
            heldPorts: ports.held, names: ports.names, namesProxy: ports.namesProxy?.address.description,
            socketFolder: ports.sockets, awaitDuration: configuration.limits.awaitDuration,
            lifeSeconds: settings.lifeSeconds, onEnd: onEnd)
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
    /// Nil for an origin without TLS.
    fileprivate func security(
        ofOrigin index: Int, inRunOf wanted: ApplicationProtocol, _ contexts: TLSContexts
    ) -> ListenerSecurity? {
        guard let program = origins[index].tls(inRunOf: wanted) else { return nil }
        return ListenerSecurity(
            program, canAlert: alerts(at: origins[index]), name: origins[index].hostName, contexts: contexts)
    }
}

/// The ports of one run, bound but not served yet; on the loop's thread only.
struct RunPorts: Sendable {
    /// By origin; nil for one without a server.
    private(set) var listeners: [Listener?] = []
    private(set) var held: [any HeldPort] = []
    /// By origin, as in its URLs.
    private(set) var authorities: [String] = []
    private(set) var names: [Assignment.NamedHost] = []
    /// The origins with names, by the addresses of their ports.
    private(set) var addresses: [String: Int] = [:]
    /// Leads to every name; nil where there are none.
    private(set) var namesProxy: Listener?
    private(set) var sockets: SocketFolder?
    /// The port of the next listener; 0: the system chooses it.
    private var nextPort: UInt16

    /// Binds all ports or none; without `firstPort` the system chooses them.
    init(
        for scenario: Scenario, at host: SocketAddress, otherHost: SocketAddress?, firstPort: UInt16? = nil,
        on loop: EventLoop, report: @escaping @Sendable (String) -> Void
    ) async throws {
        nextPort = firstPort ?? 0
        do {
            try await bindOrigins(scenario, at: host, otherHost: otherHost, on: loop, report: report)
        } catch {
            for listener in listeners { listener?.close() }
            namesProxy?.close()
            throw error
        }
    }

    private mutating func bindOrigins(
        _ scenario: Scenario, at host: SocketAddress, otherHost: SocketAddress?, on loop: EventLoop,
        report: @escaping @Sendable (String) -> Void
    ) async throws {
        if scenario.origins.contains(where: { $0.transport == .unix }) {
            sockets = try Self.orFailure(host) { () throws(CallFailure) in try SocketFolder(report: report) }
        }
        let addresses = OriginAddresses(host: host, otherHost: otherHost, sockets: sockets)
        for (index, origin) in scenario.origins.enumerated() {
            let address = try addresses.address(of: origin, at: index)
            do throws(CallFailure) {
                try await bindOrigin(origin, at: address, on: loop)
            } catch {
                if let refusal = OriginAddresses.refusal(of: origin, error) { throw refusal }
                throw ServerStartFailure.address(address, error)
            }
        }
        guard scenario.hasNames else { return }
        let address = takePort(at: host)
        namesProxy = try Self.orFailure(address) { () throws(CallFailure) in try Listener(on: loop, address: address) }
    }

    private mutating func takePort(at address: SocketAddress) -> SocketAddress {
        guard nextPort > 0 else { return address }
        defer { nextPort += 1 }
        return address.with(port: nextPort)
    }

    private mutating func bindOrigin(
        _ origin: Origin, at address: SocketAddress, on loop: EventLoop
    ) async throws(CallFailure) {
        if let port = try await Self.heldPort(for: origin, host: address, on: loop) {
            listeners.append(nil)
            held.append(port)
            authorities.append(origin.authority(at: port.address.description))
            return
        }
        let listener = try Listener(
            on: loop, address: takePort(at: address), receiveBufferByteCount: origin.receiveBufferByteCount)
        listeners.append(listener)
        let text = listener.address.description
        authorities.append(origin.authority(at: text))
        guard let name = origin.hostName else { return }
        addresses[text] = authorities.count - 1
        names.append(
            Assignment.NamedHost(
                name: name, port: origin.namedPort, address: origin.transport == .unix ? "unix:\(text)" : text))
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
