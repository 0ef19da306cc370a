public import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A file of session secrets as `SSLKEYLOGFILE` has it, for Wireshark and its like; from any thread.
///
/// Whoever reads it reads the connections.
public final class KeyLog: Sendable {
    private let descriptor: Int32

    /// Opens the file for appending and makes it if need be, for its owner's eyes alone (0600).
    ///
    /// One that others can read, that is somebody else's, a link or no regular file is refused; the failure's text says
    /// what to do.
    public init(path: String) throws(CallFailure) {
        descriptor = try Self.open(path)
    }

    private static func open(_ path: String) throws(CallFailure) -> Int32 {
        // Without O_NONBLOCK a pipe would keep everybody waiting until it is read.
        let descriptor = openFile(path)
        guard descriptor >= 0 else {
            let failure = CallFailure.system("open \(path)")
            guard failure.code == ELOOP else { throw failure }
            throw refusal(path, "it is a symbolic link; name the file that it leads to", ELOOP)
        }
        do throws(CallFailure) {
            try check(descriptor, path)
            return descriptor
        } catch {
            closeFile(descriptor)
            throw error
        }
    }

    private static func check(_ descriptor: Int32, _ path: String) throws(CallFailure) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .system("fstat \(path)") }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw refusal(path, "it is no regular file; name another one", EINVAL)
        }
        guard status.st_uid == geteuid() else {
            throw refusal(
                path, "it belongs to user \(status.st_uid), expected \(geteuid()); name a file of your own", EPERM)
        }
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw refusal(path, "others may look at it (mode \(mode), expected 600); chmod 600 \(path)", EPERM)
        }
    }

    private static func refusal(_ path: String, _ text: String, _ code: Int32) -> CallFailure {
        CallFailure(call: "open \(path)", code: code, text: text)
    }

    deinit {
        closeFile(descriptor)
    }

    /// Appends a line in one call; what the system does not take is lost.
    func append(_ line: [UInt8]) {
        _ = FullWrite.write(line + [0x0A], to: descriptor)
    }
}

/// The libc call, where `open` would be a method.
private func openFile(_ path: String) -> Int32 {
    unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
}

/// The libc call, where `close` would be a method.
private func closeFile(_ descriptor: Int32) {
    _ = close(descriptor)
}
