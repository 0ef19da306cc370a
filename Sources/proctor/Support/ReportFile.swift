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
        // A pipe that nobody reads yet will be read when there is something to read.
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
        if isRegular { try? WholeFile.replace(path, with: text) }
    }

    /// Adds a line to a report of lines; trouble waits for the end.
    func add(_ line: String, isFirst: Bool) {
        if isFirst, isRegular { try? WholeFile.replace(path, with: "") }
        try? WholeFile.append(line, to: path)
    }

    /// Ends a report of lines with all of them in their order, where lines that went out can be replaced.
    func end(with text: String) -> Bool { isRegular ? replace(with: text) : true }

    /// Writes the last text; false when that fails, which has been said then.
    func replace(with text: String) -> Bool {
        do throws(CallFailure) {
            if isRegular {
                try WholeFile.replace(path, with: text)
            } else {
                try WholeFile.append(text, to: path)
            }
            return true
        } catch {
            output.note("\(flag) \(path) can't be written: \(error.text)")
            return false
        }
    }
}
