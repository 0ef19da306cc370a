internal import ProctorBase
internal import ProctorGrading
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorScenario

/// The scenarios that stand at the shared port and were asked for anything, to be judged when the server has stopped.
package struct UsedScenarios: Sendable {
    fileprivate let runs: [Run]
    /// Prefixes of ids.
    fileprivate let packs: [String]

    /// A line for each exchange that nobody asked for, of scenarios without cases, and for each scenario none of whose cases
    /// holds.
    ///
    /// Of packs only exchanges that demand a number are told. Nothing is said of a scenario with a request that no exchange answers. A case is about one use: where the first request
    /// came several times, no case is judged.
    package var faults: [String] {
        runs.sorted { $0.scenario.id < $1.scenario.id }.flatMap { run -> [String] in
            let snapshot = run.journal.snapshot()
            guard snapshot.droppedCount == 0 else { return [] }
            let lines = snapshot.entries.compactMap { entry -> [UInt8]? in
                guard case .requestHead(let head, let target) = entry.event else { return nil }
                return head.methodBytes + [0x20] + target
            }
            // A request that no exchange answers is told by itself, and may stand for one that never came.
            let isMissed = snapshot.entries.contains { if case .missed = $0.event { true } else { false } }
            guard let first = lines.first, !isMissed else { return [] }
            guard !run.scenario.cases.isEmpty else {
                let isOfPack = packs.contains { run.scenario.id.hasPrefix($0) }
                return UnaskedExchanges(of: run.scenario, in: snapshot.entries, expectsEach: !isOfPack).sentences
                    .map { "\(run.scenario.id): \($0)" }
            }
            guard !lines.dropFirst().contains(first) else { return [] }
            let verdicts = run.scenario.cases.map { ($0.name, run.wireVerdict(of: $0)) }
            guard verdicts.allSatisfy({ $0.1.outcome == .fail }),
                let (name, verdict) = verdicts.min(by: { $0.1.failures.count < $1.1.failures.count })
            else { return [] }
            let reason = verdict.sentence ?? "it fails"
            let unasked = UnaskedExchanges(of: run.scenario, in: snapshot.entries).sentences
            return ["\(run.scenario.id)#\(name): \(([reason] + unasked).joined(separator: "; "))"]
        }
    }
}

extension Server {
    /// Before the server stops, which ends the runs.
    package var usedScenarios: UsedScenarios {
        UsedScenarios(
            runs: stages.stages.map { runs.mounted($0, at: base) } + runs.all.filter(\.isStanding),
            packs: configuration.packs)
    }
}
