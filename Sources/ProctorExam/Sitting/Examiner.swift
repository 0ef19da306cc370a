internal import ProctorBase
import ProctorEvents
public import ProctorGrading
import ProctorProgram
public import ProctorRules
public import ProctorScenario
public import ProctorServer

/// Sets cases to one client through its adapter, each in a run of its own, and judges them.
///
/// Each has a process of its own too, but where the adapter takes many assignments.
///
/// Safe from any thread; sittings may go on side by side.
public struct Examiner: Sendable {
    /// Serves the runs; its catalogue has the scenarios.
    public let server: Server
    /// Who is asked.
    public let adapter: Adapter
    /// The platform whose constants and switches the client is judged by.
    public let platform: Platform
    /// What the client is known to do otherwise; nil when nothing is.
    public let ledger: Ledger?

    /// How long connections may take to end when the client is gone, before the journal is read.
    private static let settling = Duration.milliseconds(200)
    /// How long a client is waited for that is known to hang, in milliseconds; one that hangs no more ends sooner.
    private static let patienceWithHangs = 3_000

    /// How long behind the adapter's own deadline the watchdog stands, on an idle machine.
    private static let watchdogDistance = Duration.seconds(3)
    /// What an adapter and its client need to work besides waiting, at the most and on an idle machine.
    private static let workMilliseconds = 1_000.0
    /// The longest deadline that an assignment can have.
    private static let longestDeadline = 600_000

    /// How much longer everything takes here; deadlines are as much later.
    public let delay: MachineDelay

    /// The processes of an adapter that takes many assignments; nil: each case has a process of its own.
    private let children: KeptChildren?

    /// How often a case that passed is asked again, each time with replies that are cut elsewhere.
    public let reslices: Int

    /// Everything stays the caller's; `reslices` is from 0 to 100.
    public init(
        server: Server, adapter: Adapter, platform: Platform, ledger: Ledger? = nil, reslices: Int = 0,
        delay: MachineDelay = MachineDelay()
    ) {
        self.delay = delay
        children = adapter.takesManyAssignments ? KeptChildren() : nil
        self.server = server
        self.adapter = adapter
        self.platform = platform
        self.ledger = ledger
        self.reslices = min(max(0, reslices), Self.resliceRange.upperBound)
    }

    /// How often a case may be asked again with other slices.
    public static let resliceRange = 0...100
    /// Between the seeds of two sittings, for each reply of a sitting takes the next seed.
    private static let seedDistance: UInt64 = 1_000

    /// Asks one case; takes at most the case's own deadline and what the watchdog stands behind it, and the same for each
    /// time with other slices.
    public func sit(_ item: Case, of scenario: Scenario) async -> Sitting {
        let held = await hold(item, of: scenario)
        guard reslices > 0, let context = held.context, held.sitting.verdict.invitesReslicing else {
            return held.sitting
        }
        var verdict = held.sitting.verdict
        if let reason = ResliceComparison.obstacle(to: item, of: scenario) {
            verdict.noteUnsliced(reason)
        } else {
            let comparison = ResliceComparison(held.sitting.evidence, context: context)
            for number in 1...UInt64(reslices) {
                let seed = number * Self.seedDistance
                let other = await hold(item, of: scenario, reslice: seed)
                if case .setupFailed(let reason) = other.sitting.verdict.outcome {
                    verdict.noteUnsliced("the sitting with seed \(seed) could not be held: \(reason)")
                    break
                }
                guard let context = other.context else { break }
                let differences = comparison.findings(seed: seed, other.sitting.evidence, context: context)
                verdict.take(differences)
                // One that is told in full is enough to look for the reason.
                if !differences.isEmpty { break }
            }
        }
        var sitting = Sitting(
            verdict: verdict, evidence: held.sitting.evidence, header: held.sitting.header,
            errorOutput: held.sitting.errorOutput)
        sitting.wasAsked = held.sitting.wasAsked
        return sitting
    }

    /// A sitting, and the addresses of its run where it had one.
    private struct Held {
        let sitting: Sitting
        var context: TemplateContext?
    }

    private func hold(_ item: Case, of scenario: Scenario, reslice: UInt64? = nil) async -> Held {
        let id = CaseID(scenario: scenario.id, name: item.name)
        let run: Run
        var assignment: Assignment
        do {
            run = try await server.run(scenario.id, reslice: reslice, bounds: RunBounds())
        } catch let refusal as SecurityRefusal where refusal.reason == .notOffered {
            // The system lacks something, and the client was not asked.
            return Held(sitting: Self.skipped(id, item, reason: refusal.description))
        } catch let refusal as HostRefusal {
            return Held(sitting: Self.skipped(id, item, reason: refusal.description))
        } catch {
            return Held(sitting: Self.failed(id, item, reason: "the run could not be opened: \(error)"))
        }
        do throws(AssignmentFailure) {
            assignment = try run.assignment(for: item)
        } catch {
            await run.stop()
            return Held(sitting: Self.failed(id, item, reason: error.description))
        }
        let grader = CaseGrader(
            item, scenario: scenario.id, context: run.context, platform: platform, ledger: ledger)
        if let reason = grader.skipReason {
            await run.stop()
            return Held(sitting: Self.skipped(id, item, reason: reason))
        }
        if ledger?.deviation(for: id)?.parts.stop == .hang {
            assignment.deadline = min(assignment.deadline, Self.patienceWithHangs)
        }
        // A client that is late because the machine is, is not late.
        assignment.deadline = min(
            Self.longestDeadline, assignment.deadline + Int((delay.factor - 1) * Self.workMilliseconds))
        return Held(sitting: await ask(assignment, item, grader: grader, run: run), context: run.context)
    }

    /// Has the adapter do the assignment, ends the run, and judges.
    private func ask(_ assignment: Assignment, _ item: Case, grader: CaseGrader, run: Run) async -> Sitting {
        let start = MonotonicClock.nanoseconds
        var child = WatchedChild(
            command: adapter.command, environment: adapter.environment,
            deadline: .milliseconds(assignment.deadline))
        child.patience = { [delay] in Self.watchdogDistance * delay.factor }
        var listen: (@Sendable (ArraySlice<UInt8>) -> Void)?
        if let reports = AdapterReports(of: assignment.awaited, to: run) { listen = { reports.take($0) } }
        let outcome: WatchedChild.Outcome
        if let children {
            child.environment["PROCTOR_ASSIGNMENTS"] = "many"
            let kept = children.take()
            outcome = await kept.ask(child, assignment.json, onOutput: listen)
            children.giveBack(kept)
        } else {
            outcome = await child.run(input: assignment.json, onOutput: listen)
        }
        let milliseconds = Int((MonotonicClock.nanoseconds &- start) / 1_000_000)
        // What the client had begun may end; then the journal is complete.
        await run.stop(grace: Self.settling)
        let journal = run.journal.snapshot()
        var trace = ReadTrace(outcome.output, of: grader.id)
        if outcome.ending == .exited(0) { trace.checkHeader(outcome.output) }
        var evidence = CaseEvidence(
            events: trace.events, reportedLanes: trace.header.map { Set($0.lanes) },
            reportedFacts: CaseEvidence.reportedFacts(of: trace.header), journal: journal.entries,
            droppedCount: journal.droppedCount, ending: Self.ending(of: outcome))
        evidence.milliseconds = milliseconds
        evidence.declaredAbilities = trace.header?.abilities
        let verdict =
            trace.mistake.map { CaseVerdict.setupFailed(grader.id, kind: item.kind, reason: $0) }
            ?? grader.grade(evidence)
        var sitting = Sitting(
            verdict: verdict, evidence: evidence, header: trace.header, errorOutput: outcome.errorOutput)
        sitting.wasAsked = true
        return sitting
    }

    private static func skipped(_ id: CaseID, _ item: Case, reason: String) -> Sitting {
        Sitting(
            verdict: .skipped(id, kind: item.kind, reason: reason), evidence: CaseEvidence(), header: nil,
            errorOutput: [])
    }

    private static func failed(_ id: CaseID, _ item: Case, reason: String) -> Sitting {
        Sitting(
            verdict: .setupFailed(id, kind: item.kind, reason: reason), evidence: CaseEvidence(), header: nil,
            errorOutput: [])
    }

    private static func ending(of outcome: WatchedChild.Outcome) -> ClientEnding {
        let line = outcome.lastErrorLine
        return switch outcome.ending {
        case .notStarted(let failure): .couldNotStart(reason: failure.description)
        case .exited(0): .finished
        case .exited(let code): .exited(code: code, lastErrorLine: line)
        case .signalled(let signal): .crashed(signal: SignalName.name(of: signal), lastErrorLine: line)
        case .hung(let milliseconds): .hung(afterMilliseconds: milliseconds, lastErrorLine: line)
        case .outputTooLong(let limit): .couldNotStart(reason: "its trace has more than \(limit) bytes")
        }
    }
}

/// The trace of an adapter as far as it can be read.
private struct ReadTrace {
    var events: [TraceEvent] = []
    var header: TraceHeader?
    /// What is wrong with it; nil when it could be read to its end.
    var mistake: String?

    init(_ bytes: [UInt8], of id: CaseID) {
        do throws(TraceReadingError) {
            let trace = try Trace(bytes, file: "trace of \(id)")
            events = trace.events
            header = trace.header
        } catch {
            mistake = "the adapter's trace can't be read: \(error)"
        }
    }

    /// An adapter begins with a header; what has none is no trace of one, or has something else in front of it.
    mutating func checkHeader(_ bytes: [UInt8]) {
        guard header == nil, mistake == nil else { return }
        let line = bytes.prefix { $0 != 0x0A }
        mistake =
            bytes.isEmpty
            ? "the adapter wrote no trace on standard output"
            : "the adapter's first line is no header of a trace: '\(EscapedText.of(line, limit: 80))'; nothing else "
                + "may stand on its standard output"
    }
}
