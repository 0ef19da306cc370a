internal import ProctorBase
internal import ProctorLoop
internal import ProctorScenario
internal import ProctorTrace

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Opens the ports of one run.
struct RunBuilder {
    let id: String
    let configuration: ServerConfiguration
    let loop: EventLoop
    /// After which a run without activity may be ended; nil: never.
    let lifeSeconds: Int?
    /// The seed by which replies without slices of their own are cut; nil: they are not.
    let reslice: UInt64?
    /// nil: it answers for ever.
    let bounds: RunBounds?
    let desk: TLSDesk
    let onEnd: @Sendable (String) -> Void

    /// `host` is the run's own address where it gets one; when that can't be bound, the server's host is taken.
    ///
    /// Throws ``SecurityRefusal`` where TLS can't be spoken as the scenario wants it, ``HostRefusal`` where an origin
    /// can't have its address here.
    func build(
        _ compiled: CompiledScenario, host: SocketAddress?, otherHost: SocketAddress?, startsOver: Bool
    ) async throws -> Run {
        let trust = try await desk.trust(for: compiled.scenario)
        let shared = configuration.address.with(port: 0)
        guard let host else { return try await open(compiled, shared, otherHost, startsOver, trust) }
        do {
            return try await open(compiled, host, otherHost, startsOver, trust)
        } catch ServerStartFailure.address(_, let failure) where failure.code == EADDRNOTAVAIL {
            return try await open(compiled, shared, otherHost, startsOver, trust)
        }
    }

    private func open(
        _ compiled: CompiledScenario, _ host: SocketAddress, _ otherHost: SocketAddress?, _ startsOver: Bool,
        _ trust: TrustFiles?
    ) async throws -> Run {
        let builder = self
        return try await loop.run {
            let ports = try await RunPorts.open(
                for: compiled.scenario, host, otherHost, on: builder.loop, report: builder.configuration.report)
            return builder.run(compiled, ports, startsOver, trust)
        }
    }

    /// On the loop, whose listeners the ports are.
    private func run(_ compiled: CompiledScenario, _ ports: RunPorts, _ startsOver: Bool, _ trust: TrustFiles?) -> Run {
        let scenario = compiled.scenario
        let securing = scenario.origins.indices.map { scenario.securing(ofOrigin: $0, desk) }
        let naming = Naming(compiled, authorities: ports.authorities, securing: securing)
        var limits = configuration.limits.journal
        limits.keepsBeginning = bounds != nil
        let stage = Stage(
            compiled: compiled,
            addresses: .origins(
                ports.authorities.map { Array($0.utf8) }, schemes: scenario.origins.map(\.scheme)),
            naming: naming,
            journal: Journal(
                encoder: JournalEncoder(scenario: scenario.id, run: id), limits: limits,
                file: configuration.journalFile,
                faults: configuration.faults.map { FaultNotes(faults: $0, scenario: scenario.id) },
                lines: configuration.requestLines?.source(scenario: scenario.id, run: id)),
            startsOver: startsOver, reslice: reslice, bounds: bounds)
        var accepting: [Run.Accepting] = []
        for (index, listener) in ports.listeners.enumerated() {
            guard let listener else { continue }
            accepting.append(accept(listener, .origin(stage, index), securing[index]))
        }
        if let door = ports.door, let naming { accepting.append(accept(door, .door(stage, naming))) }
        if let cookies = stage.cookies {
            for listener in ports.listeners + [ports.door] { listener.map(cookies.watch) }
        }
        return Run(
            id: id, stage: stage, authorities: ports.authorities, trust: trust, accepting: accepting,
            heldPorts: ports.held, names: ports.names, namesProxy: ports.door?.address.description,
            socketFolder: ports.sockets, awaitDuration: configuration.limits.awaitDuration,
            lifeSeconds: lifeSeconds, onEnd: onEnd)
    }

    private func accept(_ listener: Listener, _ endpoint: Endpoint, _ securing: Securing? = nil) -> Run.Accepting {
        let acceptLoop = AcceptLoop(
            listener, endpoint: endpoint, securing: securing, limits: configuration.limits,
            report: configuration.report)
        return Run.Accepting(loop: acceptLoop, task: Task(executorPreference: loop) { await acceptLoop.run() })
    }
}

extension Scenario {
    /// nil for an origin that speaks plain HTTP, whatever its URLs say.
    fileprivate func securing(ofOrigin index: Int, _ desk: TLSDesk) -> Securing? {
        guard let program = origins[index].tls else { return nil }
        return Securing(
            program, canAlert: alerts(at: origins[index]), name: origins[index].hostName, desk: desk)
    }
}
