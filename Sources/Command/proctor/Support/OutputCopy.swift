internal import ProctorBase
internal import ProctorGrading

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A pipe for the standard output of a command: a thread copies what comes to ours, and keeps the beginning as the
/// content of the command's load.
///
/// Call ``start()`` when the command has started, and ``finish()`` when it has ended.
final class OutputCopy: Sendable {
    /// The end that the command writes to.
    let writeEnd: Int32
    private let readEnd: Int32
    private let state = Locked(State())

    private struct State {
        var content = CommandResult.Content()
        var isOver = false
        var thread: WorkerThread?
    }

    /// How often the thread looks whether the command has ended; a process that it left behind may hold the pipe open.
    private static let patience: Int32 = 20

    init() throws(CallFailure) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw .system("pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit { close(readEnd) }

    func start() {
        close(writeEnd)
        let thread = WorkerThread { [self] in copy() }
        state.withLock { $0.thread = thread }
    }

    /// Waits for what the command has written; all of it is then on standard output.
    func finish() -> CommandResult.Content {
        let thread = state.withLock { state in
            state.isOver = true
            return state.thread
        }
        thread?.join()
        return state.withLock { $0.content }
    }

    private func copy() {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let isOver = state.withLock { $0.isOver }
            var wait = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
            let ready = unsafe poll(&wait, 1, isOver ? 0 : Self.patience)
            guard ready > 0 else {
                if isOver { return }
                continue
            }
            let count = unsafe buffer.withUnsafeMutableBytes {
                unsafe FileCalls.read(readEnd, $0.baseAddress, $0.count)
            }
            guard count > 0 else { return }
            // What can't be written is still the content.
            StandardOutput.write(buffer.span.extracting(first: count))
            state.withLock { $0.content.append(buffer.span.extracting(first: count)) }
        }
    }
}
