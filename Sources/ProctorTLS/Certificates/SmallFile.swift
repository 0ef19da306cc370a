import ProctorBase

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Files that anybody may read, of at most a megabyte.
enum SmallFile {
    private static let limit = 1 << 20

    static func read(_ path: String) throws(CallFailure) -> [UInt8] {
        // Without O_NONBLOCK a pipe would be waited for until somebody writes into it.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .system("open") }
        defer { _ = close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .system("fstat") }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw CallFailure(call: "open", code: EINVAL, text: "it is no regular file")
        }
        return try bytes(of: descriptor, limit: limit)
    }

    /// All of an open file; more than `limit` bytes are a failure.
    static func bytes(of descriptor: Int32, limit: Int) throws(CallFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = unsafe readSome(descriptor, &buffer, buffer.count)
            if count == 0 { return bytes }
            if count < 0 {
                let failure = CallFailure.system("read")
                if failure.code == EINTR { continue }
                throw failure
            }
            bytes += buffer[..<count]
            guard bytes.count <= limit else {
                throw CallFailure(call: "read", code: EFBIG, text: "the file has more than \(limit) bytes")
            }
        }
    }
}

/// The system's `read`, under a name that methods do not hide.
private func readSome(_ descriptor: Int32, _ buffer: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
    unsafe read(descriptor, buffer, count)
}
