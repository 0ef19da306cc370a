internal import CUV
public import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A file open for reading; closed when it goes out of scope.
public struct OpenFile: ~Copyable, Sendable {
    let descriptor: Int32
    /// When it was opened.
    public let byteCount: Int
    /// When it was opened; nil for one that was made here.
    public let identity: FileIdentity?

    /// Opens a regular file; anything else (a folder, a FIFO, a device) is refused and never waited for.
    ///
    /// Without `followsLinks` a path that ends in a symbolic link is refused (ELOOP).
    public init(path: String, followsLinks: Bool = true) throws(CallFailure) {
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
    public borrowing func bytes(from offset: Int, byteCount: Int) throws(CallFailure) -> [UInt8] {
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

/// A temporary file without a name, readable by this process alone; gone with its last user, however that ends.
///
/// The file is written from its beginning by one thread and then read or sent by any number.
public final class ScratchFile: Sendable {
    /// What was written; its `byteCount` is that of the empty file.
    public let file: OpenFile

    /// Makes the file in TMPDIR, or `/tmp`, with the rights 0600, and takes its name away at once.
    public init() throws(CallFailure) {
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

    /// Writes behind what was written before; blocks as the disk does.
    public func append(_ bytes: [UInt8]) throws(CallFailure) {
        let (_, failure) = FullWrite.write(bytes, to: file.descriptor)
        if let failure { throw failure }
    }
}
