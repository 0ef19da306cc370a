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
    let desk: TLSDesk
    let onEnd: @Sendable (String) -> Void

    /// `host` is the run's own address where it gets one; when that can't be bound, the server's host is taken.
    ///
    /// Throws ``SecurityRefusal`` where TLS can't be spoken as the scenario wants it.
    func build(_ compiled: CompiledScenario, host: SocketAddress?, startsOver: Bool) async throws -> Run {
        let trust = try await desk.trust(for: compiled.scenario)
        let shared = configuration.address.with(port: 0)
        guard let host else { return try await open(compiled, shared, startsOver, trust) }
        do {
            return try await open(compiled, host, startsOver, trust)
        } catch ServerStartFailure.address(_, let failure) where failure.code == EADDRNOTAVAIL {
            return try await open(compiled, shared, startsOver, trust)
        }
    }

    private func open(
        _ compiled: CompiledScenario, _ host: SocketAddress, _ startsOver: Bool, _ trust: TrustFiles?
    ) async throws -> Run {
        let desk = desk
        let (id, configuration, loop, lifeSeconds, onEnd) = (id, configuration, loop, lifeSeconds, onEnd)
        let reslice = reslice
        return try await loop.run {
            var listeners: [Listener?] = []
            var heldPorts: [any HeldPort] = []
            var authorities: [String] = []
            do throws(CallFailure) {
                for origin in compiled.scenario.origins {
                    let host = Self.address(of: origin, at: host)
                    guard let port = try await Self.heldPort(for: origin, host: host, on: loop) else {
                        let listener = try Listener(
                            on: loop, address: host, receiveBufferByteCount: origin.receiveBufferByteCount)
                        listeners.append(listener)
                        authorities.append(origin.authority(at: listener.address.description))
                        continue
                    }
                    listeners.append(nil)
                    authorities.append(origin.authority(at: port.address.description))
                    heldPorts.append(port)
                }
            } catch {
                for listener in listeners { listener?.close() }
                throw ServerStartFailure.address(host, error)
            }
            let stage = Stage(
                compiled: compiled,
                addresses: .origins(
                    authorities.map { Array($0.utf8) }, schemes: compiled.scenario.origins.map(\.scheme)),
                journal: Journal(
                    encoder: JournalEncoder(scenario: compiled.scenario.id, run: id),
                    limits: configuration.limits.journal, file: configuration.journalFile),
                startsOver: startsOver, reslice: reslice)
            var accepting: [Run.Accepting] = []
            for (index, listener) in listeners.enumerated() {
                guard let listener else { continue }
                let securing = compiled.scenario.securing(ofOrigin: index, desk)
                let acceptLoop = AcceptLoop(
                    listener, endpoint: .origin(stage, index), securing: securing, limits: configuration.limits,
                    report: configuration.report)
                accepting.append(
                    Run.Accepting(
                        loop: acceptLoop, task: Task(executorPreference: loop) { await acceptLoop.run() }))
            }
            return Run(
                id: id, stage: stage, authorities: authorities, trust: trust, accepting: accepting,
                heldPorts: heldPorts, awaitDuration: configuration.limits.awaitDuration,
                lifeSeconds: lifeSeconds, onEnd: onEnd)
        }
    }

    /// Where an origin listens: what is called `localhost` stands where that name leads on every machine.
    private static func address(of origin: Origin, at host: SocketAddress) -> SocketAddress {
        switch (origin.host, host) {
        case (.address, _), (_, .ipv6("::1", _)): host
        case (.localhost, _): .ipv4(host: "127.0.0.1", port: 0)
        }
    }

    /// What stands at the port of an origin that serves nothing; nil for one that serves.
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

extension Scenario {
    /// nil for an origin that speaks plain HTTP, whatever its URLs say.
    fileprivate func securing(ofOrigin index: Int, _ desk: TLSDesk) -> Securing? {
        guard let program = origins[index].tls else { return nil }
        return Securing(program, canAlert: alerts(at: origins[index]), desk: desk)
    }
}
