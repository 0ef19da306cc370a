internal import ProctorBase
internal import ProctorGrading
internal import ProctorScenario

/// Which exchanges were asked for at all, of every scenario that a server has served, over all its runs; safe from any
/// thread.
package final class ExchangeUses: Sendable {
    private let scenarios = Locked<[String: ScenarioUses]>([:])
    /// Prefixes of ids.
    private let packs: [String]

    init(packs: [String] = []) { self.packs = packs }

    /// Later scenarios are not kept, so that a server that is given new ones for ever does not grow for ever.
    private static let scenarioLimit = 10_000

    /// That of a scenario, of which a run begins; nil beyond the bound.
    ///
    /// That of a changed file begins anew.
    func uses(of scenario: Scenario) -> ScenarioUses? {
        scenarios.withLock { scenarios in
            if let known = scenarios[scenario.id], known.scenario.fingerprint == scenario.fingerprint { return known }
            guard scenarios[scenario.id] != nil || scenarios.count < Self.scenarioLimit else { return nil }
            let new = ScenarioUses(scenario)
            scenarios[scenario.id] = new
            return new
        }
    }

    /// A line for each exchange that no request asked for, by the ids of scenarios that were asked for anything:
    /// `plain/get: never came: GET /data, exchange 1`; packs are left out.
    package var unusedLines: [String] {
        let all = scenarios.withLock { $0.sorted { $0.key < $1.key }.map(\.value) }
        return all.filter { uses in !packs.contains { uses.scenario.id.hasPrefix($0) } }.flatMap { uses in
            uses.unasked?.sentences.map { "\(uses.scenario.id): \($0)" } ?? []
        }
    }

    /// For each pack of which anything was asked for, how many of its exchanges were.
    package var packUses: [(pack: String, usedCount: Int)] {
        let all = scenarios.withLock { $0.mapValues(\.usedCount) }
        return packs.compactMap { pack in
            let count = all.reduce(0) { $0 + ($1.key.hasPrefix(pack) ? $1.value : 0) }
            return count > 0 ? (String(pack.dropLast()), count) : nil
        }
    }
}

/// Which exchanges of one scenario were asked for.
final class ScenarioUses: Sendable {
    let scenario: Scenario
    private let isUsed: Locked<[Bool]>

    init(_ scenario: Scenario) {
        self.scenario = scenario
        isUsed = Locked(Array(repeating: false, count: scenario.exchanges.count))
    }

    /// A run has used the exchange for the first time.
    func note(_ exchange: Int) { isUsed.withLock { $0[exchange] = true } }

    var usedCount: Int { isUsed.withLock { $0.count { $0 } } }

    /// Nil where no request came for any.
    var unasked: UnaskedExchanges? {
        let used = isUsed.withLock { $0 }
        guard used.contains(true) else { return nil }
        // The number that is demanded is that of each run.
        return UnaskedExchanges(of: scenario, useCounts: used.map { $0 ? .max : 0 })
    }
}
