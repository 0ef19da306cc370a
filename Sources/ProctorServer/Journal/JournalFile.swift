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
        var descriptor: Int32
        var buffer: [UInt8] = []
        var lostLineCount = 0
        var failed = false
    }

    private static let pieceByteCount = 256 << 10

    /// Creates the file or empties it.
    ///
    /// `report` gets one sentence if writing fails later.
    public init(path: String, report: @escaping @Sendable (String) -> Void) throws(CallFailure) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .system("open \(path)") }
        self.path = path
        self.report = report
        var buffer: [UInt8] = []
        JournalEncoder.appendHeader(to: &buffer)
        state = Locked(State(descriptor: descriptor, buffer: buffer))
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
            encoder.append(entry, to: &state.buffer)
            return state.buffer.count < Self.pieceByteCount ? nil : Self.write(&state)
        }
        tell(failure)
    }

    /// Writes what was collected.
    public func flush() {
        tell(state.withLock { state in state.failed ? nil : Self.write(&state) })
    }

    /// Lines that could not be written.
    public var lostLineCount: Int { state.withLock { $0.lostLineCount } }

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
