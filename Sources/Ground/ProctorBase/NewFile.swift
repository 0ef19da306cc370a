#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

package enum NewFile {
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
