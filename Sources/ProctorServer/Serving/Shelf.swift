internal import ProctorBase
internal import ProctorScenario

/// The catalogue that is served now, with a standing stage for each scenario that was asked for.
///
/// Safe from any thread.
///
/// The catalogue can be exchanged while requests are answered: scenarios that did not change keep their stages, with
/// turns and journals, and a request that has begun ends with the scenario it began with.
final class Shelf: Sendable {
    private let state: Locked<State>
    private let makeStage: @Sendable (CompiledScenario) -> Stage

    private struct State {
        var catalogue: Catalogue
        /// By position in the catalogue.
        var stages: [Stage?]
    }

    init(_ catalogue: Catalogue, makeStage: @escaping @Sendable (CompiledScenario) -> Stage) {
        self.makeStage = makeStage
        state = Locked(State(catalogue: catalogue, stages: Array(repeating: nil, count: catalogue.scenarios.count)))
    }

    var catalogue: Catalogue { state.withLock { $0.catalogue } }

    /// The standing stage at a position, if the catalogue is still the one that the position was found in.
    func stage(at position: Int, of catalogue: Catalogue) -> Stage? {
        state.withLock { state in
            guard state.catalogue === catalogue else { return nil }
            if let stage = state.stages[position] { return stage }
            let stage = makeStage(catalogue.compiled(at: position))
            state.stages[position] = stage
            return stage
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
            state = State(catalogue: catalogue, stages: stages)
            return gone
        }
    }
}
