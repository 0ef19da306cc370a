public import ProctorBase
internal import ProctorJournal

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The file to which every journal of a server is also written, as JSON lines; safe from any thread.
///
/// Lines are collected and written in large pieces, since a write for each line would slow replies. The owner calls
/// ``flush()`` regularly and at the end.
///
/// While the file can't be written, up to 4 MiB of lines wait in memory, and further ones are counted and lost; each
/// ``flush()`` tries again. The file always ends with a whole line.
public final class JournalFile: Sendable {
    /// The path as given.
    public let path: String
    private let state: Locked<State>
    private let report: @Sendable (String) -> Void
    private let write: Writer

    /// Writes bytes to a descriptor and returns how many went before a failure.
    typealias Writer = @Sendable (_ bytes: [UInt8], _ descriptor: Int32) -> (byteCount: Int, failure: CallFailure?)

    private struct State {
        let descriptor: Int32
        /// A pipe or device can't be truncated.
        let isRegular: Bool
        /// The header is written with the first line, so a failed start does not change the file.
        var hasBegun = false
        /// Whether the file has an incomplete last line, because its former writer was killed.
        var beginsWithLineFeed: Bool
        var buffer: [UInt8] = []
        var failure: CallFailure?
        var lostLineCount = 0
        /// Lost lines that the file does not mention yet.
        var untoldLineCount = 0
    }

    private static let pieceByteCount = 256 << 10
    /// Bytes of lines that wait while the file can't be written.
    static let waitingByteLimit = 4 << 20

    /// Opens the file; an existing journal stays, and new lines follow with a header of their own.
    ///
    /// Throws where another process writes the file, or the file is no journal. `report` gets one sentence when
    /// writing fails later, and one when it works again.
    public convenience init(path: String, report: @escaping @Sendable (String) -> Void) throws(CallFailure) {
        try self.init(path: path, report: report) { FullWrite.write($0, to: $1) }
    }

    init(path: String, report: @escaping @Sendable (String) -> Void, write: @escaping Writer) throws(CallFailure) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .system("open \(path)") }
        do throws(CallFailure) {
            let former = try FormerContent(path: path, descriptor: descriptor)
            // Two writers would mix their lines; a device may have several.
            guard !former.isRegular || flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
                throw CallFailure(call: "flock \(path)", code: EWOULDBLOCK, text: "another proctor is writing it")
            }
            state = Locked(
                State(
                    descriptor: descriptor, isRegular: former.isRegular,
                    beginsWithLineFeed: !former.endsWithLineFeed))
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
        let sentence: String? = state.withLock { state in
            guard state.untoldLineCount == 0, state.failure == nil || state.buffer.count < Self.waitingByteLimit else {
                state.lostLineCount += 1
                state.untoldLineCount += 1
                return nil
            }
            begin(&state)
            encoder.append(entry, to: &state.buffer)
            // While the file can't be written, only ``flush()`` tries again.
            guard state.failure == nil, state.buffer.count >= Self.pieceByteCount else { return nil }
            return writeOut(&state)
        }
        if let sentence { report(sentence) }
    }

    /// Writes the collected lines.
    public func flush() {
        let sentence = state.withLock { state in
            begin(&state)
            return writeOut(&state)
        }
        if let sentence { report(sentence) }
    }

    /// The state of the writing.
    public struct Condition: Sendable {
        /// Why the last write failed; nil where it succeeded.
        public let failure: String?
        /// Lines that are lost, and while writing fails also those that wait.
        public let lostLineCount: Int
    }

    /// The present state of the writing.
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

    private func begin(_ state: inout State) {
        guard !state.hasBegun else { return }
        state.hasBegun = true
        if state.beginsWithLineFeed { state.buffer.append(0x0A) }
        JournalEncoder.appendHeader(to: &state.buffer)
    }

    /// Returns a sentence when the writing begins to fail or works again.
    private func writeOut(_ state: inout State) -> String? {
        let before = state.failure
        state.failure = writeWholeLines(&state)
        var lostLineCount = 0
        if state.failure == nil, state.untoldLineCount > 0 {
            // After the lines that waited and before new ones, at the place of the lost lines.
            swap(&lostLineCount, &state.untoldLineCount)
            JournalEncoder.appendLost(
                lostLineCount, reason: before.map { "\($0)" } ?? "unknown", to: &state.buffer)
            state.failure = writeWholeLines(&state)
        }
        switch (before, state.failure) {
        case (nil, let failure?):
            return "the journal \(path) can't be written: \(failure); lines wait, up to \(Self.waitingByteLimit >> 20) "
                + "MiB, until it can"
        case (.some, nil):
            return "the journal \(path) can be written again"
                + (lostLineCount == 0 ? "" : "; \(lostLineCount) lines are lost")
        case (nil, nil), (.some, .some): return nil
        }
    }

    /// Removes written bytes from the buffer; in a file, removes an incomplete last line.
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

    /// Shortens the file; false where that fails.
    private func cutBack(by byteCount: Int, _ descriptor: Int32) -> Bool {
        guard byteCount > 0 else { return true }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_size >= off_t(byteCount) else { return false }
        return ftruncate(descriptor, status.st_size - off_t(byteCount)) == 0
    }
}

private struct FormerContent {
    let isRegular: Bool
    /// True also for an empty file, a pipe and a device.
    let endsWithLineFeed: Bool

    /// Throws where a file has content that is no journal.
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
