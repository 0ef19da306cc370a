internal import ProctorBase
internal import ProctorCrypto
internal import ProctorScenario
internal import Synchronization

/// The served catalogue, with a stage for each scenario that was requested; safe from any thread.
///
/// When the catalogue is replaced, unchanged scenarios keep their stages, and a started request ends with its
/// scenario.
final class StandingStages: Sendable {
    private let state: Locked<State>
    private let makeStage: @Sendable (CompiledScenario) -> Stage
    /// Read for each request, so without the lock.
    private let names = Atomic(KnownNames.unknown)

    /// What is known of the names that scenarios of the catalogue declare.
    private enum KnownNames: UInt8, AtomicRepresentable {
        /// Not every scenario was read.
        case unknown
        case none
        case some
    }

    private struct State {
        var catalogue: Catalogue
        /// By position in the catalogue.
        var stages: [Stage?]
        var runs: [String: Stage] = [:]
    }

    init(_ catalogue: Catalogue, makeStage: @escaping @Sendable (CompiledScenario) -> Stage) {
        self.makeStage = makeStage
        state = Locked(State(catalogue: catalogue, stages: Array(repeating: nil, count: catalogue.ids.count)))
    }

    /// Whether a scenario of the catalogue declares a name, or may declare one because it was not read yet.
    var mayDeclareNames: Bool {
        let known = names.load(ordering: .acquiring)
        guard known == .unknown else { return known == .some }
        return state.withLock { state in
            guard let found = state.catalogue.names else { return true }
            names.store(found.isEmpty ? .none : .some, ordering: .releasing)
            return !found.isEmpty
        }
    }

    var catalogue: Catalogue { state.withLock { $0.catalogue } }

    enum Destination {
        /// A path below a scenario that is served here; `end` is the end of its id in the target.
        case mounted(Stage, end: Int)
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
            let stage = makeStage(compiled)
            state.stages[position] = stage
            if let run = stage.run { state.runs[run] = stage }
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
            let kept = stages.lazy.compactMap(\.self).compactMap { stage in stage.run.map { ($0, stage) } }
            state = State(
                catalogue: catalogue, stages: stages,
                runs: Dictionary(kept, uniquingKeysWith: { first, _ in first }))
            names.store(.unknown, ordering: .releasing)
            return gone
        }
    }

    /// The stage of a run; nil for another kind of run and an unknown id.
    func stage(ofRun run: String) -> Stage? { state.withLock { $0.runs[run] } }

    /// Every requested stage, unordered.
    var stages: [Stage] { state.withLock { Array($0.runs.values) } }
}
