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
    package static let endTime = Duration.seconds(1)

    /// Learns what the client can do, by plain loads on each way; returns why it can't be asked, half a sentence, or nil.
    package mutating func learnAbilities() async -> String? {
        var reasons: [String] = []
        // A client may speak HTTP/2 alone.
        for way in StormWay.all where versions.contains(way.version) && !way.isThroughProxy {
            let first = await ask(StormSchedule(plain: 2, on: way))
            if let reason = first.lossOfPlainLoads {
                reasons.append("over \(way.words): \(reason)")
                continue
            }
            basis = way
            // One that declares none may have them all.
            abilities = first.sitting?.evidence.declaredAbilities ?? Set(Ability.allCases)
            break
        }
        guard let basis else { return reasons.first ?? "no way is left" }
        for way in StormWay.all where versions.contains(way.version) && way != basis && !Task.isCancelled {
            guard way.needs.isSubset(of: abilities) else {
                lostWays[way.name] = "its adapter does not declare what that needs"
                continue
            }
            lostWays[way.name] = await ask(StormSchedule(plain: 2, on: way)).lossOfPlainLoads
        }
        for moment in StormSchedule.moments where abilities.contains(.cancel) && !Task.isCancelled {
            var load = StormLoad(name: "0-0", method: "GET", downloadByteCount: 16)
            load.cancelAt = moment
            if await ask(StormSchedule([load], plain: 0, on: basis)).absence == nil { moments.insert(moment) }
        }
        return nil
    }

    /// The moments at which the client can be cancelled, which no header tells.
    private var moments: Set<String> = []

    /// The ways on which the client does no plain load, with the reason.
    package private(set) var lostWays: [String: String] = [:]
    /// The way of schedules whose own one is lost.
    private var basis: StormWay?

    /// The schedule of that number, without what the client lacks.
    package func schedule(_ number: Int) -> StormSchedule {
        let schedule = StormSchedule(seed: seed, number: number, over: versions)
        let way = lostWays[schedule.way.name] == nil ? schedule.way : basis ?? .plain
        return schedule.fitted(to: abilities, on: way, atOnce: atOnce, cancellingAt: moments)
    }

    package func ask(_ number: Int) async -> StormResult { await ask(schedule(number)) }

    /// Why the adapter did not do the schedule, half a sentence; nil: it did.
    private static func refusal(in evidence: CaseEvidence) -> String? {
        if let event = evidence.events.first(where: { $0.name == .unimplemented }) {
            return "the adapter says: \(event.argument ?? "it can't be done")"
        }
        return switch evidence.ending {
        case .exited(let code, _): "the adapter exited with \(code)"
        case .couldNotStart(let reason), .outOfBounds(let reason): reason
        case .finished, .crashed, .hung: nil
        }
    }

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
        result.absence = Self.refusal(in: sitting.evidence)
        guard result.absence == nil else { return result }
        if case .crashed(let signal, _) = sitting.evidence.ending { result.crash = signal }
        let judge = StormJudge(
            schedule, sitting.evidence, platform: examiner.platform, heldConnections: sitting.heldConnections,
            delay: examiner.delay.factor)
        result.breaks = judge.breaks
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

    package init(
        schedule: StormSchedule, sitting: Sitting? = nil, breaks: [StormBreak] = [], absence: String? = nil
    ) {
        (self.schedule, self.sitting, self.breaks, self.absence) = (schedule, sitting, breaks, absence)
    }

    /// Why the plain loads show that nothing can be asked so; nil: they succeeded.
    var lossOfPlainLoads: String? {
        absence ?? crash.map { "it crashed by \($0)" } ?? breaks.first { $0.invariant != .nothingLeft }?.line
    }

    package func breaks(_ invariant: StormInvariant) -> Bool { breaks.contains { $0.invariant == invariant } }

    /// Loads that were asked.
    package var loadCount: Int { absence == nil ? schedule.names.count : 0 }
}
