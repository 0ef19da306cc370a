internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A report that is written again during the exam, and whose path is tried before the first case.
///
/// A regular file is replaced as a whole each time, so that a reader never gets an incomplete one; anything else, such
/// as a pipe or /dev/stdout, gets only the last text.
struct ReportFile: Sendable {
    private let path: String
    private let flag: String
    private let output: Output
    let isRegular: Bool
    /// Whether the path was free before.
    let isNew: Bool

    /// Tries to open the file, whose content it keeps.
    init(_ path: String, flag: String, _ output: Output) throws(InputFailure) {
        var descriptor = FileCalls.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        isNew = descriptor >= 0
        if !isNew { descriptor = FileCalls.open(path, O_WRONLY | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0o644) }
        // A pipe without a reader will have one when the text is written.
        guard descriptor >= 0 || errno == ENXIO else {
            throw InputFailure("\(flag) \(path) can't be written: \(CallFailure.system("open").obstacle(to: path))")
        }
        var isRegular = false
        if descriptor >= 0 {
            var status = stat()
            isRegular = unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            close(descriptor)
        }
        (self.path, self.flag, self.output, self.isRegular) = (path, flag, output, isRegular)
    }

    /// Writes an intermediate text into a regular file; errors are reported with the last text.
    func update(with text: String) {
        if isRegular { try? AtomicFile.replace(path, with: text) }
    }

    /// Empties a regular file, which an earlier exam may have written.
    func clear() throws(CallFailure) {
        if isRegular { try AtomicFile.replace(path, with: "") }
    }

    /// Appends bytes; returns how many were, and the failure if there was one.
    func append(_ bytes: [UInt8]) -> (byteCount: Int, failure: CallFailure?) { AtomicFile.append(bytes, to: path) }

    /// Says that the file can't be written, and what follows from it.
    func reportFailure(_ failure: CallFailure, _ consequence: String) {
        output.message("\(flag) \(path) can't be written: \(failure.text); \(consequence)")
    }

    /// Replaces the lines of a regular file with `text`, which has them in order.
    func finish(with text: String) -> Bool { isRegular ? replace(with: text) : true }

    /// Writes the last text; false after an error, which was printed.
    func replace(with text: String) -> Bool {
        do throws(CallFailure) {
            if isRegular {
                try AtomicFile.replace(path, with: text)
            } else {
                if let failure = AtomicFile.append(Array(text.utf8), to: path).failure { throw failure }
            }
            return true
        } catch {
            output.message("\(flag) \(path) can't be written: \(error.obstacle(to: path))")
            return false
        }
    }
}

/// Writes files so that other programs never see an incomplete one.
enum AtomicFile {
    /// Writes a file that must not exist yet, and creates its folders.
    static func create(_ path: String, with text: String) throws(CallFailure) {
        try create(path, with: Array(text.utf8))
    }

    /// Writes a file that must not exist yet, and creates its folders.
    static func create(_ path: String, with bytes: [UInt8]) throws(CallFailure) {
        try NewFile.makeFolders(above: path)
        try NewFile.write(bytes.span, to: path)
    }

    /// Removes a file that may not exist.
    static func remove(_ path: String) throws(CallFailure) {
        guard unsafe unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR else { throw .system("unlink \(path)") }
    }

    /// Writes to an existing pipe or device, or appends to a file; returns how many bytes were written.
    static func append(_ bytes: [UInt8], to path: String) -> (byteCount: Int, failure: CallFailure?) {
        let descriptor = FileCalls.open(path, O_WRONLY | O_CLOEXEC | O_APPEND, 0)
        guard descriptor >= 0 else { return (0, .system("open \(path)")) }
        defer { close(descriptor) }
        return FullWrite.write(bytes, to: descriptor)
    }

    /// Writes another file and renames it, so that a reader never gets an incomplete one.
    static func replace(_ path: String, with text: String, mode: UInt16 = 0o644) throws(CallFailure) {
        let temporary = "\(path).\(getpid()).tmp"
        // What another user may have put there has other readers.
        unsafe unlink(temporary)
        do throws(CallFailure) {
            try NewFile.write(Array(text.utf8).span, to: temporary, mode: mode)
            guard unsafe rename(temporary, path) == 0 else { throw .system("rename \(temporary)") }
        } catch {
            unsafe unlink(temporary)
            throw error
        }
    }
}

extension CallFailure {
    /// What is in the way of a file that is to be written: its folder is not there, and how it is made, or what the system says.
    func obstacle(to path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return text }
        let folder = String(path[..<slash])
        return FileKind(of: folder) == nil ? "there is no folder '\(folder)'; make it with mkdir -p '\(folder)'" : text
    }
}
