internal import ProctorBase
internal import ProctorGrading
package import ProctorReplies
internal import ProctorScenario

extension ExchangeUses {
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

extension ScenarioUses {
    /// Nil where no request came for any.
    var unasked: UnaskedExchanges? {
        let used = isUsed.withLock { $0 }
        guard used.contains(true) else { return nil }
        // The number that is demanded is that of each run.
        return UnaskedExchanges(of: scenario, useCounts: used.map { $0 ? .max : 0 })
    }
}
