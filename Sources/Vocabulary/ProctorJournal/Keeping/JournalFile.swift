package import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The file to which every journal of a server is also written, as JSON lines; safe from any thread.
///
/// A thread of the file's own writes lines in large pieces, at most 250 ms after the first of them came; nothing wakes
/// while there are none. The owner calls ``flush()`` at the end.
///
/// While the file can't be written, up to 4 MiB of lines wait in memory, and further ones are counted and lost; the
/// thread and each ``flush()`` try again. While 4 MiB wait because writing is slow, the thread that has another line
/// waits too, and no line is lost. The file always ends with a whole line.
///
/// The file grows up to a bound. Lines beyond it are left out: a line says so at once, and each ``flush()`` how many they
/// are. Journals in memory, by which verdicts are found, know nothing of that.
package final class JournalFile: Sendable {
    /// The path as given.
    package let path: String
    private let writer: JournalWriter

    /// Bytes of lines that wait to be written.
    static let waitingByteLimit = JournalWriter.waitingByteLimit

    /// The bound of a file that is given none: 1 GiB.
    package static let usualByteLimit = 1 << 30

    /// Opens the file; an existing journal stays, and new lines follow with a header of their own.
    ///
    /// Throws where another process writes the file, where the file is no journal, has `byteLimit` bytes already, or is a
    /// FIFO without a reader.
    /// `report` gets one sentence when writing fails later, one when it works again, one when replies first wait for it,
    /// and one when the bound is reached; it may be called on any thread, and may not use the file.
    package convenience init(
        path: String, byteLimit: Int = JournalFile.usualByteLimit, report: @escaping @Sendable (String) -> Void
    ) throws(CallFailure) {
        try self.init(path: path, byteLimit: byteLimit, report: report) { FullWrite.write($0, to: $1) }
    }

    init(
        path: String, byteLimit: Int = JournalFile.usualByteLimit, report: @escaping @Sendable (String) -> Void,
        write: @escaping JournalWriter.Write
    ) throws(CallFailure) {
        // A FIFO that nobody reads would hold the caller until somebody does.
        let descriptor = FileCalls.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0o644)
        guard descriptor >= 0 else {
            guard errno == ENXIO else { throw .system("open \(path)") }
            throw CallFailure(
                call: "open \(path)", code: ENXIO,
                text: "it is a FIFO that nobody reads, so that nothing could be written: begin its reader first, as "
                    + "'cat \(path)', or name a file")
        }
        do throws(CallFailure) {
            guard fcntl(descriptor, F_SETFL, O_APPEND) == 0 else { throw .system("fcntl \(path)") }
            let former = try FormerContent(path: path, descriptor: descriptor)
            // Two writers would mix their lines; a device may have several.
            guard !former.isRegular || Self.lock(descriptor) else {
                throw CallFailure(call: "flock \(path)", code: EWOULDBLOCK, text: "another proctor is writing it")
            }
            guard former.byteCount < byteLimit else {
                throw CallFailure(
                    call: "open \(path)", code: EFBIG,
                    text: "it has \(former.byteCount) bytes already, and may have \(byteLimit): name another file, or "
                        + "allow more")
            }
            writer = JournalWriter(
                path: path, descriptor: descriptor, isRegular: former.isRegular,
                beginsWithLineFeed: !former.endsWithLineFeed,
                room: JournalWriter.Room(limit: byteLimit, taken: former.byteCount), report: report, write: write)
        } catch {
            close(descriptor)
            throw error
        }
        self.path = path
    }

    deinit { writer.finish() }

    /// False where another process has the lock and keeps it.
    ///
    /// The thread of a former file closes it a moment after its end, and a child that is being started has copies of all
    /// descriptors until its program begins.
    private static func lock(_ descriptor: Int32) -> Bool {
        for _ in 0..<100 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { return true }
            usleep(5_000)
        }
        return false
    }

    /// Appends a line; the caller does what is returned, after it has released its own lock.
    func append(_ entry: JournalEntry, by encoder: JournalEncoder) -> JournalWriter.Need {
        writer.append(entry, by: encoder)
    }

    /// To be called for what ``append(_:by:)`` returned, without a lock; may block until the file is written.
    func fulfil(_ need: JournalWriter.Need) { writer.fulfil(need) }

    /// Returns when the lines so far are written, or when that has failed.
    package func flush() { writer.flush() }

    /// The state of the writing.
    package struct Condition: Sendable {
        /// Why the last write failed; nil where it succeeded.
        package let failure: String?
        /// Lines that are lost, and while writing fails also those that wait.
        package let lostLineCount: Int
        /// Lines that were left out because the file had its bound.
        package let leftOutLineCount: Int
    }

    /// The present state of the writing.
    package var condition: Condition { writer.condition }

    /// Lines that could not be written.
    package var lostLineCount: Int { condition.lostLineCount }
}

private struct FormerContent {
    let isRegular: Bool
    /// 0 for a pipe and a device.
    let byteCount: Int
    /// True also for an empty file, a pipe and a device.
    let endsWithLineFeed: Bool

    /// Throws where a file has content that is no journal.
    init(path: String, descriptor: Int32) throws(CallFailure) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .system("fstat \(path)") }
        isRegular = status.st_mode & S_IFMT == S_IFREG
        byteCount = isRegular ? Int(status.st_size) : 0
        guard isRegular, status.st_size > 0 else {
            endsWithLineFeed = true
            return
        }
        let (first, last) = try Self.ends(of: path, byteCount: Int(status.st_size))
        guard first.starts(with: Self.headerStart) else {
            throw CallFailure(
                call: "open \(path)", code: EEXIST,
                text:
                    "it is there already and is no journal (it begins with \"\(EscapedText.escape(first, limit: 20))\"); "
                    + "nothing is overwritten: name another file")
        }
        endsWithLineFeed = last == 0x0A
    }

    private static let headerStart = Array("{\"journal\":\"proctor\",".utf8)

    private static func ends(of path: String, byteCount: Int) throws(CallFailure) -> (first: [UInt8], last: UInt8?) {
        let descriptor = FileCalls.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system("open \(path) to see whether it is a journal") }
        defer { close(descriptor) }
        var first = [UInt8](repeating: 0, count: headerStart.count)
        let count = unsafe first.withUnsafeMutableBytes {
            unsafe FileCalls.pread(descriptor, $0.baseAddress, $0.count, 0)
        }
        guard count >= 0 else { throw .system("read \(path)") }
        first.removeLast(first.count - count)
        var last: UInt8 = 0
        let lastCount = unsafe FileCalls.pread(descriptor, &last, 1, byteCount - 1)
        return (first, lastCount == 1 ? last : nil)
    }
}
