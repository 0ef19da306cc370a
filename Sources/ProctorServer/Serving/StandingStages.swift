internal import ProctorBase
internal import ProctorCrypto
internal import ProctorScenario

/// The catalogue that is served now, with a standing stage for each scenario that was asked for.
///
/// Safe from any thread.
///
/// The catalogue can be exchanged while requests are answered: scenarios that did not change keep their stages, with
/// turns and journals, and a request that has begun ends with the scenario it began with.
final class StandingStages: Sendable {
    private let state: Locked<State>
    private let makeStage: @Sendable (CompiledScenario) -> Stage

    private struct State {
        var catalogue: Catalogue
        /// By position in the catalogue.
        var stages: [Stage?]
        /// The stages that were made, by the id of the run that each is.
        var runs: [String: Stage] = [:]
    }

    init(_ catalogue: Catalogue, makeStage: @escaping @Sendable (CompiledScenario) -> Stage) {
        self.makeStage = makeStage
        state = Locked(State(catalogue: catalogue, stages: Array(repeating: nil, count: catalogue.scenarios.count)))
    }

    var catalogue: Catalogue { state.withLock { $0.catalogue } }

    /// What a target in origin-form names.
    enum Destination {
        /// Below a scenario that is served here; where its id ends in the target.
        case mounted(Stage, end: Int)
        /// The scenario's own address.
        case scenario(Scenario)
        /// Below a scenario that needs a root, so it is not served here.
        case elsewhere(Scenario)
        /// Below a scenario that this system can't serve.
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

    /// Puts another catalogue in place; returns the ids whose scenarios changed or are gone.
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

    /// The stage that is a run; nil where it is a run of another kind, or none.
    func stage(ofRun run: String) -> Stage? { state.withLock { $0.runs[run] } }

    /// Every stage that was asked for, in no order.
    var stages: [Stage] { state.withLock { Array($0.runs.values) } }
}
