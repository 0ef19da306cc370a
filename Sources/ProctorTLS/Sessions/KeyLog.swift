public import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A file of session secrets as `SSLKEYLOGFILE` has it, for Wireshark and its like; from any thread.
///
/// The secrets decrypt the connections.
public final class KeyLog: Sendable {
    private let descriptor: Int32

    /// Opens the file for appending and makes it if need be, for its owner's eyes alone (0600).
    ///
    /// A file is refused that others can read, that belongs to another user, or that is a link or no regular file; the
    /// failure's text says what to do.
    public init(path: String) throws(CallFailure) {
        descriptor = try Self.open(path)
    }

    private static func open(_ path: String) throws(CallFailure) -> Int32 {
        // Without O_NONBLOCK a pipe would block until another process reads it.
        let descriptor = openFile(path)
        guard descriptor >= 0 else {
            let failure = CallFailure.system("open \(path)")
            guard failure.code == ELOOP else { throw failure }
            throw refusal(path, "it is a symbolic link; name the file that it leads to", code: ELOOP)
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

/// What a line of a key log says: a label, the client's random and a secret, the last two in hexadecimal.
struct SecretLine: Equatable {
    let label: String
    let secret: [UInt8]

    /// nil for what is no such line.
    init?(_ line: [UInt8]) {
        let parts = line.split(separator: 0x20)
        guard parts.count == 3, parts[2].count % 2 == 0 else { return nil }
        label = String(decoding: parts[0], as: UTF8.self)
        var secret: [UInt8] = []
        var high: UInt8?
        for digit in parts[2] {
            guard let value = Self.value(of: digit) else { return nil }
            if let first = high.take() { secret.append(first << 4 | value) } else { high = value }
        }
        self.secret = secret
    }

    /// The epoch of the server's writing keys in TLS 1.3: 1 in the handshake, 2 behind it; nil for any other secret.
    var serverEpoch: Int? {
        switch label {
        case "SERVER_HANDSHAKE_TRAFFIC_SECRET": 1
        case "SERVER_TRAFFIC_SECRET_0": 2
        default: nil
        }
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x61...0x66: digit - 0x61 + 10
        case 0x41...0x46: digit - 0x41 + 10
        default: nil
        }
    }
}
