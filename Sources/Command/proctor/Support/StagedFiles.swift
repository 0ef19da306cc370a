internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Files of a scenario that is not written yet, in a temporary folder that goes with this value.
struct StagedFiles: ~Copyable {
    private let folder: String
    private var paths: Set<String> = []
    private var folders: Set<String> = []

    init() throws(CallFailure) { folder = try TemporaryFolder.make("\(TemporaryFolder.path)/proctor-import-") }

    /// Writes the files that are not there yet, by their path in the folder, whose path is returned.
    mutating func write(_ files: [(path: String, bytes: [UInt8])]) throws(CallFailure) -> String {
        for (path, bytes) in files where paths.insert(path).inserted {
            try AtomicFile.create("\(folder)/\(path)", with: bytes)
            if let slash = path.lastIndex(of: "/") { folders.insert(String(path[..<slash])) }
        }
        return folder
    }

    deinit {
        for path in paths { unsafe unlink("\(folder)/\(path)") }
        for name in folders { unsafe rmdir("\(folder)/\(name)") }
        unsafe rmdir(folder)
    }
}
