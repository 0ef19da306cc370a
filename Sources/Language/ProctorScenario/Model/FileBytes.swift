package import ProctorBase
package import ProctorDocument

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Reads small files and inspects large ones.
package enum FileBytes {
    package struct Status {
        package enum Kind { case regular, folder, other }

        package let kind: Kind
        package let identity: FileIdentity

        package var byteCount: Int { identity.byteCount }
        package var device: UInt64 { identity.device }
        package var inode: UInt64 { identity.inode }
    }

    /// The status of a file; follows symbolic links.
    package static func status(_ path: String) throws(CallFailure) -> Status {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw CallFailure.system("stat \(path)") }
        return Status(status)
    }

    /// The bytes of a regular file; a file larger than `limit` is refused without reading it.
    package static func read(_ path: String, limit: Int) throws(Diagnostic) -> [UInt8] {
        let descriptor = FileCalls.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Diagnostic(unreadable: path, .system("open")) }
        defer { close(descriptor) }
        var information = stat()
        guard unsafe fstat(descriptor, &information) == 0 else { throw Diagnostic(unreadable: path, .system("fstat")) }
        let status = Status(information)
        guard status.kind == .regular else {
            throw Diagnostic(path: path, sentence: "expected a regular file or a folder")
        }
        guard status.byteCount <= limit else {
            throw Diagnostic(
                path: path, sentence: "the file has \(status.byteCount) bytes; at most \(limit) are read",
                hint: "move large bodies to a file of their own")
        }
        return try read(descriptor, of: path, expecting: status.byteCount, limit: limit)
    }

    private static func read(
        _ descriptor: Int32, of path: String, expecting byteCount: Int, limit: Int
    ) throws(Diagnostic) -> [UInt8] {
        // One byte more than expected, so that the read shows the end of the file.
        var bytes = [UInt8](repeating: 0, count: byteCount + 1)
        var count = 0
        while true {
            let result = unsafe bytes.withUnsafeMutableBytes { buffer in
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
                return unsafe FileCalls.read(descriptor, rest.baseAddress, rest.count)
            }
            if result == 0 { break }
            guard result > 0 else { throw Diagnostic(unreadable: path, .system("read")) }
            count += result
            guard count <= limit else {
                throw Diagnostic(path: path, sentence: "the file grew beyond \(limit) bytes while it was read")
            }
            if count == bytes.count { bytes += [UInt8](repeating: 0, count: max(4096, count)) }
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// The path without symbolic links, `.` and `..`; nil when the file does not exist.
    package static func realPath(_ path: String) -> String? { try? resolve(path) }

    /// The path without symbolic links, `.` and `..`.
    package static func resolve(_ path: String) throws(CallFailure) -> String {
        guard let resolved = unsafe realpath(path, nil) else { throw .system("realpath \(path)") }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    package static func isReadable(_ path: String) -> Bool {
        unsafe access(path, R_OK) == 0
    }

    /// The entries in no particular order, without `.` and `..`.
    package static func entries(inFolder path: String) throws(Diagnostic) -> [FolderList.Entry] {
        do throws(CallFailure) {
            return try FolderList.entries(in: path)
        } catch {
            throw Diagnostic(unreadable: path, error)
        }
    }
}

extension FileBytes.Status {
    init(_ status: stat) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: kind = .regular
        case S_IFDIR: kind = .folder
        default: kind = .other
        }
        identity = FileIdentity(status)
    }
}
