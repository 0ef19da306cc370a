internal import ProctorBase
package import ProctorFixtures
internal import ProctorHTTP
public import ProctorJournal
public import ProctorLoop
internal import ProctorReplies
public import ProctorScenario
package import ProctorServing
internal import ProctorTLS

/// A running Proctor server: a shared port that serves every scenario, and runs with ports of their own.
///
/// Safe from any thread; works inside any process. ``stop(grace:)`` closes every port and ends every thread.
public final class Server: Sendable {
    /// The configuration that the server was started with.
    public let configuration: ServerConfiguration
    /// The scenarios that the shared port serves and that runs are made from.
    public var catalogue: Catalogue { stages.catalogue }
    /// The address of the shared port; a configured port 0 is replaced by the port that the system chose.
    public let address: SocketAddress
    /// The address at which the shared port speaks TLS; nil where the configuration has none.
    public let tlsAddress: SocketAddress?
    private let group: EventLoopGroup
    private let watch: LoopWatch
    private let contexts: TLSContexts
    private let accepting: [AcceptLoop.Accepting]
    private let controlPorts: ControlPorts
    let runs: RunFactory
    let stages: StandingStages

    /// Binds every address and begins to accept; when the call returns, connections succeed.
    ///
    /// Throws an error that describes the address that can't be bound.
    public static func start(
        _ catalogue: Catalogue, configuration: ServerConfiguration = ServerConfiguration()
    ) async throws -> Server {
        var configuration = configuration
        configuration.limits.usage = ServerUsage()
        configuration.uses = ExchangeUses(packs: configuration.packs)
        configuration.tallies = JournalTallies()
        let watch = LoopWatch(bound: configuration.limits.heldLoopDuration)
        let group = try EventLoopGroup(count: configuration.threadCount, watchedBy: watch)
        do {
            return try await Server(catalogue, configuration, on: group, watchedBy: watch)
        } catch {
            group.stop()
            throw error
        }
    }

    private init(
        _ catalogue: Catalogue, _ configuration: ServerConfiguration, on group: EventLoopGroup,
        watchedBy watch: LoopWatch
    ) async throws {
        let contexts = TLSContexts(configuration)
        do {
            // A caller that asks for a TLS port learns at once why there is none.
            if configuration.tlsAddress != nil { try await contexts.openForLabels() }
        } catch {
            throw ServerStartFailure.tls(error)
        }
        let runs = RunFactory(configuration: configuration, group: group, contexts: contexts)
        let stages = StandingStages(catalogue, rootIDs: configuration.rootScenarios) { scenario, place in
            runs.makeStandingStage(of: scenario, at: place)
        }
        let gate = ControlGate(
            address: configuration.address, token: configuration.token,
            allowedOrigins: Set(configuration.allowedOrigins.map { $0.lowercased() }),
            pages: PagesHost(configuration.pagesHost))
        let log = SharedPortLog(
            journal: Journal(
                of: nil, limits: configuration.limits.standingJournal, configuration: configuration, at: .server))
        let port = SharedPort(
            stages: stages, log: log,
            control: ControlAPI(
                stages: stages, runs: runs, gate: gate, contexts: contexts, journalFile: configuration.journalFile,
                sharedJournal: log.journal, uses: configuration.uses,
                packs: ServedPacks(folder: configuration.packFolder),
                numbers: ServerNumbers(
                    tallies: configuration.tallies, usage: configuration.limits.usage, watch: watch,
                    loopCount: group.loops.count),
                calls: configuration.calls, pages: configuration.pages, report: configuration.examReport),
            contexts: contexts, report: configuration.examReport,
            protocols: configuration.speaksHTTP2 ? [.h2, .http11] : ApplicationProtocol.usual,
            standing: { scenario in await stages.standing(scenario, by: runs) })
        let opened: SharedListeners.Opened
        do {
            try await stages.openRoots()
            opened = try await SharedListeners.open(
                port, configuration: configuration, group: group, contexts: contexts)
        } catch {
            contexts.close()
            throw error
        }
        contexts.setRevocation(RevocationURLs(servedAt: opened.address))
        (self.configuration, self.stages, self.group, self.watch) = (configuration, stages, group, watch)
        self.runs = runs
        accepting = opened.accepting
        self.contexts = contexts
        address = opened.address
        tlsAddress = opened.tlsAddress
        controlPorts = ControlPorts([opened.address] + [opened.tlsAddress].compactMap(\.self))
        let held = HeldLoops(report: configuration.report, sharedJournal: log.journal)
        watch.start(watching: group.loops) { held.record($0) }
    }

    /// The URL of the shared port, without a trailing slash.
    public var base: String { "http://\(address)" }

    /// The https URL of the shared port, without a trailing slash; nil without ``ServerConfiguration/tlsAddress``.
    public var tlsBase: String? { tlsAddress.map { "https://\($0)" } }

    /// The URL by which a browser of this machine opens the pages, without a trailing slash; nil where
    /// ``ServerConfiguration/pagesHost`` does not lead to the server's address.
    public var pagesBase: String? { PagesHost(configuration.pagesHost).base(.http, at: address) }

    /// Path of the certificate (PEM) that clients must trust; made by the first call or the first run with https.
    ///
    /// Throws an error that describes why TLS is not available.
    public func trust() async throws -> String { try await contexts.open().authority.certificatePath }

    /// Opens ports for a scenario of the catalogue; the caller ends the run with ``Run/stop(grace:)``.
    ///
    /// Throws where the id is unknown, its file has errors, a limit is reached, or TLS can't be set up.
    ///
    /// With a seed in `reslice`, each reply without slices or pace of its own is sent in up to 12 slices, which the
    /// peer's system receives one by one; a correct client sees the same reply.
    ///
    /// With `bounds`, a client that exceeds them is refused, and fails every case that is judged. What the run takes at
    /// random depends on `seed` alone; nil: ``ServerConfiguration/seed``, or one that is chosen.
    public func run(
        _ id: String, reslice: UInt64? = nil, bounds: RunBounds? = nil, seed: UInt64? = nil
    ) async throws -> Run {
        try await run(id, speaking: .http11, recutting: reslice.map { .often(seed: $0) }, bounds: bounds, seed: seed)
    }

    /// Opens ports for a scenario of the catalogue, with another protocol at the origins whose fixture says none.
    ///
    /// The caller ends the run. Throws ``ProtocolRefusal`` for a scenario that means nothing over the protocol;
    /// everything else is as in a run without `wanted`.
    package func run(
        _ id: String, speaking wanted: RunProtocol, recutting: Recutting? = nil, bounds: RunBounds? = nil,
        seed: UInt64? = nil, firstPort: UInt16? = nil, recording: WireRecording? = nil
    ) async throws -> Run {
        guard let position = catalogue.position(of: id) else {
            throw ServerStartFailure.unknownScenario(id, nearest: catalogue.nearestID(to: id))
        }
        return try await runs.make(
            catalogue.readCompiled(position),
            RunSettings(
                recutting: recutting, seed: seed.map { RunSeed($0) }, bounds: bounds, wantedProtocol: wanted,
                firstPort: firstPort, recording: recording))
    }

    /// Opens ports for a scenario that need not be in the catalogue; the caller ends the run.
    ///
    /// Errors, `reslice`, `bounds` and `seed` are those of a run by id.
    public func run(
        _ scenario: Scenario, reslice: UInt64? = nil, bounds: RunBounds? = nil, seed: UInt64? = nil
    ) async throws -> Run {
        try await run(
            scenario, speaking: .http11, recutting: reslice.map { .often(seed: $0) }, bounds: bounds, seed: seed)
    }

    /// Opens ports for any scenario, with another protocol at the origins whose fixture says none.
    ///
    /// The caller ends the run; everything else is as in a run without `wanted`.
    package func run(
        _ scenario: Scenario, speaking wanted: RunProtocol, recutting: Recutting? = nil, bounds: RunBounds? = nil,
        seed: UInt64? = nil, firstPort: UInt16? = nil
    ) async throws -> Run {
        try await runs.make(
            CompiledScenario(scenario),
            RunSettings(
                recutting: recutting, seed: seed.map { RunSeed($0) }, bounds: bounds, wantedProtocol: wanted,
                firstPort: firstPort))
    }

    /// Serves another catalogue; unchanged scenarios keep their turns and journals, and runs keep their scenario.
    public func replaceCatalogue(_ catalogue: Catalogue) async {
        // What changed is known when everything was read.
        await catalogue.readAll()
        stages.failedReload = nil
        stages.catalogue.entries.abandon()
        await runs.endStanding(stages.replace(with: catalogue))
    }

    /// Tells in `health` that the files could not be read again, so that the catalogue is the one before.
    package func keepCatalogue(after failure: LoadFailure) { stages.failedReload = failure }

    /// Stops the server: idle connections end at once, busy ones after their reply, all of them after `grace`.
    ///
    /// ``ServerConfiguration/report`` gets a line for each of the first ten connections of an address that are cut at
    /// the end of `grace`.
    public func stop(grace: Duration = .seconds(5)) async {
        for item in accepting { item.loop.stop(grace: grace) }
        await runs.stop(grace: grace)
        for item in accepting { await item.task.value }
        configuration.journalFile?.flush()
        contexts.close()
        group.stop()
        await group.ended()
        watch.stop()
    }

    /// A sentence for each loop whose thread works at this moment; any thread may ask, whatever the loops do.
    package var presentWork: [String] {
        watch.present.map { HeldLoops.sentence(of: $0, HeldLoop($0)) }
    }
}
