import Foundation
import ProctorBase
import ProctorEvents
import ProctorFixtures
import ProctorGrading
import ProctorJournal
import ProctorModules
import ProctorRecorder
import ProctorReferenceAdapter
import ProctorRules
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import Testing
import proctor

@testable import ProctorProgram

/// The library of fixtures on a server of this process, in which the reference client sits the exam too.
struct ExamServer {
    let server: Server
    let scenarios: [Scenario]

    /// Opened on first use; it stays open until the process ends.
    static let shared = Task { try await ExamServer() }

    init(of scenarios: [Scenario]) async throws {
        self.scenarios = scenarios
        server = try await Server.start(Catalogue(scenarios))
    }

    private init() async throws {
        ServerModules.register()
        let folder = URL(filePath: #filePath).appending(path: "../../../../fixtures").standardized
        let loaded = ScenarioLoader.load(paths: [folder.path])
        try #require(loaded.isClean, "\(loaded.diagnostics)")
        scenarios = loaded.scenarios
        server = try await Server.start(Catalogue(loaded.scenarios), configuration: .ofProgram)
    }

    /// Every case of a family of fixtures, as the folder is named.
    func cases(of folder: String) -> [ExamEntry] {
        scenarios.filter { $0.id.hasPrefix("\(folder)/") }.flatMap { scenario in
            scenario.cases.map { ExamEntry(scenario: scenario, item: $0) }
        }
    }

    /// Milliseconds; a case needs far less, but other tests may keep the machine busy meanwhile.
    private static let leastDeadline = 70_000

    /// Sets one case in a run of its own; takes at most the deadline and a moment.
    ///
    /// Where `dataIsDownloaded`, it is the case's sitting as a download; of a case without one, steps whose task is `data`
    /// are done as downloads. `deadline` is in milliseconds and takes the place of the case's.
    func sit(
        _ entry: ExamEntry, as shape: ReferenceShape, breaking: Breakage? = nil, dataIsDownloaded: Bool = false,
        on platform: Platform = .neutral, deadline: Int? = nil
    ) async throws -> (verdict: CaseVerdict, timeline: Timeline) {
        let (evidence, grader) = try await evidence(
            of: entry, as: shape, breaking: breaking, dataIsDownloaded: dataIsDownloaded, on: platform,
            deadline: deadline)
        let verdict = grader.grade(evidence)
        return (verdict, Timeline(evidence, verdict: verdict))
    }

    /// The same before it is graded, with the grader that does it.
    func evidence(
        of entry: ExamEntry, as shape: ReferenceShape, breaking: Breakage? = nil, dataIsDownloaded: Bool = false,
        on platform: Platform = .neutral, deadline: Int? = nil
    ) async throws -> (CaseEvidence, CaseGrader) {
        let run = try await server.run(entry.scenario.id)
        let item = dataIsDownloaded ? entry.item.asDownload ?? entry.item : entry.item
        var assignment = try run.assignment(for: item)
        assignment.deadline = max(assignment.deadline, Self.leastDeadline)
        if dataIsDownloaded {
            for index in assignment.steps.indices where assignment.steps[index].task == .data {
                assignment.steps[index].task = .download
            }
        }
        if let deadline { assignment.deadline = deadline }
        let recorder = TraceRecorder()
        var runner = ReferenceRunner(assignment, as: shape, breaking: breaking, recordingTo: recorder)
        runner.pacCommand = [BuiltProduct.referenceClient, "--find-proxies"]
        runner.deliversRefusedDownload = shape == .download && platform.refusedDownloadRedirect == .deliver
        if let awaited = AwaitedEvents(assignment.awaited, lanes: runner.header.lanes) {
            run.expectsReports = true
            recorder.observe { event in
                if awaited.contains(event) { run.reached(event: event.name, task: event.task) }
            }
        }
        let ending = await runner.run()
        let events = recorder.events
        // What the client had begun may end; then the journal is complete.
        await run.stop(grace: .milliseconds(200))
        let journal = run.journal.snapshot()
        var evidence = CaseEvidence(
            events: events, reportedLanes: Set(runner.header.lanes),
            reportedFacts: CaseEvidence.reportedFacts(of: runner.header), journal: journal.entries,
            droppedCount: journal.droppedCount,
            ending: ending == .outOfTime
                ? .hung(afterMilliseconds: assignment.deadline, lastErrorLine: nil) : .finished)
        // The abilities that a client without a list lacks, and the reference client has.
        if !item.needs.isDisjoint(with: [
            .eventSource, .eventStream, .websocket, .ntlm, .negotiate, .negotiateStub, .pac,
        ]) {
            evidence.declaredAbilities = runner.header.abilities
        }
        let grader = CaseGrader(item, scenario: entry.scenario.id, context: run.context, platform: platform)
        return (evidence, grader)
    }
}

extension Case {
    /// Whether nothing passes between the client and the load but the result, as the case has it.
    fileprivate func isOfOneCall(_ program: ClientProgram, among tasks: Set<ClientProgram.TaskKind>) -> Bool {
        tasks.contains(program.task) && program.cancelAt == nil && program.onChallenge.isEmpty
            && program.onRedirect.allSatisfy { $0.word == "follow" }
            && lanes.keys.allSatisfy { $0.hasPrefix("handler") }
    }
}

struct ExamEntry: Sendable {
    let scenario: Scenario
    let item: Case

    var id: CaseID { CaseID(scenario: scenario.id, name: item.name) }

    /// Whether every step of it is something that the API knows.
    func applies(to shape: ReferenceShape) -> Bool {
        item.client.allSatisfy { program in
            // A script is a URLProtocol's program, so a case that has one is none for a client that loads by itself.
            if program.protocolScript != nil, shape != .urlProtocol { return false }
            return switch shape {
            case .session: program.task != .synchronous && program.task != .queued && !program.isOfOldDelegates
            case .connection: program.task == .data || program.task == .upload
            // A question about TLS is its own to answer (R20), so a case that answers one is none for it.
            case .urlProtocol:
                (program.task == .data || program.task == .upload)
                    && !(scenario.id.hasPrefix("tls/") && !program.onChallenge.isEmpty)
            case .connectionDownload, .download: program.task == .download
            case .connectionSync: item.isOfOneCall(program, among: [.synchronous, .async])
            case .connectionQueued: item.isOfOneCall(program, among: [.queued, .handler])
            case .sequence: item.isOfOneCall(program, among: [.data, .upload])
            }
        } && !item.client.isEmpty
    }

    /// Whether bodies of megabytes are made and judged for it, which holds a thread of the pool for long.
    var isHeavy: Bool { scenario.transferMilliseconds(of: item) >= 100 }

    /// Whether its data can be taken by downloads instead, which stream no request and play no script.
    var isDownloadable: Bool {
        item.client.contains { $0.task == .data }
            && item.client.allSatisfy { $0.bodyForm == .data && $0.protocolScript == nil }
    }
}

extension ClientProgram {
    /// Whether it has words that only a connection or an NSURLDownload with its delegate can be told.
    fileprivate var isOfOldDelegates: Bool {
        let ofOldFamilies: Set<DelegateMethod> = [.askCanAuth, .askCredStore, .shouldDecode, .destination]
        return step.onCanAuthenticate != nil || step.onCredentialStorage != nil || step.onShouldDecode != nil
            || onCanonicalize != nil || step.schedule != nil || step.download != nil || session?.challengeMethods != nil
            || !ofOldFamilies.isDisjoint(with: session?.without ?? [])
    }
}
