/// Makes a file that a test has written a program.
///
/// Another process writes it once more: whatever this process starts meanwhile holds the files that were open here, and the
/// system runs no file that any process has open for writing (execve(2), ETXTBSY).
public func makeExecutable(_ path: String) throws {
    let outcome = try ChildProcess.runNow([
        "/bin/sh", "-c", #"cp -- "$1" "$1.new" && chmod 755 "$1.new" && mv -- "$1.new" "$1""#, "sh", path,
    ])
    guard outcome.status == 0 else {
        throw ExecutableError(path: path, text: String(decoding: outcome.errors, as: UTF8.self))
    }
}

private struct ExecutableError: Error {
    let path: String
    let text: String
}
