internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Looks for a program before many processes are to be started from it.
enum ProgramSearch {
    /// nil when the system would find it: by its path, or in `PATH` where it has no slash.
    static func reasonNotToRun(_ program: String, environment: [String: String]) -> String? {
        if program.contains("/") { return reasonNotToRun(program) }
        // An empty part of PATH is the working directory.
        let folders = environment["PATH", default: "/usr/bin:/bin"].split(
            separator: ":", omittingEmptySubsequences: false)
        if folders.contains(where: { reasonNotToRun("\($0.isEmpty ? "." : $0)/\(program)") == nil }) { return nil }
        return "there is no program '\(program)' in PATH; write ./\(program) for one of this folder"
    }

    private static func reasonNotToRun(_ path: String) -> String? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            let failure = CallFailure.system("stat")
            return "\(path): \(failure.text)"
        }
        guard status.st_mode & S_IFMT == S_IFREG else { return "\(path) is no file" }
        guard unsafe access(path, X_OK) == 0 else {
            let failure = CallFailure.system("access")
            return "\(path): \(failure.text)"
        }
        return nil
    }
}
