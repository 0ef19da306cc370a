internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A report that is written while its cases come, and tried before the first one.
///
/// A regular file is replaced as a whole each time, so that a reader never sees half of it; what else stands at the path,
/// as a pipe or /dev/stdout, gets the last text only.
struct ReportFile: Sendable {
    private let path: String
    private let flag: String
    private let output: Output
    private let isRegular: Bool

    /// nil when the path can't be written, which has been said then; a file that is there keeps what it holds.
    static func tried(_ path: String, flag: String, _ output: Output) -> ReportFile? {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0o644)
        // A pipe that has no reader yet will have one when there is something to read.
        guard descriptor >= 0 || errno == ENXIO else {
            output.note("\(flag) \(path) can't be written: \(CallFailure.system("open").text)")
            return nil
        }
        var isRegular = false
        if descriptor >= 0 {
            var status = stat()
            isRegular = unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            close(descriptor)
        }
        return ReportFile(path: path, flag: flag, output: output, isRegular: isRegular)
    }

    /// Writes what is known so far, where that can be replaced later; trouble waits for the last text.
    func update(with text: String) {
        if isRegular { try? AtomicFile.replace(path, with: text) }
    }

    /// Adds a line to a report of lines; trouble waits for the end.
    func add(_ line: String, isFirst: Bool) {
        if isFirst, isRegular { try? AtomicFile.replace(path, with: "") }
        try? AtomicFile.append(line, to: path)
    }

    /// Ends a report of lines with all of them in their order, where lines that went out can be replaced.
    func end(with text: String) -> Bool { isRegular ? replace(with: text) : true }

    /// Writes the last text; false when that fails, which has been said then.
    func replace(with text: String) -> Bool {
        do throws(CallFailure) {
            if isRegular {
                try AtomicFile.replace(path, with: text)
            } else {
                try AtomicFile.append(text, to: path)
            }
            return true
        } catch {
            output.note("\(flag) \(path) can't be written: \(error.text)")
            return false
        }
    }
}

/// Files that others wait for: they appear whole or not at all.
enum AtomicFile {
    /// Writes a file that must not be there yet, and the folders on its way.
    static func create(_ path: String, with text: String) throws(CallFailure) {
        var folder = ""
        for segment in path.split(separator: "/", omittingEmptySubsequences: false).dropLast() {
            folder += segment + "/"
            guard folder != "/", unsafe mkdir(folder, 0o755) != 0, errno != EEXIST else { continue }
            throw .system("mkdir \(folder)")
        }
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .system("open \(path)") }
        let failure = FullWrite.write(Array(text.utf8), to: descriptor).failure
        close(descriptor)
        if let failure { throw failure }
    }

    /// Writes to what is there already: a pipe, a device, or the end of a file.
    static func append(_ text: String, to path: String) throws(CallFailure) {
        let descriptor = unsafe open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system("open \(path)") }
        let failure = FullWrite.write(Array(text.utf8), to: descriptor).failure
        close(descriptor)
        if let failure { throw failure }
    }

    /// Writes beside the file and renames, so that a reader never sees half of it.
    static func replace(_ path: String, with text: String) throws(CallFailure) {
        let temporary = "\(path).\(getpid()).tmp"
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .system("open \(temporary)") }
        let failure = FullWrite.write(Array(text.utf8), to: descriptor).failure
        close(descriptor)
        if let failure {
            unsafe unlink(temporary)
            throw failure
        }
        guard unsafe rename(temporary, path) == 0 else {
            let failure = CallFailure.system("rename \(temporary)")
            unsafe unlink(temporary)
            throw failure
        }
    }
}
