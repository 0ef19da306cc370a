internal import CUV
package import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

package struct OpenFile: ~Copyable, Sendable {
    let descriptor: Int32
    /// When the file was opened.
    package let byteCount: Int
    /// When the file was opened; nil for one that was made here.
    package let identity: FileIdentity?

    /// Opens a regular file; anything else (a folder, a FIFO, a device) is refused without waiting.
    ///
    /// Without `followsLinks` a path that ends in a symbolic link is refused (ELOOP).
    package init(path: String, followsLinks: Bool = true) throws(CallFailure) {
        // Without O_NONBLOCK, opening a FIFO would wait for its writer.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW)
        let descriptor = unsafe open(path, flags)
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

    /// Takes over the descriptor of an empty file.
    init(owning descriptor: Int32) {
        self.descriptor = descriptor
        identity = nil
        byteCount = 0
    }

    deinit {
        closeDescriptor(descriptor)
    }

    /// Up to `byteCount` bytes from `offset` on; empty at the end.
    package borrowing func bytes(from offset: Int, byteCount: Int) throws(CallFailure) -> [UInt8] {
        // The standard library writes the count into the array that all empty ones share.
        guard byteCount > 0 else { return [] }
        var failure: CallFailure?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            let result = unsafe orErrno(pread(descriptor, buffer.baseAddress, byteCount, off_t(offset)))
            if result < 0 { failure = .system("pread", code: Int32(-result)) }
            count = max(0, result)
        }
        if let failure { throw failure }
        return bytes
    }
}

/// A temporary file without a name that only this process can read; removed after its last user, also by a crash.
///
/// One thread writes the file from its beginning; any number of threads then read or send it.
package final class ScratchFile: Sendable {
    /// Its `byteCount` is that of the empty file.
    package let file: OpenFile

    /// Makes the file in TMPDIR, or `/tmp`, with mode 0600, and unlinks it at once.
    package init() throws(CallFailure) {
        let folder = TemporaryFolder.path
        var path = Array((folder + "/proctor-XXXXXX").utf8CString)
        let descriptor = unsafe path.withUnsafeMutableBufferPointer { buffer in
            guard let name = buffer.baseAddress else { return Int32(-1) }
            return unsafe mkostemp(name, O_CLOEXEC)
        }
        guard descriptor >= 0 else { throw .system("mkostemp in \(folder)") }
        unsafe path.withUnsafeBufferPointer { buffer in
            if let name = buffer.baseAddress { unsafe _ = unlink(name) }
        }
        file = OpenFile(owning: descriptor)
    }

    /// Appends; blocks as the disk does.
    package func append(_ bytes: [UInt8]) throws(CallFailure) {
        let (_, failure) = FullWrite.write(bytes, to: file.descriptor)
        if let failure { throw failure }
    }
}
