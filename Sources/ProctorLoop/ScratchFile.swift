internal import CUV
public import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A temporary file without a name, readable by this process alone; gone with its last user, however that ends.
///
/// It is written from its beginning by one thread and then read or sent by any number.
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
