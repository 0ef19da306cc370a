#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

package enum NewFile {
    /// Writes a file with its bytes, all or none: part of a file looks like a whole one, so it is removed.
    ///
    /// A file that is there already is a failure (EEXIST) unless `replacing`. `mode` is the file's own, without what the
    /// umask of the process takes.
    package static func write(
        _ bytes: borrowing Span<UInt8>, to path: String, mode: UInt16 = 0o644, replacing: Bool = false
    ) throws(CallFailure) {
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | (replacing ? O_TRUNC : O_EXCL)
        let descriptor = FileCalls.open(path, flags, mode)
        guard descriptor >= 0 else { throw .system("open \(path)") }
        defer { closeDescriptor(descriptor) }
        if let failure = FullWrite.write(bytes, to: descriptor).failure {
            unsafe unlink(path)
            throw failure
        }
    }

    /// Makes the folders above a file that are missing.
    package static func makeFolders(above path: String, mode: UInt16 = 0o755) throws(CallFailure) {
        for end in path.indices.dropFirst() where path[end] == "/" {
            let folder = String(path[..<end])
            guard unsafe mkdir(folder, mode_t(mode)) != 0, errno != EEXIST else { continue }
            throw .system("mkdir \(folder)")
        }
    }

    /// Makes an empty file with a new name, which only this user may read; the caller owns the open descriptor.
    ///
    /// `name` is the beginning of the file's name.
    package static func open(in folder: String, named name: String) throws(CallFailure) -> (
        path: String, descriptor: Int32
    ) {
        var template = Array("\(folder)/\(name)XXXXXX".utf8CString)
        let descriptor = unsafe template.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return Int32(-1) }
            #if canImport(Darwin)
                return unsafe mkostemp(start, O_CLOEXEC)
            #else
                return unsafe mkstemp(start)
            #endif
        }
        guard descriptor >= 0 else { throw .system("mkstemp") }
        #if !canImport(Darwin)
            // Swift's importer does not import mkostemp from glibc's headers.
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        #endif
        let bytes = template.dropLast().map { UInt8(bitPattern: $0) }
        return (String(decoding: bytes, as: UTF8.self), descriptor)
    }
}
