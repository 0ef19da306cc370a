internal import Foundation
internal import ProctorBase
internal import ProctorRecorder
internal import ProctorReference
internal import ProctorTrace

/// What the steps of all old shapes share: the network, the thread of the delegates, and a folder for files.
final class LegacySteps: Sendable {
    let network: LegacyNetwork
    let queue: CallbackQueue
    let breaking: Breakage?
    /// Of files whose place nobody else says.
    let folder: String
    private let recorder: TraceRecorder
    private let setup: SessionSetup
    /// Ends the threads, when it is there.
    private let ending = Locked<Task<Void, Never>?>(nil)
    private let over = LegacyEnd()

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
        var configuration = ReferenceConfiguration()
        configuration.temporaryFolder = folder
        configuration.requestTimeout = setup.requestTimeout.map { .milliseconds($0) } ?? configuration.requestTimeout
        configuration.resourceTimeout = setup.resourceTimeout.map { .milliseconds($0) }
        configuration.takeRoute(of: setup, breaking: breaking)
        configuration.security = try setup.security(breaking: breaking)
        configuration.cookiePolicy = setup.cookiePolicy ?? .always
        configuration.cookieFault = breaking?.cookieFault
        configuration.cache = setup.cache.map { ReferenceCache(byteLimit: $0) }
        configuration.makeActionFilter = breaking?.makeActionFilter
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
    func run(_ load: any LegacyLoading, _ record: LegacyRecord, before end: UInt64) async -> StepEnd {
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
