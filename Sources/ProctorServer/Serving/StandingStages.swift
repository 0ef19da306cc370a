internal import ProctorBase
internal import ProctorCrypto
internal import ProctorScenario

/// The served catalogue, with a stage for each scenario that was requested; safe from any thread.
///
/// When the catalogue is replaced, unchanged scenarios keep their stages, and a started request ends with its
/// scenario.
final class StandingStages: Sendable {
    private let state: Locked<State>
    private let makeStage: @Sendable (CompiledScenario) -> Stage

    private struct State {
        var catalogue: Catalogue
        /// By position in the catalogue.
        var stages: [Stage?]
        var runs: [String: Stage] = [:]
    }

    init(_ catalogue: Catalogue, makeStage: @escaping @Sendable (CompiledScenario) -> Stage) {
        self.makeStage = makeStage
        state = Locked(State(catalogue: catalogue, stages: Array(repeating: nil, count: catalogue.scenarios.count)))
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
        case nothing
    }

    func find(_ target: [UInt8]) -> Destination {
        state.withLock { state in
            guard let (position, end) = state.catalogue.table.find(target.span) else { return .nothing }
            let isBelow = end < target.count && target[end] == UInt8(ascii: "/")
            if isBelow, let stage = state.stages[position] { return .mounted(stage, end: end) }
            let scenario = state.catalogue.scenarios[position]
            guard isBelow else { return .scenario(scenario) }
            guard scenario.rootReason == nil else { return .elsewhere(scenario) }
            let compiled = state.catalogue.compiled(at: position)
            if let refusal = compiled.hashRefusal { return .refused(scenario, refusal) }
            let stage = makeStage(compiled)
            state.stages[position] = stage
            if let run = stage.run { state.runs[run] = stage }
            return .mounted(stage, end: end)
        }
    }

    /// Replaces the catalogue; returns the ids of changed and removed scenarios.
    func replace(with catalogue: Catalogue) -> Set<String> {
        state.withLock { state in
            let old = state
            var stages: [Stage?] = Array(repeating: nil, count: catalogue.scenarios.count)
            var gone = Set(old.catalogue.scenarios.map(\.id))
            for (position, scenario) in catalogue.scenarios.enumerated() {
                guard let before = old.catalogue.position(of: scenario.id),
                    old.catalogue.scenarios[before].fingerprint == scenario.fingerprint
                else { continue }
                stages[position] = old.stages[before]
                gone.remove(scenario.id)
            }
            let kept = stages.lazy.compactMap(\.self).compactMap { stage in stage.run.map { ($0, stage) } }
            state = State(
                catalogue: catalogue, stages: stages,
                runs: Dictionary(kept, uniquingKeysWith: { first, _ in first }))
            return gone
        }
    }

    /// The stage of a run; nil for another kind of run and an unknown id.
    func stage(ofRun run: String) -> Stage? { state.withLock { $0.runs[run] } }

    /// Every requested stage, unordered.
    var stages: [Stage] { state.withLock { Array($0.runs.values) } }
}
