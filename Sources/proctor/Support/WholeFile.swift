internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Files that others wait for: they appear whole or not at all.
enum WholeFile {
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
