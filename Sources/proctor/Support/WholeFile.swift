internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Files that others wait for: they appear whole or not at all.
enum WholeFile {
    /// Writes beside the file and renames, so that a reader never sees half of it.
    static func replace(_ path: String, with text: String) throws(CallFailure) {
        let temporary = "\(path).\(getpid()).tmp"
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .system("open \(temporary)") }
        let bytes = Array(text.utf8)
        let count = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
        let failure = count == bytes.count ? nil : CallFailure.system("write \(temporary)")
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
