internal import Foundation
internal import ProctorAssignments
internal import ProctorBase
internal import ProctorEvents
internal import ProctorProgram
internal import ProctorRecorder
internal import ProctorReference
internal import ProctorReferenceStorage

/// Runs steps as NSURLConnection, its download delegate or NSURLDownload.
///
/// Families: connection, connectionDownload, download.
final class LegacySteps: ReferenceClient {
    private let shape: ReferenceShape
    private let setup: SessionSetup
    private let recorder: TraceRecorder
    private let network: LegacyNetwork
    private let queue: CallbackQueue
    private let breaking: Breakage?
    private let cache: ReferenceCache?
    private let deletesNothing: Bool
    /// The folder for downloads without a path of their own; removed with this object.
    private let folder: String
    /// The number of steps that earlier processes have performed.
    private let earlierSteps: Int
    /// The numbers of steps that a later step resumes.
    private let resumed: Set<Int>
    private let refusedRedirect: ReferenceDownload.RefusedRedirect
    /// The resume data of downloads and the path of the file, by the number of the step.
    private let resumeData = Locked<[Int: (data: ResumeData, path: String)]>([:])
    private let ending = LegacyEnding()

    init(
        _ assignment: Assignment, as shape: ReferenceShape, breaking: Breakage?,
        refusedRedirect: ReferenceDownload.RefusedRedirect, storage: ReferenceStorage? = nil,
        recordingTo recorder: TraceRecorder
    ) throws(CallFailure) {
        (self.shape, self.refusedRedirect, self.recorder, self.breaking) = (shape, refusedRedirect, recorder, breaking)
        setup = assignment.session
        earlierSteps = assignment.earlierSteps ?? 0
        resumed = Set(assignment.steps.compactMap(\.resume).map { [earlierSteps] in $0 - earlierSteps })
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("proctor-legacy-\(UUID().uuidString)")
        folder = place.path
        do {
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        } catch {
            throw CallFailure(call: "mkdir \(folder)", code: Int32((error as NSError).code), text: "\(error)")
        }
        var configuration = try ReferenceConfiguration(assignment, breaking: breaking)
        configuration.useStores(of: storage)
        configuration.temporaryFolder = folder
        configuration.makeCallFilter = breaking?.makeCallFilter(of: shape)
        cache = configuration.cache
        deletesNothing = breaking.has(.deletesNothing)
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
        let place: CallbackQueue
        do throws(CallFailure) {
            place = try step.schedule.map { schedule throws(CallFailure) in try queue(for: schedule) } ?? queue
        } catch {
            return recorder.refuse("steps[\(index)].schedule: \(error)")
        }
        defer { if place !== queue { place.stop() } }
        let record = LegacyRecord(
            StepRecord(step, number: index, family: family, recordingTo: recorder, without: setup.without), setup,
            queue: place, isLabelled: step.schedule.map { $0.place == .queue } ?? true)
        if let earlier = step.resume { return await resume(step, from: earlier, record, before: end) }
        guard let body = record.step.makeBody() else { return .unimplemented }
        defer { body.cleanUp() }
        let request = step.request(with: body.body, in: setup)
        stores(for: request).perform(step.byHand)
        let timeout = step.timeout.map { Duration.milliseconds($0) }
        switch shape {
        case .connectionDownload:
            let load = ReferenceConnectionDownload(
                request, delegate: LegacyRecorder(record, folder: folder), on: network, scheduledOn: place,
                timeout: timeout)
            return await runScheduled(load, record, as: step.schedule, at: place, before: end)
        case .download:
            let recorder = LegacyRecorder(record, folder: folder)
            let load = ReferenceDownload(
                request, delegate: recorder, on: network, scheduledOn: queue, refusedRedirect: refusedRedirect,
                timeout: timeout)
            if let file = step.download, let name = file.destination {
                load.setDestination("\(folder)/\(name)", allowingOverwrite: file.overwrites ?? false)
            }
            return await runDownload(load, recorder, before: end)
        default:
            let load = ReferenceConnection(
                request, delegate: LegacyRecorder(record, folder: folder), on: network,
                scheduledOn: breaking.has(.ignoresSchedule) ? queue : place, timeout: timeout)
            return await runScheduled(load, record, as: step.schedule, at: place, before: end)
        }
    }

    private func stores(for request: ClientRequest) -> ReferenceStores {
        ReferenceStores(
            cookies: network.cookieStore, cache: cache, request: request, deletesNothing: deletesNothing)
    }

    private func resume(
        _ step: Assignment.Step, from earlier: Int, _ record: LegacyRecord, before end: UInt64
    ) async -> AssignmentRunner.Ending {
        if let left = resumeData.withLock({ $0[earlier - earlierSteps] }) {
            let recorder = LegacyRecorder(record, folder: folder, destination: left.path)
            let load = ReferenceDownload(
                resuming: left.data, delegate: recorder, on: network, scheduledOn: queue,
                refusedRedirect: refusedRedirect, timeout: step.timeout.map { .milliseconds($0) })
            if let load { return await runDownload(load, recorder, before: end) }
        }
        return record.step.lacks("resume: step \(earlier) left no resume data")
    }

    private func runDownload(
        _ download: ReferenceDownload, _ recorder: LegacyRecorder, before end: UInt64
    ) async -> AssignmentRunner.Ending {
        let step = recorder.record.step
        // A removed file leaves no resume data.
        download.deletesFileUponFailure =
            step.step?.download?.deletesFileUponFailure
            ?? (step.step?.producesResumeData != true && !resumed.contains(step.number))
        let ending = await run(download, recorder.record, before: end) { [folder] in
            Self.facts(of: download, at: recorder.path, in: folder)
        }
        if let data = download.resumeData, let path = recorder.path {
            resumeData.withLock { $0[step.number] = (data, path) }
        }
        return ending
    }

    /// The facts about the files after a download; `path` is nil when the download made no file.
    private static func facts(of download: ReferenceDownload, at path: String?, in folder: String) -> EventFacts {
        let files = FileManager.default
        var facts: EventFacts = []
        if let path {
            facts.append(EventFact(.file, .text((path as NSString).lastPathComponent)))
            facts.append(EventFact(.fileExists, .flag(files.fileExists(atPath: path))))
        }
        facts.append(EventFact(.files, .integer((try? files.contentsOfDirectory(atPath: folder).count) ?? 0)))
        facts.append(EventFact(.resumeData, .flag(download.resumeData != nil)))
        return facts
    }

    // MARK: Schedules

    /// The queue that represents the place of a schedule; the caller ends it unless it is the starter's.
    private func queue(for schedule: Assignment.Schedule) throws(CallFailure) -> CallbackQueue {
        switch schedule.place {
        case .starter: queue
        case .main, .thread, .queue, .noLoop: try CallbackQueue(label: schedule.place.rawValue)
        }
    }

    /// Makes a connection, schedules it at its place, starts it on the starter's thread, and runs it to its end.
    private func runScheduled(
        _ load: any LegacyLoading, _ record: LegacyRecord, as schedule: Assignment.Schedule?, at place: CallbackQueue,
        before end: UInt64
    ) async -> AssignmentRunner.Ending {
        guard let schedule else { return await run(load, record, before: end) }
        let notes = record.step.notes
        // The event is recorded on the place's own thread, so that the trace shows the thread.
        await Self.perform(on: schedule.place == .noLoop ? queue : place) {
            notes.schedule(
                schedule.place.rawValue, at: schedule.place == .queue ? place.label : nil,
                mode: schedule.mode == .other ? schedule.mode.rawValue : nil)
        }
        if schedule.start == .later {
            if breaking.has(.startsWhenMade) { load.start() }
            try? await Task.sleep(for: .milliseconds(Assignment.Schedule.patience))
        }
        let isSilent = schedule.mode == .other || schedule.place == .noLoop
        let task = LegacyStepTask(load)
        queue.submit {
            if isSilent { place.suspend() }
            record.step.start(task)
            if schedule.start == .twice { load.start() }
        }
        if isSilent {
            try? await Task.sleep(for: .milliseconds(Assignment.Schedule.patience))
            if schedule.place == .noLoop {
                record.step.cancel()
                return await written(record, hasEnded: true, before: end)
            }
            place.release { notes.mode(schedule.mode.rawValue) }
        }
        return await isOver(load, task, record, before: end)
    }

    /// Returns when `act` has run, or at once when the queue has ended.
    private static func perform(on queue: CallbackQueue, _ act: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            let isTaken = queue.submit {
                act()
                continuation.resume()
            }
            if !isTaken { continuation.resume() }
        }
    }

    /// Runs one load to its end, on the thread of its callbacks (R47), and records the result with the facts that
    /// `facts` returns.
    private func run(
        _ load: any LegacyLoading, _ record: LegacyRecord, before end: UInt64, facts: () -> EventFacts = { [] }
    ) async -> AssignmentRunner.Ending {
        let task = LegacyStepTask(load)
        queue.submit { record.step.start(task) }
        return await isOver(load, task, record, before: end, facts: facts)
    }

    private func isOver(
        _ load: any LegacyLoading, _ task: LegacyStepTask, _ record: LegacyRecord, before end: UInt64,
        facts: () -> EventFacts = { [] }
    ) async -> AssignmentRunner.Ending {
        let hasEnded = await TimeLimit.isOver(before: end) { await load.ended() }
        task.isOver()
        record.step.addFacts(file: facts())
        return await written(record, hasEnded: hasEnded, before: end)
    }

    private func written(_ record: LegacyRecord, hasEnded: Bool, before end: UInt64) async -> AssignmentRunner.Ending {
        record.step.release()
        if let step = record.step.step, !step.reads.isEmpty {
            record.step.recordStores(stores(for: step.request(with: .none, in: setup)).facts(of: step.reads))
        }
        if record.isGivenUp { return .unimplemented }
        if hasEnded, shape != .download { await record.waitForRelease(before: end) }
        record.step.writeResult(hasEnded: hasEnded)
        return hasEnded ? .finished : .outOfTime
    }

    // MARK: The end

    /// Cancels all loads and ends the threads, once; does not wait.
    func abandon() {
        ending.start(network, queue)
    }

    /// Like ``abandon()``, and waits for the end; false when the time is over first.
    func finish(before end: UInt64) async -> Bool {
        abandon()
        return await ending.isOver(before: end)
    }
}

/// Ends a network and the queue of its callbacks; any thread may call it.
final class LegacyEnding: Sendable {
    private let task = Locked<Task<Void, Never>?>(nil)
    private let over = OneShotEvent()

    /// Cancels all loads and ends the threads, once; does not wait.
    func start(_ network: LegacyNetwork, _ queue: CallbackQueue) {
        task.withLock { task in
            guard task == nil else { return }
            task = Task { [over] in
                await network.stop()
                queue.stop()
                over.come()
            }
        }
    }

    /// Whether both have ended in time.
    func isOver(before end: UInt64) async -> Bool {
        await TimeLimit.isOver(before: end) { [over] in await over.wait() }
    }
}

enum TimeLimit {
    /// Whether `wait` ends in time; it must return when its task is cancelled.
    static func isOver(before end: UInt64, _ wait: @escaping @Sendable () async -> Void) async -> Bool {
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
}

/// A load of NSURLConnection or NSURLDownload as a step's task; an assignment that suspends it is refused.
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

/// Runs steps as requests of NSURLConnection without a delegate: families connectionSync and connectionQueued.
final class RequestSteps: ReferenceClient {
    private let shape: ReferenceShape
    private let setup: SessionSetup
    private let recorder: TraceRecorder
    private let network: LegacyNetwork
    /// The queue for every queued request of the assignment; for the main queue, this client uses one of its own.
    private let queue: CallbackQueue
    private let ending = LegacyEnding()

    init(
        _ assignment: Assignment, as shape: ReferenceShape, breaking: Breakage?, storage: ReferenceStorage? = nil,
        recordingTo recorder: TraceRecorder
    ) throws(CallFailure) {
        (self.shape, self.recorder) = (shape, recorder)
        setup = assignment.session
        var configuration = try ReferenceConfiguration(assignment, breaking: breaking)
        configuration.useStores(of: storage)
        configuration.makeCallFilter = breaking?.makeCallFilter(of: shape)
        network = try LegacyNetwork(configuration: configuration)
        queue = try CallbackQueue(label: setup.queue == .main ? "main" : "D")
    }

    private var family: CallbackFamily { shape == .connectionSync ? .connectionSync : .connectionQueued }

    func perform(_ step: Assignment.Step, index: Int, before end: UInt64) async -> AssignmentRunner.Ending {
        let record = StepRecord(step, number: index, family: family, recordingTo: recorder)
        guard let body = record.makeBody() else { return .unimplemented }
        defer { body.cleanUp() }
        let request = ReferenceRequest(
            step.request(with: body.body, in: setup), on: network, timeout: step.timeout.map { .milliseconds($0) })
        // A thread of its own, since the call may block it.
        guard let caller = WorkerThread({ [self] in send(request, record) }) else {
            return record.refuse("steps[\(index)]: the system gives no thread for the call")
        }
        caller.detach()
        let hasEnded = await record.waitForEnd(before: end)
        await waitForQueue()
        record.writeResult(hasEnded: hasEnded)
        return hasEnded ? .finished : .outOfTime
    }

    /// Returns when the calls in the queue have been made, so that a second call of a block is recorded.
    private func waitForQueue() async {
        await withCheckedContinuation { continuation in
            if !queue.submit({ continuation.resume() }) { continuation.resume() }
        }
    }

    /// Sends the request on the program's calling thread; records the return of the call.
    private func send(_ request: ReferenceRequest, _ record: StepRecord) {
        let recording = OutcomeRecording(ofRequest: record, queue: queue)
        guard shape == .connectionSync else {
            record.notes.schedule("queue", at: queue.label)
            record.notes.record(.resume)
            request.send(on: queue) { [self] call in
                guard case .handler(let outcome) = call else { return recordCall(call, record) }
                recording.called(outcome.content, outcome.response, error: outcome.error)
            }
            return record.notes.record(.returned)
        }
        record.notes.record(.resume)
        let outcome = request.sendSynchronously { [self] in recordCall($0, record) }
        record.notes.record(.returned)
        recording.returned(outcome.content, outcome.response, error: outcome.error)
    }

    /// Records a call that only a client with a deliberate fault makes.
    private func recordCall(_ call: DelegateCall, _ record: StepRecord) {
        guard case .response(let response) = call else { return }
        record.enter(
            .response, EventDetail(response), queue: queue.here, method: "connection:didReceiveResponse:"
        ).returns()
    }

    // MARK: The end

    func abandon() {
        ending.start(network, queue)
    }

    func finish(before end: UInt64) async -> Bool {
        abandon()
        return await ending.isOver(before: end)
    }
}

extension TaskOutcome {
    /// nil after an error, unless there is content beside it.
    fileprivate var content: [UInt8]? { error == nil || !bytes.isEmpty ? bytes : nil }
}
