public import ProctorBase
internal import ProctorJournal

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The file that every journal of a server is also written to, as JSON lines; safe from any thread.
///
/// Lines are collected and written in large pieces: a file that was followed line by line would be the slowest part of a
/// reply. Whoever owns it calls ``flush()`` now and then and at the end.
///
/// While the file can't be written, up to 4 MiB of lines wait in memory, and further ones are counted and lost; each
/// ``flush()`` tries again. The file always ends with a whole line.
public final class JournalFile: Sendable {
    /// As it was given.
    public let path: String
    private let state: Locked<State>
    private let report: @Sendable (String) -> Void
    private let write: Writer

    /// Writes bytes to a descriptor and returns how many went before a failure.
    typealias Writer = @Sendable (_ bytes: [UInt8], _ descriptor: Int32) -> (byteCount: Int, failure: CallFailure?)

    private struct State {
        let descriptor: Int32
        /// A pipe or a device has no size that could be cut back.
        let isRegular: Bool
        /// The header is written when the first line comes, so that a start which fails has touched nothing.
        var hasBegun = false
        /// Whether the file ends without a line feed, for whoever wrote it before was killed.
        var beginsWithLineFeed: Bool
        /// Lines that are not written yet.
        var buffer: [UInt8] = []
        /// nil while the last write went well.
        var failure: CallFailure?
        var lostLineCount = 0
        /// Of those, what the file does not say yet.
        var untoldLineCount = 0
    }

    private static let pieceByteCount = 256 << 10
    /// Bytes of lines that wait while the file can't be written.
    static let waitingByteLimit = 4 << 20

    /// Takes the file; a journal that stands there stays, and what comes is appended behind a header of its own.
    ///
    /// No other process may be writing it, and a file that is no journal is refused. `report` gets one sentence when
    /// writing fails later, and one when it goes well again.
    public convenience init(path: String, report: @escaping @Sendable (String) -> Void) throws(CallFailure) {
        try self.init(path: path, report: report) { FullWrite.write($0, to: $1) }
    }

    init(path: String, report: @escaping @Sendable (String) -> Void, write: @escaping Writer) throws(CallFailure) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .system("open \(path)") }
        do throws(CallFailure) {
            let former = try FormerContent(path: path, descriptor: descriptor)
            // Two writers would leave a file that nobody can read; a device takes any number.
            guard !former.isRegular || flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
                throw CallFailure(call: "flock \(path)", code: EWOULDBLOCK, text: "another proctor is writing it")
            }
            state = Locked(
                State(
                    descriptor: descriptor, isRegular: former.isRegular,
                    beginsWithLineFeed: former.isRegular && !former.endsWithLineFeed))
        } catch {
            close(descriptor)
            throw error
        }
        self.path = path
        self.report = report
        self.write = write
    }

    deinit {
        flush()
        state.withLock { _ = close($0.descriptor) }
    }

    func append(_ entry: JournalEntry, by encoder: JournalEncoder) {
        let turn: Turn? = state.withLock { state in
            guard state.untoldLineCount == 0, state.failure == nil || state.buffer.count < Self.waitingByteLimit else {
                state.lostLineCount += 1
                state.untoldLineCount += 1
                return nil
            }
            begin(&state)
            encoder.append(entry, to: &state.buffer)
            // While it can't be written, only who flushes tries again.
            guard state.failure == nil, state.buffer.count >= Self.pieceByteCount else { return nil }
            return writeOut(&state)
        }
        tell(turn)
    }

    /// Writes what was collected.
    public func flush() {
        tell(
            state.withLock { state in
                begin(&state)
                return writeOut(&state)
            })
    }

    /// How the writing goes.
    public struct Condition: Sendable {
        /// Why the last write failed; nil where it went well.
        public let failure: String?
        /// Lines that are lost for good, and while the writing fails those that wait.
        public let lostLineCount: Int
    }

    /// Of this moment.
    public var condition: Condition {
        state.withLock { state in
            let waiting = state.failure == nil ? 0 : state.buffer.count { $0 == 0x0A }
            return Condition(
                failure: state.failure.map { "\($0)" }, lostLineCount: state.lostLineCount + waiting)
        }
    }

    /// Lines that could not be written.
    public var lostLineCount: Int { condition.lostLineCount }

    // MARK: Writing

    /// What a write has changed.
    private enum Turn {
        case failed(CallFailure)
        case goesOn(lostLineCount: Int)
    }

    private func begin(_ state: inout State) {
        guard !state.hasBegun else { return }
        state.hasBegun = true
        if state.beginsWithLineFeed { state.buffer.append(0x0A) }
        JournalEncoder.appendHeader(to: &state.buffer)
    }

    private func writeOut(_ state: inout State) -> Turn? {
        let before = state.failure
        state.failure = writeWholeLines(&state)
        var lostLineCount = 0
        if state.failure == nil, state.untoldLineCount > 0 {
            // Behind the lines that waited and before those that come, for the lost ones came between.
            swap(&lostLineCount, &state.untoldLineCount)
            JournalEncoder.appendLost(
                lostLineCount, reason: before.map { "\($0)" } ?? "unknown", to: &state.buffer)
            state.failure = writeWholeLines(&state)
        }
        guard let failure = state.failure else { return before == nil ? nil : .goesOn(lostLineCount: lostLineCount) }
        return before == nil ? .failed(failure) : nil
    }

    /// Takes what was written off the buffer; of a file, what was written of a line is taken back.
    private func writeWholeLines(_ state: inout State) -> CallFailure? {
        guard !state.buffer.isEmpty else { return nil }
        let (written, failure) = write(state.buffer, state.descriptor)
        guard let failure else {
            state.buffer.removeAll(keepingCapacity: state.buffer.count <= 2 * Self.pieceByteCount)
            return nil
        }
        var taken = written
        if state.isRegular {
            let whole = state.buffer[..<written].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
            if cutBack(by: written - whole, state.descriptor) { taken = whole }
        }
        state.buffer.removeFirst(taken)
        return failure
    }

    /// Whether the file ends so many bytes earlier now.
    private func cutBack(by byteCount: Int, _ descriptor: Int32) -> Bool {
        guard byteCount > 0 else { return true }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_size >= off_t(byteCount) else { return false }
        return ftruncate(descriptor, status.st_size - off_t(byteCount)) == 0
    }

    private func tell(_ turn: Turn?) {
        switch turn {
        case nil: break
        case .failed(let failure):
            report(
                "the journal \(path) can't be written: \(failure); lines wait, up to \(Self.waitingByteLimit >> 20) MiB, "
                    + "until it can")
        case .goesOn(let count):
            report("the journal \(path) can be written again" + (count == 0 ? "" : "; \(count) lines are lost"))
        }
    }
}

/// What stands in a file before a journal goes on with it.
private struct FormerContent {
    let isRegular: Bool
    /// True for an empty one, too.
    let endsWithLineFeed: Bool

    /// Throws where it is a file with something else.
    init(path: String, descriptor: Int32) throws(CallFailure) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .system("fstat \(path)") }
        isRegular = status.st_mode & S_IFMT == S_IFREG
        guard isRegular, status.st_size > 0 else {
            endsWithLineFeed = true
            return
        }
        let (first, last) = try Self.ends(of: path, byteCount: Int(status.st_size))
        guard first.starts(with: Self.headerStart) else {
            throw CallFailure(
                call: "open \(path)", code: EEXIST,
                text: "it is there already and is no journal (it begins with \"\(EscapedText.of(first, limit: 20))\"); "
                    + "nothing is overwritten: name another file")
        }
        endsWithLineFeed = last == 0x0A
    }

    private static let headerStart = Array("{\"journal\":\"proctor\",".utf8)

    private static func ends(of path: String, byteCount: Int) throws(CallFailure) -> (first: [UInt8], last: UInt8?) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system("open \(path) to see whether it is a journal") }
        defer { close(descriptor) }
        var first = [UInt8](repeating: 0, count: headerStart.count)
        let count = unsafe first.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, 0) }
        guard count >= 0 else { throw .system("read \(path)") }
        first.removeLast(first.count - count)
        var last: UInt8 = 0
        let lastCount = unsafe pread(descriptor, &last, 1, off_t(byteCount - 1))
        return (first, lastCount == 1 ? last : nil)
    }
}
