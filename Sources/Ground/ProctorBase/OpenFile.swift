#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

package struct OpenFile: ~Copyable, Sendable {
    package let descriptor: Int32
    /// When the file was opened.
    package let byteCount: Int
    /// The identity when the file was opened; nil for a file that this process made.
    package let identity: FileIdentity?

    /// Opens a regular file; anything else (a folder, a FIFO, a device) is refused without waiting.
    ///
    /// Without `followsLinks` a path that ends in a symbolic link is refused (ELOOP).
    package init(path: String, followsLinks: Bool = true) throws(CallFailure) {
        // Without O_NONBLOCK, opening a FIFO would wait for its writer.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW)
        let descriptor = FileCalls.open(path, flags)
        guard descriptor >= 0 else { throw .system("open \(path)") }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            let failure = CallFailure.system("fstat \(path)")
            closeDescriptor(descriptor)
            throw failure
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            closeDescriptor(descriptor)
            throw CallFailure(call: "open \(path)", code: EINVAL, text: "not a regular file")
        }
        self.descriptor = descriptor
        identity = FileIdentity(status)
        byteCount = Int(status.st_size)
    }

    /// Takes ownership of the descriptor of an empty file.
    init(owning descriptor: Int32) {
        self.descriptor = descriptor
        identity = nil
        byteCount = 0
    }

    deinit {
        closeDescriptor(descriptor)
    }

    /// Reads at most `byteCount` bytes from `offset` on; empty at the end of the file.
    package borrowing func bytes(from offset: Int, byteCount: Int) throws(CallFailure) -> [UInt8] {
        // The standard library would write the count into the storage that all empty arrays share.
        guard byteCount > 0 else { return [] }
        var failure: CallFailure?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            let result = unsafe FileCalls.pread(descriptor, buffer.baseAddress, byteCount, offset)
            if result < 0 { failure = .system("pread") }
            count = max(0, result)
        }
        if let failure { throw failure }
        return bytes
    }
}

/// A temporary file without a name, which only this process can read; the system removes it after its last use, or a
/// crash.
///
/// One thread writes the file from its beginning; then any number of threads read or send it.
package final class ScratchFile: Sendable {
    /// Its `byteCount` is 0, the length of the file when it was made.
    package let file: OpenFile

    /// Makes the file in TMPDIR, or `/tmp`, with mode 0600, and unlinks it at once.
    package init() throws(CallFailure) {
        let folder = TemporaryFolder.path
        let path = "\(folder)/proctor-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
        let descriptor = FileCalls.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system("a new file in \(folder)") }
        unsafe _ = unlink(path)
        file = OpenFile(owning: descriptor)
    }

    /// Appends bytes; blocks as the disk does.
    package func append(_ bytes: [UInt8]) throws(CallFailure) {
        let (_, failure) = FullWrite.write(bytes, to: file.descriptor)
        if let failure { throw failure }
    }
}

/// The libc call, where `close` would be a method.
package func closeDescriptor(_ descriptor: Int32) {
    #if canImport(Darwin)
        _ = Darwin.close(descriptor)
    #else
        _ = Glibc.close(descriptor)
    #endif
}
