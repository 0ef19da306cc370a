import ProctorBase
package import ProctorEvents
package import ProctorExam
import ProctorGrading
import ProctorScenario

/// Asks a client schedules of a seed, each in a session and a run of its own, and judges them.
package struct StormWalk: Sendable {
    package let examiner: Examiner
    package let seed: UInt64
    package let atOnce: Int
    package let versions: Set<StormProtocol>
    package internal(set) var abilities: Set<Ability> = []

    package init(examiner: Examiner, seed: UInt64, atOnce: Int, versions: Set<StormProtocol>) {
        (self.examiner, self.seed, self.atOnce, self.versions) = (examiner, seed, atOnce, versions)
    }

    /// How long a client may take to close its connections behind the end of a session, on an idle machine.
    package static let endTime = Duration.seconds(2)

    /// Learns what the client can do, by plain loads on each way; returns why it can't be asked, half a sentence, or nil.
    package mutating func learnAbilities() async -> String? {
        let plain = StormSchedule(plain: 2, on: .plain)
        let first = await ask(plain)
        if let reason = first.absence { return reason }
        if let broken = first.breaks.first { return "plain loads do not succeed with it: \(broken.line)" }
        // One that declares none may have them all.
        abilities = first.sitting?.evidence.declaredAbilities ?? Set(Ability.allCases)
        for way in StormWay.all where versions.contains(way.version) && way.needs.isSubset(of: abilities) {
            guard !way.needs.isEmpty, !Task.isCancelled else { continue }
            let result = await ask(StormSchedule(plain: 2, on: way))
            if result.absence != nil || !result.breaks.isEmpty { lostWays.append(way.name) }
        }
        for moment in StormSchedule.moments where abilities.contains(.cancel) && !Task.isCancelled {
            var load = StormLoad(name: "0-0", method: "GET", downloadByteCount: 16)
            load.cancelAt = moment
            if await ask(StormSchedule([load], plain: 0)).absence == nil { moments.insert(moment) }
        }
        return nil
    }

    /// The moments at which the client can be cancelled, which no header tells.
    private var moments: Set<String> = []

    /// The ways on which the client does no plain load, whatever it declares.
    package private(set) var lostWays: [String] = []

    /// The schedule of that number, without what the client lacks.
    package func schedule(_ number: Int) -> StormSchedule {
        var schedule = StormSchedule(seed: seed, number: number, over: versions)
        var abilities = abilities
        if lostWays.contains(schedule.way.name) { abilities.subtract(schedule.way.needs) }
        schedule = schedule.fitted(to: abilities, atOnce: atOnce, cancellingAt: moments)
        return schedule
    }

    package func ask(_ number: Int) async -> StormResult { await ask(schedule(number)) }

    /// Asks a schedule once.
    package func ask(_ schedule: StormSchedule) async -> StormResult {
        let fixture = StormFixture(schedule)
        guard let (scenario, item) = fixture.scenario() else {
            let fault = fixture.faults.first ?? "no case"
            return StormResult(schedule: schedule, absence: "its fixture can't be read: \(fault)")
        }
        let sitting = await examiner.observe(item, of: scenario, seed: seed)
        var result = StormResult(schedule: schedule, sitting: sitting)
        switch sitting.verdict.outcome {
        case .lacks, .notInThisAdapter, .skipped, .setupFailed, .adapterError:
            result.absence = sitting.verdict.reason
            return result
        case .pass, .fail, .hang, .crash, .known, .fixed, .observed, .partly, .notJudged: break
        }
        if case .crashed(let signal, _) = sitting.evidence.ending { result.crash = signal }
        result.breaks = StormJudge(schedule, sitting.evidence, platform: examiner.platform).breaks
        return result
    }
}

/// What came of a schedule.
package struct StormResult: Sendable {
    package let schedule: StormSchedule
    /// nil where the client was not asked.
    package internal(set) var sitting: Sitting?
    package internal(set) var breaks: [StormBreak] = []
    /// Why nothing is known, half a sentence; nil: the schedule was judged.
    package internal(set) var absence: String?
    /// The signal that ended the client.
    package internal(set) var crash: String?

    init(schedule: StormSchedule, sitting: Sitting? = nil, absence: String? = nil) {
        (self.schedule, self.sitting, self.absence) = (schedule, sitting, absence)
    }

    /// Loads that were asked.
    package var loadCount: Int { absence == nil ? schedule.names.count : 0 }
}
