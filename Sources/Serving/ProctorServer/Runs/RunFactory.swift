internal import ProctorBase
internal import ProctorCrypto
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorScenario
internal import ProctorServing

struct RunSettings: Sendable {
    var startsOver = false
    /// Seconds without activity after which the run ends; nil: never.
    var lifeSeconds: Int?
    /// How replies without slices of their own are cut; nil: they are not.
    var recutting: Recutting?
    /// Nil: that of the configuration, or one that is chosen.
    var seed: RunSeed?
    /// Nil: without bounds.
    var bounds: RunBounds?
    /// What origins without `protocols` of their own speak.
    var wantedProtocol = RunProtocol.http11
    /// The port of the first origin, whose neighbours the next ones have; nil: the system chooses all ports.
    var firstPort: UInt16?
    /// Nil: what is sent is not noted.
    var recording: WireRecording?
}

/// Makes and counts runs, and keeps the standing runs of scenarios that need a root.
final class RunFactory: Sendable {
    private let configuration: ServerConfiguration
    private let group: EventLoopGroup
    private let addresses: RunAddressPool
    private let contexts: TLSContexts
    private let state = Locked(State())

    private struct State {
        var nextNumber = 1
        var isStopped = false
        var living: [String: Run] = [:]
        var making: [Int: Task<Run, any Error>] = [:]
        var standing: [String: Task<Result<Run, SharedPort.StandingFailure>, Never>] = [:]
        /// The id of the standing run of a scenario, by the scenario's id.
        var standingRun: [String: String] = [:]
        /// Ends forgotten runs; nil while no run can be forgotten.
        var watch: Task<Void, Never>?
        /// When the watch looks next, in MonotonicClock nanoseconds; `.max` is never.
        var nextLook: UInt64 = .max

        mutating func forget(_ run: String) {
            living[run] = nil
            // A standing run that was stopped by a call may be made again.
            guard let scenario = standingRun.first(where: { $0.value == run })?.key else { return }
            standingRun[scenario] = nil
            standing[scenario] = nil
        }
    }

    init(configuration: ServerConfiguration, group: EventLoopGroup, contexts: TLSContexts) {
        (self.contexts, self.configuration, self.group) = (contexts, configuration, group)
        let isPlainLoopback = configuration.address.with(port: 0) == .ipv4(host: "127.0.0.1", port: 0)
        addresses = RunAddressPool(isOn: configuration.givesRunsAddresses && isPlainLoopback)
    }

    /// Opens a port for each origin of the scenario, all on one loop; throws ``HashRefusal``, ``SecurityRefusal`` or
    /// ``HostRefusal`` where the system lacks what the scenario needs, ``ProtocolRefusal`` where it means nothing over
    /// the wanted protocol, and other errors where a port can't be bound.
    func make(_ compiled: CompiledScenario, _ settings: RunSettings) async throws -> Run {
        if let refusal = compiled.hashRefusal { throw refusal }
        try ProtocolRefusal.check(compiled.scenario, settings.wantedProtocol)
        let compiled =
            settings.wantedProtocol.hasTLSAlone
            ? CompiledScenario(compiled.scenario.served(over: settings.wantedProtocol)) : compiled
        if configuration.http3 == nil, settings.wantedProtocol == .h3 || compiled.speaksHTTP3 {
            throw SecurityRefusal.withoutQUIC
        }
        let limit = configuration.limits.runCount
        let (number, task) = try state.withLock { state throws(ServerStartFailure) in
            guard !state.isStopped else { throw .stopped }
            guard state.living.count + state.making.count < limit else { throw .tooManyRuns(limit: limit) }
            defer { state.nextNumber += 1 }
            let loop = group.next()
            let builder = RunBuilder(
                id: "r\(state.nextNumber)", settings: settings, configuration: configuration, loop: loop,
                contexts: contexts
            ) { [weak self] id in
                self?.state.withLock { $0.forget(id) }
            }
            // Owned by the state; ``stop(grace:)`` waits for it. It continues when its caller is cancelled.
            let task = Task(executorPreference: loop) { [addresses] in
                let scenario = compiled.scenario
                let other = scenario.origins.contains { $0.host == .otherAddress } ? addresses.nextAddress() : nil
                let spares = (0..<AddressGroups(of: scenario).spareCount).compactMap { _ in addresses.nextAddress() }
                let host = settings.firstPort == nil ? addresses.nextAddress() : nil
                return try await builder.build(compiled, host: host, otherHost: other, spares: spares)
            }
            state.making[state.nextNumber] = task
            return (state.nextNumber, task)
        }
        do {
            let run = try await task.value
            state.withLock { state in
                state.making[number] = nil
                state.living[run.id] = run
            }
            watch(run)
            return run
        } catch {
            state.withLock { $0.making[number] = nil }
            throw error
        }
    }

    /// The stage of a scenario at the shared port, with a number as a run.
    func makeStandingStage(of compiled: CompiledScenario, at place: StandingStages.Place) -> Stage {
        let id = compiled.scenario.id
        let number = state.withLock { state in
            defer { state.nextNumber += 1 }
            return state.nextNumber
        }
        let run = "r\(number)"
        let path = place == .root ? [] : Array("/\(id)".utf8)
        return Stage(
            compiled: compiled, addresses: .mount(path: path, fallbackAuthority: Array("localhost".utf8)),
            journal: Journal(
                of: id, run: run, limits: configuration.limits.standingJournal, configuration: configuration,
                at: .shared, judge: compiled.scenario.service?.judge(of: compiled.scenario)),
            startsOver: true, seed: configuration.runSeed, run: run, uses: configuration.uses,
            companions: [RunJudging()])
    }

    /// A stage of the shared port as a run, without ports of its own, that lives as long as the server.
    ///
    /// Made anew for each call, so that unused scenarios cost nothing. `base` is the caller's URL of the shared port.
    func mounted(_ stage: Stage, at base: String) -> Run {
        let authority = base.firstRange(ofText: "://").map { String(base[$0.upperBound...]) } ?? base
        return Run(
            id: stage.run ?? "", stage: stage, authorities: [authority],
            mountBase: base + String(decoding: stage.addresses.mountPath ?? [], as: UTF8.self),
            awaitDuration: configuration.limits.awaitDuration)
    }

    /// The standing run of a scenario that needs a root; opened at the first call.
    ///
    /// `lifeSeconds` is nil for a run that lives as long as the server; `compiled` gives nil where the scenario is gone.
    func standing(
        _ scenario: Scenario, lifeSeconds: Int?, compiled: @escaping @Sendable () async throws -> CompiledScenario?
    ) async -> Result<Run, SharedPort.StandingFailure> {
        let task = state.withLock { state in
            if let task = state.standing[scenario.id] { return task }
            // Owned by the state; all requests for the scenario wait for it.
            let task = Task(executorPreference: group.next()) {
                await self.makeStanding(scenario, lifeSeconds: lifeSeconds, compiled)
            }
            state.standing[scenario.id] = task
            return task
        }
        let result = await task.value
        if case .failure = result { state.withLock { $0.standing[scenario.id] = nil } }
        return result
    }

    private func makeStanding(
        _ scenario: Scenario, lifeSeconds: Int?, _ compiled: @Sendable () async throws -> CompiledScenario?
    ) async -> Result<Run, SharedPort.StandingFailure> {
        do {
            guard let compiled = try await compiled() else {
                return .failure(.init(text: "scenario \(scenario.id) is gone"))
            }
            let run = try await make(compiled, RunSettings(startsOver: true, lifeSeconds: lifeSeconds))
            state.withLock { $0.standingRun[scenario.id] = run.id }
            return .success(run)
        } catch {
            let isRefused = error is HashRefusal || error is SecurityRefusal || error is HostRefusal
            let trouble = isRefused ? "can't be served" : "can't get its ports"
            return .failure(.init(text: "scenario \(scenario.id) \(trouble): \(error)"))
        }
    }

    /// Ends the standing runs of changed scenarios; the next request opens new ones.
    func endStanding(_ ids: Set<String>) async {
        let ended = state.withLock { state in
            let ended = state.standing.filter { ids.contains($0.key) }
            for id in ended.keys {
                state.standing[id] = nil
                state.standingRun[id] = nil
            }
            return ended.values
        }
        for task in ended {
            if case .success(let run) = await task.value { await run.stop(grace: .seconds(1)) }
        }
    }

    /// A living run, whose life is prolonged.
    func find(_ id: String) -> Run? {
        let run = state.withLock { $0.living[id] }
        run?.touch()
        return run
    }

    var all: [Run] {
        state.withLock { Array($0.living.values) }.sorted { $0.number < $1.number }
    }

    var count: Int { state.withLock { $0.living.count } }

    /// The runs that were made so far, those that stand for a scenario among them.
    var madeCount: Int { state.withLock { $0.nextNumber - 1 } }

    // MARK: Forgotten runs

    /// Makes the watch look when the run may be forgotten, unless it looks earlier.
    private func watch(_ run: Run) {
        guard let end = run.earliestEnd(at: MonotonicClock.nanoseconds) else { return }
        let loop = group.loops[0]
        state.withLock { state in
            guard end < state.nextLook, !state.isStopped else { return }
            state.nextLook = end
            state.watch?.cancel()
            // Owned by the state; ``stop(grace:)`` waits for it.
            state.watch = Task(executorPreference: loop) {
                var look = end
                while await loop.sleep(until: look) {
                    await self.endForgotten()
                    guard let next = self.nextLook() else { return }
                    look = next
                }
            }
        }
    }

    private func endForgotten() async {
        let now = MonotonicClock.nanoseconds
        for run in all where run.isForgotten(at: now) { await run.stop() }
    }

    /// When a run may be forgotten next; nil: the watch ends, because no run can be or another watch was started.
    private func nextLook() -> UInt64? {
        let now = MonotonicClock.nanoseconds
        return state.withLock { state in
            guard !Task.isCancelled else { return nil }
            let next = state.living.values.compactMap { $0.earliestEnd(at: now) }.min()
            state.nextLook = next ?? .max
            if next == nil { state.watch = nil }
            return next
        }
    }

    func stop(grace: Duration) async {
        let (standing, making, watch) = state.withLock { state in
            state.isStopped = true
            return (Array(state.standing.values), Array(state.making.values), state.watch)
        }
        watch?.cancel()
        await watch?.value
        for task in standing { _ = await task.value }
        // A run that its maker has not received yet ends with the others.
        var runs = state.withLock { $0.living }
        for task in making {
            if let run = try? await task.value { runs[run.id] = run }
        }
        await withDiscardingTaskGroup { group in
            for run in runs.values { group.addTask { await run.stop(grace: grace) } }
        }
    }
}
