internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Collects the lines of a ``JournalFile``, and writes them on a thread of its own.
///
/// Lines go into one piece of memory while another one is written. No call of the system is made with the lock held,
/// except to wait. The thread begins with the first line and ends with ``end()``.
final class JournalWriter: Sendable {
    private let path: String
    private let descriptor: Int32
    /// A pipe or device can't be truncated.
    private let isRegular: Bool
    private let report: @Sendable (String) -> Void
    private let write: Write
    private let state: Monitor<State>

    /// Writes bytes to a descriptor and returns how many went before a failure.
    typealias Write =
        @Sendable (_ bytes: borrowing Span<UInt8>, _ descriptor: Int32) -> (byteCount: Int, failure: CallFailure?)

    private struct State: ~Copyable {
        /// The header is written with the first line, so a failed start does not change the file.
        var hasBegun = false
        /// Whether the file has an incomplete last line, because its former writer was killed.
        var beginsWithLineFeed: Bool
        /// Lines that wait; while writing fails, first those that could not be written.
        var lines = JSONText()
        var lineCount = 0
        /// Memory for lines while others are written.
        var spare = JSONText()
        /// When lines that wait are to be written (``MonotonicClock``).
        var deadline: UInt64 = 0
        var isWriting = false
        /// Bytes and lines that are being written, of which none is in `lines`.
        var writtenByteCount = 0
        var writtenLineCount = 0
        var failure: CallFailure?
        var lostLineCount = 0
        /// Lost lines that the file does not mention yet.
        var untoldLineCount = 0
        var isKnownAsSlow = false
        var room: Room
        var hasThread = false
        /// Joined at the end; nil also while the thread is being made.
        var thread: WorkerThread?
        var hasEnded = false
    }

    /// What the file may still take.
    struct Room {
        let limit: Int
        /// Bytes of the file and of lines that wait.
        var taken: Int
        /// Lines that are left out because the bound is reached.
        var leftOutLineCount = 0
        /// How many of the lines that were left out the file mentions.
        var toldLineCount = 0
        var isReported = false

        var reason: String { "the file has its bound of \(limit) bytes" }
    }

    /// What a thread that has appended lines has to do without a lock.
    enum Need: Int, Sendable {
        case nothing
        /// The writer waits for no line yet, or a piece is full.
        case wake
        /// As many lines wait as may.
        case write

        mutating func add(_ other: Need) { if other.rawValue > rawValue { self = other } }
    }

    /// Lines of so many bytes are written at once, before their time is over.
    private static let pieceByteCount = 256 << 10
    /// The most bytes of lines that wait.
    static let waitingByteLimit = 4 << 20
    private static var waitingLimit: String { "\(waitingByteLimit >> 20) MiB" }
    /// The most nanoseconds that a line waits for others.
    private static let delay: UInt64 = 250_000_000

    init(
        path: String, descriptor: Int32, isRegular: Bool, beginsWithLineFeed: Bool, room: Room,
        report: @escaping @Sendable (String) -> Void, write: @escaping Write
    ) {
        (self.path, self.descriptor, self.isRegular, self.report) = (path, descriptor, isRegular, report)
        self.write = write
        state = Monitor(State(beginsWithLineFeed: beginsWithLineFeed, room: room))
    }

    deinit { close(descriptor) }

    // MARK: Lines

    func append(_ entry: JournalEntry, by encoder: JournalEncoder) -> Need {
        state.withLock { state in
            guard state.room.leftOutLineCount == 0 else {
                state.room.leftOutLineCount += 1
                return .nothing
            }
            let before = state.lines.byteCount
            if state.failure != nil || state.untoldLineCount > 0 {
                guard state.untoldLineCount == 0, before + state.writtenByteCount < Self.waitingByteLimit else {
                    state.lostLineCount += 1
                    state.untoldLineCount += 1
                    return .nothing
                }
            }
            if !state.hasBegun { Self.appendHeader(&state) }
            let start = state.lines.byteCount
            encoder.append(entry, to: &state.lines, isOfFile: true)
            state.room.taken += state.lines.byteCount - start
            if state.room.taken > state.room.limit {
                state.lines.truncate(to: start)
                state.room.leftOutLineCount = 1
                Self.tellLeftOut(&state)
            }
            state.lineCount += 1
            if before == 0 {
                state.deadline = entry.nanoseconds &+ Self.delay
                return .wake
            }
            // While the file can't be written, only the writer's thread and a flush try again.
            guard state.lines.byteCount >= Self.pieceByteCount, state.failure == nil else { return .nothing }
            if before < Self.pieceByteCount { return .wake }
            return state.lines.byteCount + state.writtenByteCount >= Self.waitingByteLimit ? .write : .nothing
        }
    }

    func fulfil(_ need: Need) {
        switch need {
        case .nothing: return
        case .wake: wake()
        case .write:
            let isNews = state.withLock { state in
                defer { state.isKnownAsSlow = true }
                return !state.isKnownAsSlow
            }
            if isNews {
                report(
                    "the journal \(path) is written more slowly than lines come: \(Self.waitingLimit) of them wait, and "
                        + "replies wait with them")
            }
            flush()
        }
    }

    /// Appends a line about those that were left out since the last such line.
    private static func tellLeftOut(_ state: inout State) {
        let count = state.room.leftOutLineCount - state.room.toldLineCount
        guard count > 0, state.untoldLineCount == 0 else { return }
        state.room.toldLineCount += count
        JournalEncoder.appendLost(count, reason: state.room.reason, to: &state.lines)
    }

    private static func appendHeader(_ state: inout State) {
        guard !state.hasBegun else { return }
        state.hasBegun = true
        if state.beginsWithLineFeed { state.lines.lineEnd() }
        JournalEncoder.appendHeader(to: &state.lines)
        state.lineCount += state.beginsWithLineFeed ? 2 : 1
    }

    var condition: JournalFile.Condition {
        state.withLock { state in
            let waiting = state.failure == nil ? 0 : state.lineCount + state.writtenLineCount
            return JournalFile.Condition(
                failure: state.failure.map { "\($0)" }, lostLineCount: state.lostLineCount + waiting,
                leftOutLineCount: state.room.leftOutLineCount)
        }
    }

    // MARK: The thread

    /// Wakes the thread; begins it where there is none.
    private func wake() {
        let isMissing = state.withLock { state in
            defer { state.hasThread = true }
            return !state.hasThread
        }
        guard isMissing else { return state.wakeAll() }
        let thread = WorkerThread { [self] in work() }
        state.withLock { state in
            state.thread = thread
            state.hasThread = thread != nil
        }
        // Where the system gives no thread, the caller writes.
        if thread == nil { flush() }
    }

    private func work() {
        while state.wait({ Self.nextStep($0) }) { writeOut() }
    }

    /// Whether the thread goes on: true when lines are to be written now.
    private static func nextStep(_ state: borrowing State) -> Monitor<State>.Look<Bool> {
        if state.hasEnded { return .done(false) }
        if state.isWriting || state.lines.byteCount == 0 { return .wait() }
        if state.failure == nil, state.lines.byteCount >= pieceByteCount { return .done(true) }
        return MonotonicClock.nanoseconds < state.deadline ? .wait(until: state.deadline) : .done(true)
    }

    /// Returns when the lines so far are written, or when that has failed.
    func flush() {
        state.withLock { state in
            let before = state.lines.byteCount
            Self.tellLeftOut(&state)
            if state.lines.byteCount > before { state.lineCount += 1 }
        }
        writeOut()
    }

    /// Writes the lines that wait and ends the thread; called once, after the last line.
    func finish() {
        flush()
        let thread = state.withLock { state in
            state.hasEnded = true
            return state.thread
        }
        state.wakeAll()
        thread?.join()
    }

    // MARK: Writing

    /// Writes the lines that wait, behind those that another thread writes.
    private func writeOut() {
        var piece = JSONText()
        state.wait { state -> Monitor<State>.Look<Void> in
            if state.isWriting { return .wait() }
            Self.appendHeader(&state)
            state.isWriting = true
            Self.swapLines(&piece, &state)
            return .done(())
        }
        repeat {
            let written = writeWholeLines(of: piece)
            // Told before another thread may write, so that the sentences come in order.
            if let sentence = state.withLock({ state in putBack(&piece, written, &state) }) { report(sentence) }
        } while piece.byteCount > 0
        state.withLock { $0.isWriting = false }
        state.wakeAll()
    }

    /// What the file has of a piece.
    private struct Written {
        let byteCount: Int
        /// Counted only where the rest could not be written.
        let lineCount: Int
        let failure: CallFailure?
    }

    private static func swapLines(_ piece: inout JSONText, _ state: inout State) {
        swap(&piece, &state.lines)
        swap(&state.lines, &state.spare)
        state.writtenByteCount = piece.byteCount
        swap(&state.writtenLineCount, &state.lineCount)
        state.lineCount = 0
    }

    /// Takes back what is not written, and gives another piece where lost lines are to be told; returns a sentence when
    /// the writing begins to fail or works again.
    private func putBack(
        _ piece: inout JSONText, _ written: Written, _ state: inout State
    ) -> String? {
        let (before, failure) = (state.failure, written.failure)
        state.failure = failure
        var lostLineCount = 0
        if failure == nil {
            swap(&lostLineCount, &state.untoldLineCount)
        } else {
            state.lineCount += state.writtenLineCount - written.lineCount
            piece.removeFirst(written.byteCount)
            piece.append(state.lines)
            swap(&piece, &state.lines)
            state.deadline = MonotonicClock.nanoseconds &+ Self.delay
        }
        piece.removeAll(keepingCapacityUpTo: 2 * Self.pieceByteCount)
        swap(&piece, &state.spare)
        if lostLineCount > 0 {
            // After the lines that waited and before new ones, at the place of the lost lines.
            JournalEncoder.appendLost(lostLineCount, reason: before.map { "\($0)" } ?? "unknown", to: &state.lines)
            state.lineCount += 1
            Self.swapLines(&piece, &state)
        } else {
            (state.writtenByteCount, state.writtenLineCount) = (0, 0)
        }
        switch (before, failure) {
        case (nil, let failure?):
            return
                "the journal \(path) can't be written: \(failure); lines wait, up to \(Self.waitingLimit), until it can"
        case (.some, nil):
            return "the journal \(path) can be written again"
                + (lostLineCount == 0 ? "" : "; \(lostLineCount) lines are lost")
        case (nil, nil), (.some, .some):
            guard state.room.leftOutLineCount > 0, !state.room.isReported else { return nil }
            state.room.isReported = true
            return
                "the journal \(path) has its bound of \(state.room.limit) bytes; further lines are left out and counted"
        }
    }

    /// Writes a piece; where that fails in a file, removes an incomplete last line.
    private func writeWholeLines(of piece: borrowing JSONText) -> Written {
        piece.withSpan { bytes in
            let (written, failure) = bytes.isEmpty ? (0, nil) : write(bytes, descriptor)
            guard failure != nil else { return Written(byteCount: written, lineCount: 0, failure: nil) }
            var whole = written
            while whole > 0, bytes[whole - 1] != 0x0A { whole -= 1 }
            var lineCount = 0
            for index in 0..<whole where bytes[index] == 0x0A { lineCount += 1 }
            let isCut = isRegular && cutBack(by: written - whole)
            return Written(byteCount: isCut ? whole : written, lineCount: lineCount, failure: failure)
        }
    }

    /// Shortens the file; false where that fails.
    private func cutBack(by byteCount: Int) -> Bool {
        guard byteCount > 0 else { return true }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_size >= off_t(byteCount) else { return false }
        return ftruncate(descriptor, status.st_size - off_t(byteCount)) == 0
    }
}
