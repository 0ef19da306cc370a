package import ProctorBase
package import ProctorScenario

/// Which exchanges were asked for at all, of every scenario that a server has served, over all its runs; safe from any
/// thread.
package final class ExchangeUses: Sendable {
    package let scenarios = Locked<[String: ScenarioUses]>([:])
    /// Prefixes of ids.
    package let packs: [String]

    package init(packs: [String] = []) { self.packs = packs }

    /// Later scenarios are not kept, so that a server that is given new ones for ever does not grow for ever.
    private static let scenarioLimit = 10_000

    /// The uses of a scenario, of which a run begins; nil beyond the bound.
    ///
    /// The uses of a changed file begin anew.
    package func uses(of scenario: Scenario) -> ScenarioUses? {
        scenarios.withLock { scenarios in
            if let known = scenarios[scenario.id], known.scenario.fingerprint == scenario.fingerprint { return known }
            guard scenarios[scenario.id] != nil || scenarios.count < Self.scenarioLimit else { return nil }
            let new = ScenarioUses(scenario)
            scenarios[scenario.id] = new
            return new
        }
    }
}

/// Which exchanges of one scenario were asked for.
package final class ScenarioUses: Sendable {
    package let scenario: Scenario
    package let isUsed: Locked<[Bool]>

    package init(_ scenario: Scenario) {
        self.scenario = scenario
        isUsed = Locked(Array(repeating: false, count: scenario.exchanges.count))
    }

    /// A run has used the exchange for the first time.
    package func record(_ exchange: Int) { isUsed.withLock { $0[exchange] = true } }

    package var usedCount: Int { isUsed.withLock { $0.count { $0 } } }
}
