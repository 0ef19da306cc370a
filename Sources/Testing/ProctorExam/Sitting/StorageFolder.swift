internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A folder for what a client keeps from one launch to the next; its owner calls ``remove()``.
struct StorageFolder {
    /// The absolute path; only this user may read the folder.
    let path: String

    /// Bounds of the folder; a browser's profile takes some 30 MiB.
    static let byteLimit = 512 << 20
    static let fileLimit = 20_000
    /// The deepest folder inside.
    private static let deepest = 64

    init() throws(CallFailure) {
        path = try TemporaryFolder.make("\(TemporaryFolder.path)/proctor-storage-")
    }

    /// The bound that the folder has passed, half a sentence; nil when it is within both.
    var excess: String? {
        var (byteCount, fileCount) = (0, 0)
        var isTooDeep = false
        Self.walk(path, depth: 0) { _, status in
            fileCount += 1
            if status.st_mode & S_IFMT == S_IFREG { byteCount += Int(clamping: status.st_size) }
        } tooDeep: { _ in
            isTooDeep = true
        }
        if isTooDeep { return "folders more than \(Self.deepest) levels deep" }
        if fileCount > Self.fileLimit { return "\(fileCount) files; at most \(Self.fileLimit) may be there" }
        return byteCount > Self.byteLimit ? "\(byteCount) bytes; at most \(Self.byteLimit) may be there" : nil
    }

    /// Removes the folder with all that is in it; links are removed and not followed.
    func remove() {
        // Each round takes what lies too deep one level below the folder, for the next round.
        for round in 0..<Self.mostRounds {
            var deep: [String] = []
            Self.walk(path, depth: 0) { file, status in
                _ = status.st_mode & S_IFMT == S_IFDIR ? unsafe rmdir(file) : unsafe unlink(file)
            } tooDeep: {
                deep.append($0)
            }
            for (number, folder) in deep.enumerated() { _ = unsafe rename(folder, "\(path)/\(round)-\(number)") }
            if deep.isEmpty { break }
        }
        _ = unsafe rmdir(path)
    }

    private static let mostRounds = 1_000

    /// Calls `visit` for each file and folder inside, for a folder after what is in it.
    private static func walk(
        _ folder: String, depth: Int, visit: (_ path: String, _ status: stat) -> Void, tooDeep: (String) -> Void
    ) {
        guard depth < deepest else { return tooDeep(folder) }
        for name in (try? FolderList.names(in: folder)) ?? [] {
            let file = "\(folder)/\(name)"
            var status = stat()
            guard unsafe lstat(file, &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR {
                // The client may have taken away its own rights to it.
                _ = unsafe chmod(file, 0o700)
                walk(file, depth: depth + 1, visit: visit, tooDeep: tooDeep)
            }
            visit(file, status)
        }
    }
}
