internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Files that pages show.
enum FileText {
    /// nil for what is no regular file, can't be read or is too long.
    static func bytes(of path: String, limit: Int) -> [UInt8]? {
        let descriptor = FileCalls.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= limit
        else { return nil }
        let wanted = Int(status.st_size)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(wanted)
        var buffer = [UInt8](repeating: 0, count: min(max(wanted, 1), 1 << 16))
        while bytes.count < wanted {
            let count = unsafe buffer.withUnsafeMutableBytes {
                unsafe FileCalls.read(descriptor, $0.baseAddress, $0.count)
            }
            guard count > 0 else { break }
            bytes += buffer.prefix(count)
        }
        return bytes.count <= limit ? bytes : nil
    }
}
