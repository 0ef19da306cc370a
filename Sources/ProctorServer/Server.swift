internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
public import ProctorLoop
public import ProctorScenario
internal import ProctorTLS

/// A running Proctor: the shared port with its standing mounts, and runs with ports of their own.
///
/// Safe from any thread.
///
/// A server works inside any process; ``stop(grace:)`` gives every port and thread back.
public final class Server: Sendable {
    /// As it was started with.
    public let configuration: ServerConfiguration
    /// What is served on the shared port and what runs are made from.
    public var catalogue: Catalogue { stages.catalogue }
    /// Where the shared port listens, with the port the system chose if it was asked to.
    public let address: SocketAddress
    /// Where the shared port speaks TLS; nil where it was not asked to.
    public let tlsAddress: SocketAddress?
    private let group: EventLoopGroup
    private let contexts: TLSContexts
    private let accepting: [Run.Accepting]
    private let runs: RunFactory
    private let stages: StandingStages
    private let housekeeping: Task<Void, Never>
    /// What ``signals(_:)`` has given; open handles would keep a loop from ending.
    private let caught = Locked<[Signals]>([])

    /// Binds every address and begins to accept; when it returns, connections succeed.
    ///
    /// Throws ``ServerStartFailure`` when an address can't be had.
    public static func start(
        _ catalogue: Catalogue, configuration: ServerConfiguration = ServerConfiguration()
    ) async throws -> Server {
        let group = try EventLoopGroup(count: configuration.threadCount)
        do {
            return try await Server(catalogue, configuration, on: group)
        } catch {
            group.stop()
            throw error
        }
    }

    private init(_ catalogue: Catalogue, _ configuration: ServerConfiguration, on group: EventLoopGroup) async throws {
        let contexts = TLSContexts(configuration)
        do {
            // A caller that asks for a TLS port is told at once why there is none.
            if configuration.tlsAddress != nil { _ = try await contexts.open() }
        } catch {
            throw ServerStartFailure.tls(error)
        }
        let runs = RunFactory(configuration: configuration, group: group, contexts: contexts)
        let stages = StandingStages(catalogue) { compiled in
            Self.standingStage(of: compiled, configuration, run: runs.takeID())
        }
        let gate = ControlGate(
            address: configuration.address, token: configuration.token,
            allowedOrigins: Set(configuration.allowedOrigins.map { $0.lowercased() }))
        let port = SharedPort(
            stages: stages,
            log: SharedPortLog(
                journal: Journal(
                    encoder: JournalEncoder(), limits: configuration.limits.standingJournal,
                    file: configuration.journalFile,
                    faults: configuration.faults.map { FaultNotes(faults: $0, scenario: nil) },
                    lines: configuration.requestLines?.source(scenario: nil))),
            control: ControlAPI(
                shelf: stages, runs: runs, gate: gate, desk: contexts, journalFile: configuration.journalFile),
            contexts: contexts,
            standing: { scenario in await runs.standing(scenario, in: stages.catalogue) })
        let opened: SharedListeners.Opened
        do {
            opened = try await SharedListeners.open(
                port, configuration: configuration, group: group, contexts: contexts)
        } catch {
            contexts.close()
            throw error
        }
        contexts.setRevocation(RevocationURLs(servedAt: opened.address))
        self.configuration = configuration
        self.stages = stages
        self.group = group
        self.runs = runs
        accepting = opened.accepting
        self.contexts = contexts
        address = opened.address
        tlsAddress = opened.tlsAddress
        let loop = group.loops[0]
        let file = configuration.journalFile
        // Owned by the server, which cancels it in ``stop(grace:)`` and waits for it.
        housekeeping = Task(executorPreference: loop) {
            var round = 0
            while await loop.sleep(for: .milliseconds(250)) {
                file?.flush()
                round = (round + 1) % 4
                if round == 0 { await runs.sweep() }
                if MemoryReturn.isWorth {
                    await withTaskExecutorPreference(globalConcurrentExecutor) { await Self.returnMemory() }
                }
            }
        }
    }

    @concurrent
    private static func returnMemory() async { MemoryReturn.returnIfWorth() }

    /// `run` is its id as a run without ports of its own.
    private static func standingStage(
        of compiled: CompiledScenario, _ configuration: ServerConfiguration, run: String
    ) -> Stage {
        let id = compiled.scenario.id
        return Stage(
            compiled: compiled,
            addresses: .mount(path: Array("/\(id)".utf8), fallbackAuthority: Array("localhost".utf8)),
            journal: Journal(
                encoder: JournalEncoder(scenario: id, run: run), limits: configuration.limits.standingJournal,
                file: configuration.journalFile,
                faults: configuration.faults.map { FaultNotes(faults: $0, scenario: id) },
                lines: configuration.requestLines?.source(scenario: id, run: run)),
            startsOver: true, run: run)
    }

    /// The URL of the shared port, without a slash at its end.
    public var base: String { "http://\(address)" }

    /// The same over TLS; nil where it was not asked for.
    public var tlsBase: String? { tlsAddress.map { "https://\($0)" } }

    /// Path of the certificate (PEM) that clients are to trust; made at the first call or the first run with https.
    ///
    /// Throws ``SecurityRefusal`` where there can be none.
    public func trust() async throws -> String { try await contexts.open().authority.certificatePath }

    /// Gives a scenario a life of its own; the caller ends it.
    ///
    /// Throws ``SecurityRefusal`` where it wants TLS as it can't be spoken here.
    ///
    /// With a seed in `reslice`, every reply that has neither slices nor pace of its own is sent in up to 12 slices, which
    /// the peer's system gets one by one: a client must take it as if it had come whole.
    ///
    /// With `bounds` a client that repeats itself without end is refused, and fails every case that is judged.
    public func run(_ id: String, reslice: UInt64? = nil, bounds: RunBounds? = nil) async throws -> Run {
        guard let position = catalogue.position(of: id) else {
            throw ServerStartFailure.unknownScenario(id, nearest: catalogue.nearestID(to: id))
        }
        return try await runs.make(
            catalogue.compiled(at: position), startsOver: false, reslice: reslice, bounds: bounds)
    }

    /// Gives a scenario that need not be in the catalogue a life of its own; the caller ends it.
    ///
    /// Errors, seed and bounds are those of a scenario that is called by its id.
    public func run(_ scenario: Scenario, reslice: UInt64? = nil, bounds: RunBounds? = nil) async throws -> Run {
        try await runs.make(CompiledScenario(scenario), startsOver: false, reslice: reslice, bounds: bounds)
    }

    /// Serves another catalogue from now on; what did not change keeps its turns and journals, runs go on as they began.
    public func replaceCatalogue(_ catalogue: Catalogue) async {
        await runs.endStanding(stages.replace(with: catalogue))
    }

    /// Ends everything: idle connections at once, others after their reply, all of them after `grace`.
    ///
    /// What the end of a grace cuts is told to ``ServerConfiguration/report``, a line for each of the first ten connections
    /// of an address.
    public func stop(grace: Duration = .seconds(5)) async {
        for item in accepting { item.loop.stop(grace: grace) }
        await runs.stop(grace: grace)
        for item in accepting { await item.task.value }
        for signals in caught.withLock({ $0 }) { await signals.close() }
        housekeeping.cancel()
        await housekeeping.value
        configuration.journalFile?.flush()
        contexts.close()
        group.stop()
        await group.ended()
    }
}

extension Server {
    /// Unix signals as events, for a process that runs a server.
    public func signals(_ numbers: [Int32]) async throws -> Signals {
        let loop = group.loops[0]
        let signals = try await loop.run { Signals(source: try SignalSource(numbers, on: loop), loop: loop) }
        caught.withLock { $0.append(signals) }
        return signals
    }

    /// Signals that arrive on a server's loop.
    public struct Signals: Sendable {
        let source: SignalSource
        let loop: EventLoop

        /// The number of the next one; nil after ``close()``.
        public func next() async -> Int32? {
            try? await loop.run { await source.next() }
        }

        /// Gives the signals their default action back.
        public func close() async {
            try? await loop.run { source.close() }
        }
    }
}
