internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Runs tasks on the first thread of the process, which sleeps between them.
///
/// The shared pool of a process has a thread that wakes every second from the first task on, so a command that mostly
/// waits does not use the pool. Tasks that may block or compute for long must not run here.
final class FirstThread: TaskExecutor {
    private let jobs = Locked<[UnownedJob]>([])
    private let reading: Int32
    private let writing: Int32

    /// nil when the system has no descriptors left.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reading, writing) = (ends[0], ends[1])
    }

    /// Any thread may call it.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isFirst = jobs.withLock { jobs in
            jobs.append(job)
            return jobs.count == 1
        }
        // One byte is written each time the queue was empty before.
        if isFirst { unsafe _ = write(writing, [0], 1) }
    }

    /// Runs the tasks; call it once, on the first thread.
    func run() -> Never {
        var byte: UInt8 = 0
        while true {
            guard unsafe read(reading, &byte, 1) == 1 else { continue }
            let waiting = jobs.withLock { jobs in
                defer { jobs = [] }
                return jobs
            }
            for job in waiting { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }
}
