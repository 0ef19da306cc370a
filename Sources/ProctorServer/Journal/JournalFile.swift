public import ProctorBase
internal import ProctorTrace

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The file that every journal of a server is also written to, as JSON lines; safe from any thread.
///
/// Lines are collected and written in large pieces: a file that was followed line by line would be the slowest part of a
/// reply. Whoever owns it calls ``flush()`` now and then and at the end.
public final class JournalFile: Sendable {
    private let path: String
    private let state: Locked<State>
    private let report: @Sendable (String) -> Void

    private struct State {
        /// The file is emptied and headed when the first line comes, so that a start which fails has touched nothing.
        var hasBegun = false
        var descriptor: Int32
        var buffer: [UInt8] = []
        var lostLineCount = 0
        var failed = false
    }

    private static let pieceByteCount = 256 << 10

    /// Takes the file, which is emptied when the first line comes; no other process may be writing it.
    ///
    /// `report` gets one sentence if writing fails later.
    public init(path: String, report: @escaping @Sendable (String) -> Void) throws(CallFailure) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .system("open \(path)") }
        // Two writers would leave a file that nobody can read.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
            close(descriptor)
            throw CallFailure(call: "flock \(path)", code: EWOULDBLOCK, text: "another proctor is writing it")
        }
        self.path = path
        self.report = report
        state = Locked(State(descriptor: descriptor))
    }

    deinit {
        flush()
        state.withLock { _ = close($0.descriptor) }
    }

    func append(_ entry: JournalEntry, by encoder: JournalEncoder) {
        let failure: CallFailure? = state.withLock { state in
            guard !state.failed else {
                state.lostLineCount += 1
                return nil
            }
            if !state.hasBegun { Self.begin(&state) }
            encoder.append(entry, to: &state.buffer)
            return state.buffer.count < Self.pieceByteCount ? nil : Self.write(&state)
        }
        tell(failure)
    }

    /// Writes what was collected.
    public func flush() {
        tell(
            state.withLock { state in
                guard !state.failed else { return nil }
                if !state.hasBegun { Self.begin(&state) }
                return Self.write(&state)
            })
    }

    /// Lines that could not be written.
    public var lostLineCount: Int { state.withLock { $0.lostLineCount } }

    private static func begin(_ state: inout State) {
        state.hasBegun = true
        // A pipe or a device has nothing to empty.
        ftruncate(state.descriptor, 0)
        JournalEncoder.appendHeader(to: &state.buffer)
    }

    private func tell(_ failure: CallFailure?) {
        guard let failure else { return }
        report("the journal \(path) can't be written, and ends here: \(failure)")
    }

    private static func write(_ state: inout State) -> CallFailure? {
        let (written, failure) = FullWrite.write(state.buffer, to: state.descriptor)
        if failure != nil {
            state.failed = true
            state.lostLineCount += state.buffer[written...].count { $0 == 0x0A }
        }
        state.buffer.removeAll(keepingCapacity: failure == nil)
        return failure
    }
}
