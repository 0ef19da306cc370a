internal import CUV
package import ProctorBase
internal import Synchronization

/// A libuv loop on its own thread, which Swift tasks can prefer as their executor (SE-0417).
///
/// Enter it with ``run(_:)`` or `Task(executorPreference:)`. Child tasks inherit the preference; a bare `Task {}` does
/// not. Sockets, listeners and timers belong to the loop that made them, and check that they are used on its thread.
@safe package final class EventLoop: TaskExecutor, @unchecked Sendable {
    // Unchecked: except for `thread` and `remote`, which are Sendable, only the loop's thread uses its state.
    let uv: UnsafeMutablePointer<uv_loop_t>
    private let wakeUp: UnsafeMutablePointer<uv_async_t>
    /// The read buffer of all connections of this loop.
    let scratch: UnsafeMutableRawBufferPointer
    private var localJobs: [UnownedJob] = []
    private var runningJobs: [UnownedJob] = []
    /// Tasks that wait in ``yieldToOthers()``; those before `nextPostponed` were resumed.
    private var postponed: [UnsafeContinuation<Void, Never>] = unsafe []
    private var nextPostponed = 0
    /// Tasks that wait in ``yieldToReady()``.
    private var givingWay: [UnsafeContinuation<Void, Never>] = unsafe []
    private var isStopping = false
    let deadlines = DeadlineSweeper()
    let sleeps = SleepQueue()
    /// What the thread works on, for ``LoopWatch``.
    let work = LoopWork()
    /// nil if nothing watches the loop.
    private let watch: LoopWatch?
    let lateTurns = LateTurns()
    #if !canImport(Darwin)
        let peerQueues = PeerQueues()
    #endif

    /// The loop's pthread; 0 before the thread runs and after it ended.
    private let thread = Atomic<UInt>(0)
    private let remote = Locked(Remote())

    @safe private struct Remote {
        var jobs: [UnownedJob] = []
        var commands: [@Sendable () -> Void] = []
        /// Whether new work is refused; the wake-up handle may no longer exist then.
        var isClosed = false
        var isWoken = false
        var hasEnded = false
        var endWaiters: [UnsafeContinuation<Void, Never>] = unsafe []
    }

    /// 64 KiB: the most that one `read` returns.
    static let scratchByteCount = 65_536
    /// How many rounds of jobs may run between two polls of the sockets.
    private static let roundLimit = 64
    /// Nanoseconds that jobs may run between two polls of the sockets; postponed tasks have as much again.
    ///
    /// The clock is read after every ``jobsBetweenLooks`` jobs.
    private static let jobBudget: UInt64 = 2_000_000
    private static let jobsBetweenLooks = 4

    /// Starts the loop's thread, which runs until ``stop()``.
    package init(name: String = "proctor-loop", watchedBy watch: LoopWatch? = nil) throws(CallFailure) {
        self.watch = watch
        unsafe uv = .allocate(capacity: 1)
        unsafe wakeUp = .allocate(capacity: 1)
        unsafe scratch = .allocate(byteCount: Self.scratchByteCount, alignment: 64)
        try unsafe FirstLoop.initialise(uv)
        unsafe wakeUp.pointee.data = Unmanaged.passUnretained(self).toOpaque()
        unsafe uv.pointee.data = Unmanaged.passUnretained(self).toOpaque()
        do throws(CallFailure) {
            try check(unsafe uv_async_init(uv, wakeUp, loopWasWoken), "uv_async_init")
        } catch {
            unsafe uv_loop_close(uv)
            throw error
        }
        do throws(CallFailure) {
            try sleeps.open(on: self)
            try LoopThread.start(self, name: name)
        } catch {
            closeOwnHandles()
            throw error
        }
    }

    deinit {
        unsafe wakeUp.deallocate()
        unsafe uv.deallocate()
        unsafe scratch.deallocate()
    }

    /// Whether the caller is on the loop's thread.
    package var isCurrent: Bool { thread.load(ordering: .relaxed) == currentThread() }

    /// Whether the loop's thread has started and has not ended.
    @usableFromInline package var isRunning: Bool { thread.load(ordering: .relaxed) != 0 }

    /// Traps unless called on the loop's thread, since libuv is not thread-safe.
    package func preconditionOnLoop(_ primitive: StaticString = #function) {
        precondition(
            isCurrent,
            "\(primitive) was used off its loop's thread; enter the loop with EventLoop.run or executorPreference")
    }

    // MARK: Tasks

    /// Any thread may call it; a call on the loop's thread takes no lock.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isCurrent {
            localJobs.append(job)
            return
        }
        let isTaken = remote.withLock { remote in
            guard !remote.isClosed else { return false }
            remote.jobs.append(job)
            wake(&remote)
            return true
        }
        // After the loop has ended, the last steps of its tasks run on the global executor.
        if !isTaken { globalConcurrentExecutor.enqueue(job) }
    }

    /// Runs `body` as a task of this loop and waits for it; cancelling the caller cancels the task.
    package func run<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let task = Task(executorPreference: self, operation: body)
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Runs a command soon on the loop's thread; any thread may call it.
    ///
    /// A loop that has ended drops the command.
    package func submit(_ command: @escaping @Sendable () -> Void) {
        remote.withLock { remote in
            guard !remote.isClosed else { return }
            remote.commands.append(command)
            wake(&remote)
        }
    }

    /// Runs a command now if this is the loop's thread, otherwise as ``submit(_:)`` does.
    package func perform(_ command: @escaping @Sendable () -> Void) {
        if isCurrent { command() } else { submit(command) }
    }

    /// The caller holds the lock: once `isClosed` is set, no thread may use the handle.
    private func wake(_ remote: inout Remote) {
        guard !remote.isWoken else { return }
        remote.isWoken = true
        unsafe uv_async_send(wakeUp)
    }

    /// Lets other tasks run and the sockets be polled; for a task that has much work and never has to wait.
    ///
    /// Tasks that wait here are resumed in order, for at most ``jobBudget`` between two polls of the sockets.
    package func yieldToOthers() async {
        preconditionOnLoop()
        unsafe await withUnsafeContinuation { continuation in unsafe postponed.append(continuation) }
    }

    /// Lets the ready jobs run; for a task that has little work and never has to wait.
    ///
    /// A continuation that is resumed before the task has stopped would not stop it, so the next round of jobs resumes it.
    func yieldToReady() async {
        preconditionOnLoop()
        unsafe await withUnsafeContinuation { continuation in unsafe givingWay.append(continuation) }
    }

    // MARK: Work

    /// A job or an event of a descriptor begins; loop thread only.
    @inline(__always)
    func beginTurn() {
        work.beginTurn()
        watch?.noteTurn()
    }

    /// Records the request of the present turn; loop thread only.
    ///
    /// `subject` is retained until the next call. `owner` is referenced weakly; its `number` is unique among all
    /// owners. `request` is -1 for a request without a number.
    package func noteRequest(
        _ subject: any AnyObject & Sendable, of owner: any AnyObject & Sendable, number: UInt64, connection: Int,
        request: Int
    ) {
        guard watch != nil else { return }
        work.noteRequest(subject, of: owner, number: number, connection: connection, request: request)
    }

    /// Records a step of the request that ``noteRequest(_:of:number:connection:request:)`` recorded last; loop thread
    /// only.
    ///
    /// The caller defines the step's number.
    package func noteStep(_ step: UInt8, detail: Int) {
        if watch != nil { work.noteStep(step, detail: detail) }
    }

    // MARK: End

    /// Ends the thread when every socket, listener, sleep and watcher of this loop is closed; any thread may call it.
    ///
    /// Until then the loop runs, so that their tasks can be cancelled and can clean up.
    package func stop() {
        submit { self.isStopping = true }
    }

    /// Waits until the thread has ended after ``stop()`` and the loop's descriptors are closed.
    package func ended() async {
        unsafe await withUnsafeContinuation { continuation in
            let hasEnded = remote.withLock { remote in
                if !remote.hasEnded { unsafe remote.endWaiters.append(continuation) }
                return remote.hasEnded
            }
            if hasEnded { unsafe continuation.resume() }
        }
    }

    /// Open libuv handles, except the loop's own; loop thread only.
    var handleCount: Int {
        preconditionOnLoop()
        var count = 0
        unsafe withUnsafeMutablePointer(to: &count) { unsafe uv_walk(uv, countHandle, $0) }
        return count - 1 - deadlines.handleCount - sleeps.handleCount
    }

    // MARK: The thread

    func runToTheEnd() {
        thread.store(currentThread(), ordering: .relaxed)
        while true {
            takeRemoteWork()
            runJobs()
            if isStopping, isIdle, refusesRemoteWork() { break }
            let hasWork =
                unsafe hasJobs || !postponed.isEmpty || sleeps.hasOverdue || !lateTurns.isEmpty
            work.endTurn()
            lateTurns.beginPoll()
            unsafe uv_run(uv, hasWork ? UV_RUN_NOWAIT : UV_RUN_ONCE)
            resumePostponed()
            if !lateTurns.isEmpty { lateTurns.serve() }
            if sleeps.hasOverdue { sleeps.wakeOverdue() }
        }
        closeOwnHandles()
        work.endTurn()
        thread.store(0, ordering: .relaxed)
        unsafe takeEndWaiters().forEach { unsafe $0.resume() }
    }

    private func runJobs() {
        // A job may enqueue another job. The jobs of one round run before the loop polls again. The bounds keep tasks
        // that never wait, and many jobs at once, from starving the sockets.
        var rounds = 0
        var left = Self.jobsBetweenLooks
        var limit: UInt64?
        while hasJobs, rounds < Self.roundLimit {
            resumeThoseThatGaveWay()
            swap(&localJobs, &runningJobs)
            for (index, job) in runningJobs.enumerated() {
                beginTurn()
                unsafe job.runSynchronously(on: asUnownedTaskExecutor())
                left -= 1
                guard left == 0 else { continue }
                left = Self.jobsBetweenLooks
                let now = MonotonicClock.nanoseconds
                if now < limit ?? .max {
                    limit = limit ?? now &+ Self.jobBudget
                } else {
                    // The rest keeps its order and comes before jobs that were enqueued meanwhile.
                    localJobs.insert(contentsOf: runningJobs[(index + 1)...], at: 0)
                    runningJobs.removeAll(keepingCapacity: true)
                    return
                }
            }
            runningJobs.removeAll(keepingCapacity: true)
            rounds += 1
        }
    }

    private var hasJobs: Bool { unsafe !localJobs.isEmpty || !givingWay.isEmpty }

    /// Their jobs come behind those that are ready.
    private func resumeThoseThatGaveWay() {
        guard unsafe !givingWay.isEmpty else { return }
        let continuations = unsafe givingWay
        unsafe givingWay = []
        unsafe continuations.forEach { unsafe $0.resume() }
    }

    private func resumePostponed() {
        // Without tasks that postpone themselves again meanwhile.
        let end = unsafe postponed.count
        guard end > 0 else { return }
        let limit = MonotonicClock.nanoseconds &+ Self.jobBudget
        repeat {
            let next = unsafe postponed[nextPostponed]
            nextPostponed += 1
            unsafe next.resume()
            runJobs()
        } while nextPostponed < end && MonotonicClock.nanoseconds < limit
        guard unsafe nextPostponed == postponed.count || nextPostponed >= Self.postponedLimit else { return }
        unsafe postponed.removeFirst(nextPostponed)
        nextPostponed = 0
    }

    /// The number of resumed entries after which they are removed together.
    private static let postponedLimit = 1_024

    fileprivate func takeRemoteWork() {
        var jobs: [UnownedJob] = []
        var commands: [@Sendable () -> Void] = []
        remote.withLock { remote in
            swap(&jobs, &remote.jobs)
            swap(&commands, &remote.commands)
            remote.isWoken = false
        }
        localJobs.append(contentsOf: jobs)
        guard !commands.isEmpty else { return }
        for command in commands {
            beginTurn()
            command()
        }
    }

    private var isIdle: Bool { unsafe !hasJobs && postponed.isEmpty && sleeps.isEmpty && handleCount == 0 }

    /// True if no other thread has added work since the last check; from then on none can.
    private func refusesRemoteWork() -> Bool {
        remote.withLock { remote in
            guard remote.jobs.isEmpty, remote.commands.isEmpty else { return false }
            remote.isClosed = true
            return true
        }
    }

    private func closeOwnHandles() {
        deadlines.close()
        sleeps.close()
        #if !canImport(Darwin)
            peerQueues.close()
        #endif
        unsafe uv_close(UnsafeMutableRawPointer(wakeUp).assumingMemoryBound(to: uv_handle_t.self), nil)
        while unsafe uv_run(uv, UV_RUN_NOWAIT) != 0 {}
        let code = unsafe uv_loop_close(uv)
        precondition(code == 0, "an ending loop still had handles (uv_loop_close: \(code))")
    }

    private func takeEndWaiters() -> [UnsafeContinuation<Void, Never>] {
        unsafe remote.withLock { remote in
            remote.hasEnded = true
            let waiters = unsafe remote.endWaiters
            unsafe remote.endWaiters = []
            return unsafe waiters
        }
    }
}

private func loopWasWoken(_ handle: UnsafeMutablePointer<uv_async_t>?) {
    guard let data = unsafe handle?.pointee.data else { return }
    unsafe Unmanaged<EventLoop>.fromOpaque(data).takeUnretainedValue().takeRemoteWork()
}

private func countHandle(_ handle: UnsafeMutablePointer<uv_handle_t>?, _ count: UnsafeMutableRawPointer?) {
    unsafe count?.assumingMemoryBound(to: Int.self).pointee += 1
}

/// Lets tasks run that a timer has resumed; the last call of a timer's callback.
///
/// libuv before 1.45 calls timers and then waits for descriptors, without a bound if nothing else is due; this call
/// ends that wait at once.
func runWokenTasks(after timer: UnsafeMutablePointer<uv_timer_t>) {
    unsafe uv_stop(timer.pointee.loop)
}
