internal import ProctorBase
internal import ProctorCrypto
internal import ProctorFixtures
internal import ProctorHTTP
internal import ProctorReplies
internal import ProctorScenario
internal import Synchronization

/// The served catalogue, with a stage for each scenario that was requested; safe from any thread.
///
/// When the catalogue is replaced, unchanged scenarios keep their stages, and a started request ends with its
/// scenario.
final class StandingStages: Sendable {
    private let state: Locked<State>
    /// Scenarios that control calls have added; where ids are the same, the catalogue's counts.
    let added: AddedScenarios
    private let makeStage: @Sendable (CompiledScenario, Place) -> Stage
    /// The ids of ``roots``; nearly always empty.
    private let rootIDs: [String]
    /// Read for each request, so without the lock.
    private let names = Atomic(KnownNames.unknown)

    private let presentGeneration = Atomic(0)

    /// What is known of the names that scenarios of the catalogue declare.
    private enum KnownNames: UInt8, AtomicRepresentable {
        /// Not every scenario was read.
        case unknown
        case none
        case some
    }

    /// Where a standing scenario answers.
    enum Place {
        case belowItsID, root
    }

    private struct State {
        var catalogue: Catalogue
        /// The stage of a scenario, by its position in the catalogue.
        var stages: [Stage?]
        var roots: [Stage] = []
        var runs: [String: Stage] = [:]
        /// Why the files could not be read when they were last loaded again; nil after a load that succeeded.
        var failedReload: LoadFailure?

        mutating func add(_ stage: Stage) {
            if let run = stage.run { runs[run] = stage }
        }
    }

    init(
        _ catalogue: Catalogue, rootIDs: [String] = [],
        makeStage: @escaping @Sendable (CompiledScenario, Place) -> Stage
    ) {
        (self.makeStage, self.rootIDs) = (makeStage, rootIDs)
        added = AddedScenarios { makeStage($0, .belowItsID) }
        state = Locked(State(catalogue: catalogue, stages: Array(repeating: nil, count: catalogue.ids.count)))
    }

    /// Whether a scenario of the catalogue declares a name, or may declare one because it was not read yet.
    var mayDeclareNames: Bool {
        let known = names.load(ordering: .acquiring)
        guard known == .unknown else { return known == .some }
        return state.withLock { state in
            guard let declared = state.catalogue.names else { return true }
            names.store(declared.isEmpty ? .none : .some, ordering: .releasing)
            return !declared.isEmpty
        }
    }

    /// Counts the catalogues; what was found in an earlier one is void, so it is read before a search.
    var generation: Int { presentGeneration.load(ordering: .acquiring) }

    var catalogue: Catalogue { state.withLock { $0.catalogue } }

    /// Why the catalogue is older than the last order to load it again; nil where it is not.
    var failedReload: LoadFailure? {
        get { state.withLock { $0.failedReload } }
        set { state.withLock { $0.failedReload = newValue } }
    }

    enum Destination {
        /// A path below a scenario that is served here; `end` is the end of its id in the target.
        case mounted(Stage, end: Int)
        /// A path below a scenario that a control call added, which may be gone at the next request.
        ///
        /// `end` is the end of its id in the target.
        case added(Stage, end: Int)
        case scenario(Scenario)
        /// A path below a scenario that needs a root, which is not served here.
        case elsewhere(Scenario)
        /// A path below a scenario that this system can't serve.
        case refused(Scenario, HashRefusal)
        /// At or below a scenario whose file was not read yet.
        case unread(Catalogue, Int)
        /// At or below a scenario whose file has errors.
        case broken(String, LoadFailure)
        case nothing
    }

    func find(_ target: Span<UInt8>) -> Destination {
        let destination = findInCatalogue(target)
        guard case .nothing = destination else { return destination }
        return added.find(target)
    }

    /// Whether a path below a scenario is named; opens no stage.
    func isBelowScenario(_ target: Span<UInt8>) -> Bool {
        guard let end = catalogue.table.find(target)?.end ?? added.endOfID(in: target) else { return false }
        return end < target.count && target[end] == UInt8(ascii: "/")
    }

    private func findInCatalogue(_ target: Span<UInt8>) -> Destination {
        state.withLock { state in
            guard let (position, end) = state.catalogue.table.find(target) else { return .nothing }
            let isBelow = end < target.count && target[end] == UInt8(ascii: "/")
            if isBelow, let stage = state.stages[position] { return .mounted(stage, end: end) }
            let scenario: Scenario
            switch state.catalogue.entries[position] {
            case .sound(let sound): scenario = sound
            case .unread: return .unread(state.catalogue, position)
            case .broken(let failure): return .broken(state.catalogue.ids[position], failure)
            }
            guard isBelow else { return .scenario(scenario) }
            guard scenario.rootReason == nil else { return .elsewhere(scenario) }
            let compiled = state.catalogue.compiled(scenario, at: position)
            if let refusal = compiled.hashRefusal { return .refused(scenario, refusal) }
            let stage = makeStage(compiled, .belowItsID)
            state.stages[position] = stage
            state.add(stage)
            return .mounted(stage, end: end)
        }
    }

    /// Replaces the catalogue, which was read; returns the ids of changed and removed scenarios.
    func replace(with catalogue: Catalogue) -> Set<String> {
        state.withLock { state in
            let old = state
            var stages: [Stage?] = Array(repeating: nil, count: catalogue.ids.count)
            var gone = Set(old.catalogue.ids)
            for (position, id) in catalogue.ids.enumerated() {
                // A scenario that was not read has neither a stage nor ports.
                guard case .sound(let scenario) = catalogue.entries[position],
                    let before = old.catalogue.position(of: id),
                    case .sound(let former) = old.catalogue.entries[before],
                    former.fingerprint == scenario.fingerprint
                else { continue }
                stages[position] = old.stages[before]
                gone.remove(id)
            }
            state = State(catalogue: catalogue, stages: stages)
            state.roots = rootIDs.flatMap(catalogue.ids(named:)).compactMap { id in
                guard let position = catalogue.position(of: id), let scenario = catalogue.sound(at: position),
                    scenario.rootReason?.needsPort != true
                else { return nil }
                let former = old.roots.first { $0.scenario.id == id }
                if let former, former.scenario.fingerprint == scenario.fingerprint { return former }
                return makeStage(catalogue.compiled(scenario, at: position), .root)
            }
            for stage in stages { stage.map { state.add($0) } }
            for stage in state.roots { state.add(stage) }
            names.store(.unknown, ordering: .releasing)
            presentGeneration.add(1, ordering: .releasing)
            return gone
        }
    }

    // MARK: Roots

    var hasRoots: Bool { !rootIDs.isEmpty }

    /// The stages that answer at the root, in the order of the configuration.
    var roots: [Stage] { state.withLock { $0.roots } }

    /// Reads the scenarios of the root; throws where one is unknown, has errors or can't be served there.
    func openRoots() async throws(ServerStartFailure) {
        let catalogue = catalogue
        var stages: [Stage] = []
        for name in rootIDs where catalogue.ids(named: name).isEmpty {
            throw .unknownScenario(name, nearest: catalogue.nearestID(to: name))
        }
        for id in rootIDs.flatMap(catalogue.ids(named:)) {
            guard let position = catalogue.position(of: id) else { continue }
            let scenario: Scenario
            do throws(LoadFailure) {
                scenario = try await catalogue.read(position)
            } catch {
                throw .root(id, reason: "its file has errors:\n\(error)")
            }
            if let reason = scenario.rootReason, reason.needsPort {
                throw .root(id, reason: "\(reason.text) (\(reason.location)), so it needs ports of its own")
            }
            let compiled = catalogue.compiled(scenario, at: position)
            if let refusal = compiled.hashRefusal { throw .root(id, reason: "\(refusal)") }
            stages.append(makeStage(compiled, .root))
        }
        state.withLock { state in
            state.roots = stages
            for stage in stages { state.add(stage) }
        }
    }

    /// The stage of a run; nil for another kind of run and an unknown id.
    func stage(ofRun run: String) -> Stage? {
        state.withLock { $0.runs[run] } ?? added.stages.first { $0.run == run }
    }

    /// Every requested stage, unordered.
    var stages: [Stage] { state.withLock { Array($0.runs.values) } + added.stages }
}

// Scenarios by id, of the catalogue or added.
extension StandingStages {
    /// The file of the scenario has errors.
    struct BrokenScenario: Error {
        let id: String
        let failure: LoadFailure
    }

    /// nil where there is no such scenario; throws ``BrokenScenario``.
    func compiled(_ id: String) async throws -> CompiledScenario? {
        let catalogue = catalogue
        guard let position = catalogue.position(of: id) else { return added.find(id)?.compiled }
        do throws(LoadFailure) {
            return try await catalogue.readCompiled(position)
        } catch {
            throw BrokenScenario(id: id, failure: error)
        }
    }

    /// The standing run of a scenario that needs a root; that of an added one lives no longer than the scenario.
    func standing(_ scenario: Scenario, by runs: RunFactory) async -> Result<Run, SharedPort.StandingFailure> {
        let life = catalogue.position(of: scenario.id) == nil ? added.find(scenario.id)?.entry.lifeSeconds : nil
        return await runs.standing(scenario, lifeSeconds: life) { [self] in try await compiled(scenario.id) }
    }
}
