package import ProctorBase
internal import ProctorCrypto
import ProctorEvents
package import ProctorGrading
internal import ProctorJournal
import ProctorProgram
package import ProctorRules
package import ProctorScenario
package import ProctorServer
package import ProctorServing

/// Runs cases on one client through its adapter, each case in its own run of the server, and grades them.
///
/// Each case has its own process unless the adapter takes many assignments. Safe from any thread; several sittings may
/// run concurrently.
package struct Examiner: Sendable {
    /// Serves the runs; its catalogue has the scenarios.
    package let server: Server
    package let adapter: Adapter
    /// The platform whose constants and switches judge the client.
    package let platform: Platform
    /// The client's known deviations; nil: none.
    package let ledger: Ledger?

    /// The time between the adapter's own deadline and the watchdog's, on an idle machine.
    private static let watchdogDistance = Duration.seconds(3)

    /// Whether sittings hold the texts of the assignment and of the trace.
    package var keepsTexts = false

    /// Whether sittings hold their outlines, which show the differences between repetitions.
    package var keepsOutlines = false

    /// How the run records the bytes that it sends; nil: they are not recorded.
    package var recording: WireRecording?

    /// Whether the adapter was to take many assignments but was found to take one; then each case has a process of its
    /// own.
    package var hasFoundOneAssignment: Bool { children?.areUseless ?? false }

    /// How much an adapter may write for one assignment.
    var traceBounds = TraceBounds()

    /// Chooses, with a case's id, the cases in which small replies come in two segments; nil: there are none.
    package var segmentSeed: UInt64?

    /// One case of so many is chosen.
    private static let segmentShare: UInt64 = 10

    /// Milliseconds after which an adapter gives up at the latest, on an idle machine.
    package var deadlineLimit = CaseTimes.longestDeadline

    /// Whether the evidence of sittings is judged elsewhere, so that verdicts say only why there is none.
    package var gradesNothing = false

    /// How long the client may leave connections open behind its end before the run ends them; nil: not at all.
    package var endTime: Duration?

    /// How many times slower this machine is now; deadlines are multiplied by it.
    package let delay: MachineDelay

    /// The processes of an adapter that takes many assignments; nil: each case has a process of its own.
    var children: KeptChildren?

    /// Plain cases that are run when a case passed because the client left something undone.
    private let controls = ExamControls()

    /// The protocol of origins without `protocols` of their own, as it is asked for.
    package let wantedProtocol: RunProtocol

    /// Whether the client was found to speak HTTP/2 by ALPN alone.
    private let speaksByALPNAlone = Locked(false)

    /// How often a passed case is repeated, each time with the replies sliced at other offsets.
    package let reslices: Int

    /// `reslices` is from 0 to 100.
    package init(
        server: Server, adapter: Adapter, platform: Platform, ledger: Ledger? = nil, reslices: Int = 0,
        speaking wantedProtocol: RunProtocol = .http11, delay: MachineDelay = MachineDelay()
    ) {
        (self.wantedProtocol, self.delay) = (wantedProtocol, delay)
        children = adapter.takesManyAssignments ? KeptChildren() : nil
        (self.server, self.adapter, self.platform, self.ledger) = (server, adapter, platform, ledger)
        self.reslices = min(max(0, reslices), Self.resliceRange.upperBound)
    }

    package static let resliceRange = 0...100
    /// The difference between the seeds of two sittings: each reply of a sitting uses the next seed.
    private static let seedDistance: UInt64 = 1_000

    /// Runs one case; takes at most the sum of the case's deadline and the watchdog's for each launch of the client,
    /// and the same for each repetition.
    package func sit(_ item: Case, of scenario: Scenario) async -> Sitting {
        let (curl, sitting) = await resliced(item, of: scenario)
        var whole = sitting
        whole.record = CaseRecord(sitting.verdict, of: item, in: scenario, evidence: sitting.evidence)
        whole.record.errorLines = sitting.shownErrorLines
        whole.record.curl = curl?.text.recorded
        whole.record.curlShortfall = curl?.shortfall
        whole.record.ownMicroseconds = sitting.ownMicroseconds
        return whole
    }

    /// Runs one case of a scenario that need not be in the catalogue, without a record; what is random follows from the seed.
    package func observe(_ item: Case, of scenario: Scenario, seed: UInt64) async -> Sitting {
        await examine(item, of: scenario, seed: seed, isControl: true).sitting
    }

    private func resliced(_ item: Case, of scenario: Scenario) async -> (CurlCommand?, Sitting) {
        let held = await examine(item, of: scenario, recutting: segments(of: item, in: scenario))
        guard reslices > 0, let context = held.context, held.sitting.verdict.invitesReslicing else {
            return (held.curl, held.sitting)
        }
        var verdict = held.sitting.verdict
        if let reason = ResliceComparison.obstacle(to: item, of: scenario) {
            verdict.noteUnsliced(reason)
        } else {
            let comparison = ResliceComparison(held.sitting.evidence, context: context)
            for number in 1...UInt64(reslices) {
                let seed = number * Self.seedDistance
                // Both runs must draw the same random values.
                let other = await examine(item, of: scenario, recutting: .often(seed: seed), seed: held.seed)
                if case .setupFailed(let reason) = other.sitting.verdict.outcome {
                    verdict.noteUnsliced("the sitting with seed \(seed) could not be held: \(reason)")
                    break
                }
                guard let context = other.context else { break }
                let differences = comparison.findings(seed: seed, other.sitting.evidence, context: context)
                verdict.addDifferences(differences)
                // One repetition with differences is enough to name the reason.
                if !differences.isEmpty { break }
            }
        }
        var sitting = held.sitting
        sitting.verdict = verdict
        return (held.curl, sitting)
    }

    /// How small replies come in two segments, in one case of ten; nil in the others, and where a result depends on cuts.
    private func segments(of item: Case, in scenario: Scenario) -> Recutting? {
        guard let segmentSeed, ResliceComparison.obstacle(to: item, of: scenario) == nil else { return nil }
        let hash = Fingerprint(of: Array("\(segmentSeed) \(scenario.id)#\(item.name)".utf8)).value
        return hash % Self.segmentShare == 0 ? .once(seed: hash) : nil
    }

    private struct ExaminedCase {
        let sitting: Sitting
        var context: TemplateContext?
        /// The seed of the run's random values.
        var seed: UInt64?
        /// The curl command for the same requests.
        var curl: CurlCommand?

        init(_ sitting: Sitting, context: TemplateContext?, seed: UInt64? = nil, curl: CurlCommand? = nil) {
            (self.sitting, self.context, self.seed, self.curl) = (sitting, context, seed, curl)
        }

        init(notAsked verdict: CaseVerdict) {
            sitting = Sitting(verdict: verdict, evidence: CaseEvidence(), header: nil, errorOutput: [])
        }
    }

    /// `isControl`: the scenario need not be in the catalogue, and no control is run for its verdict.
    private func examine(
        _ asked: Case, of scenario: Scenario, recutting: Recutting? = nil, seed: UInt64? = nil, isControl: Bool = false,
        isAfterLoss: Bool = false
    ) async -> ExaminedCase {
        let wanted = wantedProtocol.spoken(byALPNAlone: speaksByALPNAlone.withLock(\.self))
        let item = asked.asked(inRunOf: wanted)
        let id = CaseID(scenario: scenario.id, name: item.name)
        if let refusal = ProtocolRefusal(of: item, in: scenario, speaking: wanted) {
            return ExaminedCase(notAsked: .skipped(id, kind: item.kind, reason: refusal.reason))
        }
        let start = MonotonicClock.nanoseconds
        let run: Run
        var assignment: Assignment
        do {
            run =
                isControl
                ? try await server.run(
                    scenario, speaking: wanted, bounds: RunBounds(), seed: seed, firstPort: adapter.client?.runPort)
                : try await server.run(
                    scenario.id, speaking: wanted, recutting: recutting, bounds: RunBounds(), seed: seed,
                    firstPort: adapter.client?.runPort ?? recording?.firstPort, recording: recording)
        } catch {
            return ExaminedCase(notAsked: Self.verdict(on: id, kind: item.kind, withoutRun: error))
        }
        do throws(AssignmentFailure) {
            assignment = try run.assignment(for: item)
        } catch {
            await run.stop()
            return ExaminedCase(notAsked: .setupFailed(id, kind: item.kind, reason: error.description))
        }
        let grader = CaseGrader(
            item, scenario: scenario.id, context: run.context, platform: platform, ledger: ledger)
        if let reason = grader.skipReason {
            await run.stop()
            return ExaminedCase(notAsked: .skipped(id, kind: item.kind, reason: reason))
        }
        if adapter.link != nil, assignment.hasLaunches {
            await run.stop()
            return ExaminedCase(
                notAsked: .skipped(
                    id, kind: item.kind, reason: "the client is started again, which no adapter over the network can be"
                ))
        }
        assignment.deadline = CaseTimes.deadline(
            assignment.deadline, of: id, knownIn: ledger, delay: delay.factor, limit: deadlineLimit)
        var sitting = await ask(assignment, item, grader: grader, run: run)
        if isAskedAgain(scenario, over: wanted, sitting.header) {
            return await examine(
                asked, of: scenario, recutting: recutting, seed: seed ?? run.seed, isControl: isControl)
        }
        if let loss = sitting.loss, let link = adapter.link {
            // In a run of its own: half of the case has already changed what this one would answer.
            if !isAfterLoss, !link.isAbandoned, !Task.isCancelled {
                link.noteEvent("\(id): \(loss); the case is asked again")
                return await examine(
                    asked, of: scenario, recutting: recutting, seed: seed ?? run.seed, isControl: isControl,
                    isAfterLoss: true)
            }
            let twice = isAfterLoss && !link.isAbandoned ? ", as when it was asked before" : ""
            sitting.verdict = .setupFailed(id, kind: item.kind, reason: loss + twice)
        }
        let isRepeated = if case .often? = recutting { true } else { false }
        if !isControl, !isRepeated {
            let ask = { (scenario: Scenario, item: Case) in
                await examine(item, of: scenario, isControl: true).sitting
            }
            for control in sitting.evidence.controls(of: item, by: assignment, after: sitting.verdict.outcome) {
                let reason = await controls.reason(control, in: server.catalogue.scenario, ask: ask)
                sitting.evidence.setReason(reason, for: control)
            }
            if sitting.evidence.failedControl != nil { sitting.verdict = grader.grade(sitting.evidence) }
        }
        if keepsOutlines { sitting.outline = RunOutline(sitting.evidence, context: run.context) }
        // curl makes its requests itself, and what is judged elsewhere has no record.
        let curl = item.sendsBytes || gradesNothing ? nil : CurlCommand(of: item, in: run)
        let passed = (MonotonicClock.nanoseconds &- start) / 1_000
        sitting.ownMicroseconds = max(0, Int(passed) - sitting.childMicroseconds)
        return ExaminedCase(sitting, context: run.context, seed: run.seed, curl: curl)
    }

    /// Whether what was asked without TLS is to be asked again with it, since the client has it by ALPN alone.
    private func isAskedAgain(_ scenario: Scenario, over wanted: RunProtocol, _ header: TraceHeader?) -> Bool {
        guard let header, wanted.needsTLS(of: header.abilities) else { return false }
        speaksByALPNAlone.withLock { $0 = true }
        return scenario.origins.contains { $0.getsTLS(inRunOf: .h2OverTLS) }
    }

    /// The verdict on a case whose run could not be opened; where the system lacks a feature, the client was not run.
    private static func verdict(on id: CaseID, kind: Case.Kind, withoutRun error: any Error) -> CaseVerdict {
        switch error {
        case let refusal as SecurityRefusal where refusal.reason == .notOffered:
            .skipped(id, kind: kind, reason: refusal.description)
        case let refusal as HashRefusal: .skipped(id, kind: kind, reason: "not offered: \(refusal)")
        case let refusal as HostRefusal: .skipped(id, kind: kind, reason: refusal.description)
        default: .setupFailed(id, kind: kind, reason: "the run could not be opened: \(error)")
        }
    }

    private func ask(_ assignment: Assignment, _ item: Case, grader: CaseGrader, run: Run) async -> Sitting {
        let start = MonotonicClock.nanoseconds
        let performance = await performLaunches(assignment, item, of: grader.id, in: run)
        let outcome = performance.outcome
        let microseconds = Int((MonotonicClock.nanoseconds &- start) / 1_000)
        var held: [String] = []
        if let endTime {
            let end = MonotonicClock.nanoseconds &+ (endTime * delay.factor).wholeNanoseconds
            await run.waitForEndsOfConnections(within: endTime * delay.factor)
            if let process = outcome.process { held = await Self.heldConnections(of: process, to: run, until: end) }
        }
        // First lets the client's open connections end, so that the journal is complete.
        await run.stop(grace: CaseTimes.settling(of: item))
        let journal = run.journal.snapshot()
        let trace =
            performance.trace.map { make in
                let (header, events) = make(journal.entries)
                return IncomingTrace.Reading(events: events, header: header)
            } ?? performance.reading
        var evidence = CaseEvidence(
            events: trace.events, reportedLanes: trace.header.map { Set($0.lanes) },
            reportedFacts: CaseEvidence.reportedFacts(of: trace.header), journal: journal.entries,
            droppedCount: journal.droppedCount, ending: Self.ending(of: outcome))
        evidence.milliseconds = microseconds / 1_000
        evidence.spending = outcome.spending
        evidence.declaredAbilities = trace.header?.abilities
        evidence.clientVersion = trace.header?.clientVersion
        var verdict: CaseVerdict
        if let fault = trace.fault ?? Self.fault(of: outcome) {
            verdict = .adapterError(grader.id, kind: item.kind, fault)
        } else if trace.header == nil, let reason = Self.silence(of: outcome) {
            verdict = .setupFailed(grader.id, kind: item.kind, reason: reason)
        } else if gradesNothing {
            verdict = .notGraded(grader.id, kind: item.kind)
        } else {
            verdict = grader.grade(evidence)
        }
        if outcome.pausedMilliseconds > 0, verdict.outcome != .pass {
            // The client waited for a server that was stopped, and may have given up.
            verdict = .setupFailed(
                grader.id, kind: item.kind,
                reason:
                    "proctor itself did not run for \(outcome.pausedMilliseconds) ms while the client did, so that nothing "
                    + "is known of the client; ask the case again")
        }
        if case .disconnected(let reason) = outcome.ending {
            // What the trace held until then says nothing: the client may have gone on.
            verdict = .setupFailed(grader.id, kind: item.kind, reason: reason)
        }
        verdict.ending = evidence.ending
        var sitting = Sitting(
            verdict: verdict, evidence: evidence, header: trace.header, errorOutput: outcome.errorOutput, wasAsked: true
        )
        sitting.heldConnections = held
        if case .disconnected(let reason) = outcome.ending { sitting.loss = reason }
        sitting.childMicroseconds = microseconds
        if keepsTexts { (sitting.assignment, sitting.trace) = (performance.input, trace.text) }
        if recording != nil { sitting.program = assignment }
        return sitting
    }

    /// The names of the origins to which a living client has connections open at that time; none where none was open before.
    ///
    /// The system's list of connections takes milliseconds to read: only sockets that two looks have seen are looked for in it.
    private static func heldConnections(of process: Int32, to run: Run, until end: UInt64) async -> [String] {
        var names: [UInt16: String] = [:]
        for (name, url) in run.origins { names[url.split(separator: ":").last.flatMap { UInt16($0) } ?? 0] = name }
        var earlier: Set<Substring> = []
        while true {
            let processes = ProcessFiles.all(from: process)
            let sockets = processes.map(\.socketInodes)
            let all = sockets.reduce(into: Set()) { $0.formUnion($1) }
            if all.isEmpty { return [] }
            let isOver = MonotonicClock.nanoseconds >= end || Task.isCancelled
            if isOver || !all.isDisjoint(with: earlier) {
                let held = zip(processes, sockets).flatMap { $0.connectedPorts(of: $1) }.compactMap { names[$0] }
                guard !held.isEmpty, !isOver else { return held.sorted() }
            }
            earlier = all
            // The system tells of no end of a descriptor.
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Performs the assignment, by as many processes as the client is launched; they share a folder, which is removed
    /// with whatever they left in it.
    private func performLaunches(
        _ assignment: Assignment, _ item: Case, of id: CaseID, in run: Run
    ) async -> Performance {
        let measures = item.facts.contains(where: \.name.isOfSpending)
        if let client = adapter.client {
            return await perform(assignment, item, by: client, in: run, measuring: measures ? .start : nil)
        }
        let measuring = measures ? ChildUsage.Beginning.firstOutput : nil
        guard assignment.hasLaunches else { return await perform(assignment, of: id, in: run, measuring: measuring) }
        let folder: ClientFolder
        do throws(CallFailure) {
            folder = try ClientFolder(.storage)
        } catch {
            return Performance(
                outcome: WatchedChild.Outcome(ending: .notStarted(error)), reading: IncomingTrace.Reading(), input: [])
        }
        defer { folder.remove() }
        let parts = assignment.launches(storage: folder.path)
        var whole: Performance?
        for part in parts {
            let launch = MonotonicClock.nanoseconds
            let next = await perform(part, of: id, in: run, measuring: measuring)
            if whole == nil {
                whole = next
            } else {
                whole?.append(next, earlierSteps: part.earlierSteps ?? 0, launchedAt: launch)
            }
            if let excess = folder.excess {
                whole?.reading.fault = AdapterFault("the storage of the client has \(excess)")
                break
            }
            guard whole?.reading.fault == nil, next.permitsLaunch(after: part), !Task.isCancelled else { break }
        }
        return whole
            ?? Performance(
                outcome: WatchedChild.Outcome(ending: .exited(0)), reading: IncomingTrace.Reading(), input: [])
    }

    /// Performs an assignment by a client without an adapter.
    private func perform(
        _ assignment: Assignment, _ item: Case, by client: any AdapterlessClient, in run: Run,
        measuring: ChildUsage.Beginning?
    ) async -> Performance {
        let done = await client.perform(
            assignment, of: item, child: child(for: assignment, measuring: measuring), journal: run.journal)
        return Performance(
            outcome: done.outcome, reading: IncomingTrace.Reading(), trace: done.trace, input: assignment.json)
    }

    private func child(for assignment: Assignment, measuring: ChildUsage.Beginning?) -> WatchedChild {
        var child = WatchedChild(
            command: adapter.command, environment: adapter.environment, deadline: .milliseconds(assignment.deadline))
        if gradesNothing { child.gathering = .milliseconds(2) }
        child.patience = { [delay] in Self.watchdogDistance * delay.factor }
        child.measuring = measuring
        return child
    }

    /// Performs an assignment by one process: a kept one only where the client is started once, and is not measured, since
    /// memory of earlier cases would count.
    private func perform(
        _ assignment: Assignment, of id: CaseID, in run: Run, measuring: ChildUsage.Beginning?
    ) async -> Performance {
        var child = child(for: assignment, measuring: measuring)
        let incoming = IncomingTrace(
            of: id, awaited: assignment.awaited, in: run, keepsText: keepsTexts, bounds: traceBounds,
            earlierSteps: assignment.earlierSteps ?? 0)
        let listen: WatchedChild.OutputReader = { incoming.append($0) }
        let outcome: WatchedChild.Outcome
        if let link = adapter.link {
            outcome = await link.ask(child, assignment.json, onOutput: listen)
        } else if let children, !children.areUseless, assignment.storage == nil, measuring == nil {
            child.environment["PROCTOR_ASSIGNMENTS"] = "many"
            let kept = children.removeIdle()
            outcome = await kept.ask(child, assignment.json, isLast: children.areUntried, onOutput: listen)
            children.giveBack(kept)
            children.learn(from: outcome)
        } else {
            outcome = await child.run(input: assignment.json, onOutput: listen)
        }
        return Performance(
            outcome: outcome, reading: incoming.finish(isWhole: outcome.ending == .exited(0)), input: assignment.json)
    }

    private static func ending(of outcome: WatchedChild.Outcome) -> ClientEnding {
        let line = outcome.lastErrorLine
        return switch outcome.ending {
        case .notStarted(let failure): .couldNotStart(reason: failure.description)
        case .exited(0): .finished
        case .exited(let code): .exited(code: code, lastErrorLine: line)
        case .signalled(let signal): .crashed(signal: SignalName.name(of: signal), errorLine: outcome.trapLine)
        case .hung(let milliseconds): .hung(afterMilliseconds: milliseconds, lastErrorLine: line)
        case .outputTooLong, .refused: .outOfBounds(reason: "it wrote more than a trace may have")
        case .errorOutputTooLong(let limit): .outOfBounds(reason: excess(ofErrorOutput: limit))
        case .disconnected(let reason): .couldNotStart(reason: reason)
        }
    }

    private static func excess(ofErrorOutput limit: Int) -> String {
        "it wrote more than \(limit) bytes to standard error"
    }

    private static func fault(of outcome: WatchedChild.Outcome) -> AdapterFault? {
        guard case .errorOutputTooLong(let limit) = outcome.ending else { return nil }
        return AdapterFault(
            "the adapter was ended: \(excess(ofErrorOutput: limit)) for one assignment; let it log less there")
    }

    /// Why nothing is known of the client when the watchdog ended the adapter before its header; nil in all other
    /// cases.
    private static func silence(of outcome: WatchedChild.Outcome) -> String? {
        guard case .hung(let milliseconds) = outcome.ending else { return nil }
        let said = outcome.lastErrorLine.map { "; its last words: \($0)" } ?? ""
        return
            "the adapter wrote no header of a trace in \(milliseconds) ms, and was ended; a header is written before "
            + "anything is done\(said)"
    }
}

extension String {
    /// The text, cut to the limit for a record.
    fileprivate var recorded: String {
        count > RecordBounds.sentence ? prefix(RecordBounds.sentence - 1) + "…" : self
    }
}
