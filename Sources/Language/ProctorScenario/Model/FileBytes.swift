package import ProctorBase
package import ProctorDocument

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Reads small files for diagnostics, and inspects large ones.
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
        do throws(CallFailure) {
            let file = try OpenFile(path: path)
            guard file.byteCount <= limit else {
                throw CallFailure(call: "read", code: EFBIG, text: "\(file.byteCount)")
            }
            return try file.content(upTo: limit)
        } catch {
            switch error.code {
            case EINVAL: throw Diagnostic(path: path, sentence: "expected a regular file or a folder")
            case EFBIG:
                throw Diagnostic(
                    path: path, sentence: "the file has \(error.text) bytes; at most \(limit) are read",
                    hint: "move large bodies to a file of their own")
            default: throw Diagnostic(unreadable: path, error)
            }
        }
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
