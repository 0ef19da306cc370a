internal import Foundation
internal import ProctorBase
internal import ProctorEvents
internal import ProctorProgram
internal import ProctorRecorder
internal import ProctorReference

/// What the steps of all old shapes share: the network, the thread of the delegates, and a folder for files.
final class LegacySteps: Sendable {
    let network: LegacyNetwork
    let queue: CallbackQueue
    let breaking: Breakage?
    /// Of files for which nothing else is said.
    let folder: String
    private let recorder: TraceRecorder
    private let setup: SessionSetup
    /// Ends the threads, when it is there.
    private let ending = Locked<Task<Void, Never>?>(nil)
    private let over = OneShotEvent()

    init(_ assignment: Assignment, breaking: Breakage?, recordingTo recorder: TraceRecorder) throws(CallFailure) {
        self.breaking = breaking
        self.recorder = recorder
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("proctor-legacy-\(UUID().uuidString)")
        folder = place.path
        do {
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        } catch {
            throw CallFailure(call: "mkdir \(folder)", code: Int32((error as NSError).code), text: "\(error)")
        }
        setup = assignment.session
        var configuration = try ReferenceConfiguration(setup, breaking: breaking)
        configuration.temporaryFolder = folder
        network = try LegacyNetwork(configuration: configuration)
        queue = try CallbackQueue(label: "D")
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The request of a step, with what it leaves behind when it is over; nil when it can't be made, which is written down.
    func request(of step: Assignment.Step, index: Int, family: CallbackFamily) -> (ClientRequest, StepBody)? {
        let notes = StepNotes(index, recorder: recorder, family: family)
        do {
            let body = try StepBody(step)
            return (StepRequest.make(step, body: body.body, in: setup), body)
        } catch {
            notes.unimplemented("steps[\(index)].body: it can't be put into a file: \(error)")
        }
        return nil
    }

    func record(
        of step: Assignment.Step, index: Int, family: CallbackFamily, challengeMethods: LegacyChallengeMethods
    ) -> LegacyRecord {
        LegacyRecord(
            StepRecord(step, number: index, family: family, recordingTo: recorder),
            challengeMethods: challengeMethods, queue: queue)
    }

    /// Runs one load from its start to its end, on the thread that its callbacks come on (R47), and writes the result.
    func run(_ load: any LegacyLoading, _ record: LegacyRecord, before end: UInt64) async -> AssignmentRunner.Ending {
        let task = LegacyStepTask(load)
        queue.submit { record.step.start(task) }
        let hasEnded = await Self.isOver(before: end) { await load.ended() }
        task.isOver()
        record.step.release()
        if record.isGivenUp { return .unimplemented }
        record.step.writeResult(hasEnded: hasEnded)
        return hasEnded ? .finished : .outOfTime
    }

    /// Whether what is waited for comes in time; `wait` returns when its task is cancelled.
    private static func isOver(before end: UInt64, _ wait: @escaping @Sendable () async -> Void) async -> Bool {
        await withTaskGroup { group in
            group.addTask {
                await wait()
                return !Task.isCancelled
            }
            group.addTask {
                try? await Task.sleep(for: .left(until: end))
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }

    /// Cancels what is under way and has the threads end, once; waits for nothing.
    func abandon() {
        ending.withLock { ending in
            guard ending == nil else { return }
            ending = Task { [network, queue, over] in
                await network.end()
                queue.end()
                over.come()
            }
        }
    }

    /// The same, and waits for it; false when the time is over first.
    func finish(before end: UInt64) async -> Bool {
        abandon()
        return await Self.isOver(before: end) { [over] in await over.wait() }
    }
}

/// A load of an old shape as a step sees it; it can't be suspended, which ``LegacySupport`` refuses.
private final class LegacyStepTask: StepTask {
    private let load: any LegacyLoading
    private let resumeHandler = Locked<(@Sendable (Int?) -> Void)?>(nil)

    init(_ load: any LegacyLoading) { self.load = load }

    func resume() { load.start() }
    func suspend() {}
    func cancel() { load.cancel() }

    /// What is left is known when the load has ended.
    func cancel(producingResumeData handler: @escaping @Sendable (Int?) -> Void) {
        resumeHandler.withLock { $0 = $0 ?? handler }
        load.cancel()
    }

    func isOver() {
        let handler = resumeHandler.withLock { handler in
            defer { handler = nil }
            return handler
        }
        handler?((load as? ReferenceDownload)?.resumeData?.byteCount)
    }
}

/// What the old shapes have no way to do, found before anything is done.
enum LegacySupport {
    /// Why an assignment can't be done, in words that name the key; `noun` is the shape.
    static func missing(for assignment: Assignment, tasks: Set<Assignment.TaskKind>, noun: String) -> String? {
        if let reason = missing(for: assignment.session, noun: noun) { return "session.\(reason)" }
        for (index, step) in assignment.steps.enumerated() {
            if let reason = missing(for: step, tasks: tasks, noun: noun) { return "steps[\(index)].\(reason)" }
        }
        return nil
    }

    private static func missing(for setup: SessionSetup, noun: String) -> String? {
        if setup.delegates != .session { return "delegates: \(noun) has one delegate of its own" }
        if setup.queue != .serial, setup.queue != .default {
            return "queue: \(noun) calls back on one thread of its own"
        }
        if setup.end != nil || setup.endAt != nil { return "end: \(noun) has no session that could end" }
        return nil
    }

    private static func missing(for step: Assignment.Step, tasks: Set<Assignment.TaskKind>, noun: String) -> String? {
        guard tasks.contains(step.task) else { return "task: \(noun) does no \(step.task)" }
        if step.protocolScript != nil { return StepSupport.scriptless(noun) }
        if step.suspendAt != nil { return "suspendAt: \(noun) can't be suspended" }
        if step.onResponse != .allow { return "onResponse: \(noun) asks for no disposition" }
        if step.onBodyStream == .never, !isCancelled(step, in: "needBodyStream") {
            return "onBodyStream: a return value can't be left out"
        }
        if step.answerAfter != nil, step.onChallenge.isEmpty {
            return "answerAfter: only challenges are answered by a call here, the rest by return value"
        }
        if let answer = step.onRedirect.first(where: { !isReturnable($0) }),
            !isCancelled(step, in: "redirect")
        {
            return "onRedirect: '\(answer.word)' is nothing that a return value can say"
        }
        if noun == connection, step.producesResumeData { return "producesResumeData: \(noun) leaves none" }
        if noun == connection, step.resume != nil { return "resume: \(noun) goes on with nothing but itself" }
        if step.task == .download, step.bodyForm.isAskedFor, step.body != nil {
            return "bodyForm: a download has no method that asks for a stream"
        }
        return nil
    }

    /// Whether the first of these questions gets no answer, because the program cancels in it.
    private static func isCancelled(_ step: Assignment.Step, in question: String) -> Bool {
        step.cancelAt == .event(question, count: 1)
    }

    static let connection = "a connection"
    static let download = "a download"

    private static func isReturnable(_ answer: Assignment.RedirectAnswer) -> Bool {
        switch answer {
        case .follow, .refuse, .change, .cancel: true
        case .cancelThenFollow, .cancelThenRefuse, .never, .twice: false
        }
    }
}
