package import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A folder for the files of a client; its owner calls ``remove()``.
package struct ClientFolder {
    /// The absolute path; only this user may read the folder.
    package let path: String

    /// Bounds of the folder; a browser's profile takes some 30 MiB.
    static let byteLimit = 512 << 20
    static let fileLimit = 20_000
    /// The deepest folder inside.
    private static let deepest = 64

    /// What the folder is for: the beginning of its name.
    package enum Purpose: String {
        /// What the client keeps from one launch to the next.
        case storage = "proctor-storage-"
        /// The TMPDIR of one process.
        case temporary = "proctor-client-"
    }

    package init(_ purpose: Purpose) throws(CallFailure) {
        path = try TemporaryFolder.make("\(TemporaryFolder.path)/\(purpose.rawValue)")
    }

    /// The bound that the folder has passed, half a sentence; nil when it is within both.
    var excess: String? {
        var (byteCount, fileCount) = (0, 0)
        var isTooDeep = false
        FolderTree(deepest: Self.deepest) { _, _, status in
            fileCount += 1
            if status.st_mode & S_IFMT == S_IFREG { byteCount += Int(clamping: status.st_size) }
        } tooDeep: { _, _ in
            isTooDeep = true
        }.walk(path)
        if isTooDeep { return "folders more than \(Self.deepest) levels deep" }
        if fileCount > Self.fileLimit { return "\(fileCount) files; at most \(Self.fileLimit) may be there" }
        return byteCount > Self.byteLimit ? "\(byteCount) bytes; at most \(Self.byteLimit) may be there" : nil
    }

    /// Removes the folder with all that is in it; links are removed and not followed.
    package func remove() {
        // Each round takes what lies too deep to the top, for the next round.
        let root = FileCalls.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        defer { if root >= 0 { close(root) } }
        for round in 0..<Self.mostRounds {
            var deepCount = 0
            FolderTree(deepest: Self.deepest) { folder, name, status in
                _ = unsafe unlinkat(folder, name, status.st_mode & S_IFMT == S_IFDIR ? AT_REMOVEDIR : 0)
            } tooDeep: { folder, name in
                _ = unsafe renameat(folder, name, root, "\(round)-\(deepCount)")
                deepCount += 1
            }.walk(path)
            if deepCount == 0 { break }
        }
        _ = unsafe rmdir(path)
    }

    private static let mostRounds = 1_000
}
