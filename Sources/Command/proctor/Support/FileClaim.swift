internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// An exclusive claim to write a file, even when the file is replaced; other processes that claim it are refused.
///
/// The claim is a lock of the file PATH.lock, which ends with the process in any case; this object removes that file.
final class FileClaim: Sendable {
    private let path: String
    private let descriptor: Int32

    /// The most attempts, 5 ms apart: a child that is being started has copies of all descriptors until its program
    /// begins.
    private static let attempts = 100

    /// nil when another process has the claim and does not release it.
    init?(of file: String) throws(CallFailure) {
        let path = "\(file).lock"
        for _ in 0..<Self.attempts {
            let descriptor = FileCalls.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else { throw .system("open \(path)") }
            // The former owner may have removed the file between the two calls.
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0, Self.is(descriptor, at: path) {
                (self.path, self.descriptor) = (path, descriptor)
                return
            }
            close(descriptor)
            usleep(5_000)
        }
        return nil
    }

    deinit {
        unsafe unlink(path)
        close(descriptor)
    }

    private static func `is`(_ descriptor: Int32, at path: String) -> Bool {
        var (open, there) = (stat(), stat())
        guard unsafe fstat(descriptor, &open) == 0, unsafe stat(path, &there) == 0 else { return false }
        return open.st_dev == there.st_dev && open.st_ino == there.st_ino
    }
}
