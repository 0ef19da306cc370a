package import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A file of session secrets in the format of `SSLKEYLOGFILE`, for Wireshark; safe from any thread.
///
/// The secrets decrypt the connections.
package final class KeyLog: Sendable {
    private let descriptor: Int32

    /// Opens the file for appending, or creates it with mode 0600.
    ///
    /// Refuses a file that others can read, that belongs to another user, or that is a link or not regular.
    package init(path: String) throws(CallFailure) {
        // Without O_NONBLOCK a pipe would block until it has a reader.
        let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let opened = FileCalls.open(path, flags, 0o600)
        guard opened >= 0 else {
            let failure = CallFailure.system("open \(path)")
            guard failure.code == ELOOP else { throw failure }
            throw Self.refusal(path, "it is a symbolic link; name the file that it leads to", code: ELOOP)
        }
        descriptor = opened
        // If the check throws, deinitialising the object closes the file.
        try Self.check(descriptor, path)
    }

    private static func check(_ descriptor: Int32, _ path: String) throws(CallFailure) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .system("fstat \(path)") }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw refusal(path, "it is no regular file; name another one", code: EINVAL)
        }
        guard status.st_uid == geteuid() else {
            throw refusal(
                path, "it belongs to user \(status.st_uid), expected \(geteuid()); name a file of your own", code: EPERM
            )
        }
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw refusal(path, "others may look at it (mode \(mode), expected 600); chmod 600 \(path)", code: EPERM)
        }
    }

    private static func refusal(_ path: String, _ text: String, code: Int32) -> CallFailure {
        CallFailure(call: "open \(path)", code: code, text: text)
    }

    deinit {
        close(descriptor)
    }

    /// Appends a line by one call; bytes that the system does not accept are lost.
    package func append(_ line: [UInt8]) {
        _ = FullWrite.write(line + [0x0A], to: descriptor)
    }
}

/// A line of a key log: a label, the client's random and a secret in hexadecimal.
package struct SecretLine: Equatable {
    package let label: String
    package let secret: [UInt8]

    /// nil for a line of another form.
    package init?(_ line: [UInt8]) {
        let parts = line.split(separator: 0x20)
        guard parts.count == 3, let secret = try? HexText.decode(Array(parts[2])) else { return nil }
        label = String(decoding: parts[0], as: UTF8.self)
        self.secret = secret
    }

    /// The epoch of the server's keys in TLS 1.3: 1 in the handshake, 2 after it; nil for other secrets.
    var serverEpoch: Int? {
        switch label {
        case "SERVER_HANDSHAKE_TRAFFIC_SECRET": 1
        case "SERVER_TRAFFIC_SECRET_0": 2
        default: nil
        }
    }
}
