internal import Foundation
internal import ProctorBase
internal import ProctorEvents
internal import ProctorProgram
internal import ProctorRecorder
internal import ProctorReference

/// Runs steps as NSURLConnection, its download delegate or NSURLDownload: families connection, connectionDownload,
/// download.
final class LegacySteps: ReferenceClient {
    private let shape: ReferenceShape
    private let setup: SessionSetup
    private let recorder: TraceRecorder
    private let network: LegacyNetwork
    private let queue: CallbackQueue
    /// For downloads without a path of their own; removed with this object.
    private let folder: String
    /// The numbers of steps that a later step resumes.
    private let resumed: Set<Int>
    /// The resume data of downloads and the path of the file, by the number of the step.
    private let resumeData = Locked<[Int: (data: ResumeData, path: String)]>([:])
    private let ending = Locked<Task<Void, Never>?>(nil)
    private let over = OneShotEvent()

    init(
        _ assignment: Assignment, as shape: ReferenceShape, breaking: Breakage?, recordingTo recorder: TraceRecorder
    ) throws(CallFailure) {
        self.shape = shape
        self.recorder = recorder
        setup = assignment.session
        resumed = Set(assignment.steps.compactMap(\.resume))
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("proctor-legacy-\(UUID().uuidString)")
        folder = place.path
        do {
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        } catch {
            throw CallFailure(call: "mkdir \(folder)", code: Int32((error as NSError).code), text: "\(error)")
        }
        var configuration = try ReferenceConfiguration(setup, breaking: breaking)
        configuration.temporaryFolder = folder
        configuration.makeCallFilter = breaking?.makeCallFilter(of: shape)
        network = try LegacyNetwork(configuration: configuration)
        queue = try CallbackQueue(label: "D")
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private var family: CallbackFamily {
        switch shape {
        case .connectionDownload: .connectionDownload
        case .download: .download
        default: .connection
        }
    }

    // MARK: Steps

    func perform(_ step: Assignment.Step, index: Int, before end: UInt64) async -> AssignmentRunner.Ending {
        let record = LegacyRecord(
            StepRecord(step, number: index, family: family, recordingTo: recorder),
            challengeMethods: shape == .connection ? .newMethod : .oldTrio, queue: queue)
        if let earlier = step.resume { return await resume(step, from: earlier, record, before: end) }
        let body: StepBody
        do {
            body = try StepBody(step)
        } catch {
            return unimplemented(record, "body: it can't be put into a file: \(error)")
        }
        defer { body.cleanUp() }
        let request = step.request(with: body.body, in: setup)
        let timeout = step.timeout.map { Duration.milliseconds($0) }
        switch shape {
        case .connectionDownload:
            let load = ReferenceConnectionDownload(
                request, delegate: ConnectionDownloadRecorder(record), on: network, scheduledOn: queue, timeout: timeout
            )
            return await run(load, record, before: end)
        case .download:
            let recorder = DownloadRecorder(record, folder: folder)
            let load = ReferenceDownload(request, delegate: recorder, on: network, scheduledOn: queue, timeout: timeout)
            return await run(load, recorder, before: end)
        default:
            let load = ReferenceConnection(
                request, delegate: ConnectionRecorder(record), on: network, scheduledOn: queue, timeout: timeout)
            return await run(load, record, before: end)
        }
    }

    private func resume(
        _ step: Assignment.Step, from earlier: Int, _ record: LegacyRecord, before end: UInt64
    ) async -> AssignmentRunner.Ending {
        if let left = resumeData.withLock({ $0[earlier] }) {
            let recorder = DownloadRecorder(record, folder: folder, destination: left.path)
            let load = ReferenceDownload(
                resuming: left.data, delegate: recorder, on: network, scheduledOn: queue,
                timeout: step.timeout.map { .milliseconds($0) })
            if let load { return await run(load, recorder, before: end) }
        }
        return unimplemented(record, "resume: step \(earlier) left no resume data")
    }

    private func unimplemented(_ record: LegacyRecord, _ reason: String) -> AssignmentRunner.Ending {
        record.step.notes.unimplemented("steps[\(record.step.number)].\(reason)")
        return .unimplemented
    }

    private func run(
        _ download: ReferenceDownload, _ recorder: DownloadRecorder, before end: UInt64
    ) async -> AssignmentRunner.Ending {
        let step = recorder.record.step
        // A removed file leaves no resume data.
        download.deletesFileUponFailure = step.step?.producesResumeData != true && !resumed.contains(step.number)
        let ending = await run(download, recorder.record, before: end)
        if let data = download.resumeData, let path = recorder.path {
            resumeData.withLock { $0[step.number] = (data, path) }
        }
        return ending
    }

    /// Runs one load to its end, on the thread of its callbacks (R47), and writes the result.
    private func run(
        _ load: any LegacyLoading, _ record: LegacyRecord, before end: UInt64
    ) async -> AssignmentRunner.Ending {
        let task = LegacyStepTask(load)
        queue.submit { record.step.start(task) }
        let hasEnded = await Self.isOver(before: end) { await load.ended() }
        task.isOver()
        record.step.release()
        if record.isGivenUp { return .unimplemented }
        record.step.writeResult(hasEnded: hasEnded)
        return hasEnded ? .finished : .outOfTime
    }

    /// Whether `wait` ends in time; it returns when its task is cancelled.
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

    // MARK: The end

    /// Cancels all loads and ends the threads, once; does not wait.
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

    /// Like ``abandon()``, and waits for the end; false when the time is over first.
    func finish(before end: UInt64) async -> Bool {
        abandon()
        return await Self.isOver(before: end) { [over] in await over.wait() }
    }
}

/// A load of an old shape as a step's task; it cannot be suspended, and an assignment that asks for that is refused.
private final class LegacyStepTask: StepTask {
    private let load: any LegacyLoading
    private let resumeHandler = Locked<(@Sendable (Int?) -> Void)?>(nil)

    init(_ load: any LegacyLoading) { self.load = load }

    func resume() { load.start() }
    func suspend() {}
    func cancel() { load.cancel() }

    /// Resume data exists only when the load has ended.
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
