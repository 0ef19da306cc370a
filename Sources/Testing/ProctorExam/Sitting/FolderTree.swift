internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Walks what another process has put into a folder, and may still change.
///
/// Each folder is opened below the one that holds it, so that no link is followed, also where one takes a folder's place
/// in the midst of the walk. Names are bytes.
struct FolderTree {
    /// The deepest folder that is entered; one descriptor is open for each level.
    let deepest: Int
    /// Gets each file and each folder, a folder after what is in it; the folder that holds it is open.
    let visit: (_ parent: Int32, _ name: [CChar], _ status: stat) -> Void
    /// Gets each folder that is not entered, since it lies too deep.
    let tooDeep: (_ parent: Int32, _ name: [CChar]) -> Void

    /// Nothing where the folder can't be opened.
    func walk(_ folder: String) { walk(FileCalls.open(folder, Self.flags), depth: 0) }

    private static let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

    /// Closes the descriptor.
    private func walk(_ folder: Int32, depth: Int) {
        guard folder >= 0 else { return }
        guard let stream = unsafe fdopendir(folder) else {
            close(folder)
            return
        }
        defer { unsafe closedir(stream) }
        // Names first, since a list that changes while it is read may skip some.
        for name in unsafe Self.names(stream) {
            var status = stat()
            guard unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR {
                guard depth + 1 < deepest else {
                    tooDeep(folder, name)
                    continue
                }
                walk(Self.entered(name, in: folder), depth: depth + 1)
            }
            visit(folder, name, status)
        }
    }

    private static func entered(_ name: [CChar], in folder: Int32) -> Int32 {
        let descriptor = unsafe openat(folder, name, flags)
        guard descriptor < 0, errno == EACCES else { return descriptor }
        // The client may have taken away its own rights to it.
        _ = unsafe fchmodat(folder, name, 0o700, AT_SYMLINK_NOFOLLOW)
        return unsafe openat(folder, name, flags)
    }

    private static func names(_ stream: DirectoryStream) -> [[CChar]] {
        var names: [[CChar]] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                let text = unsafe UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self)
                return unsafe Array(UnsafeBufferPointer(start: text, count: strlen(text) + 1))
            }
            if name != [0x2E, 0], name != [0x2E, 0x2E, 0] { names.append(name) }
        }
        return names
    }
}

#if canImport(Darwin)
    private typealias DirectoryStream = UnsafeMutablePointer<DIR>
#else
    private typealias DirectoryStream = OpaquePointer
#endif
