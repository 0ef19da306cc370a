internal import ProctorBase
internal import ProctorImport

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
    mutating func write(_ files: [(path: String, content: DraftFile)]) throws(CallFailure) -> String {
        for (path, content) in files where paths.insert(path).inserted {
            try content.write(to: "\(folder)/\(path)")
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

extension DraftFile {
    /// Writes a file that must not exist yet, and creates its folders; a stored one is linked, or copied piece by piece.
    func write(to path: String) throws(CallFailure) {
        switch self {
        case .bytes(let bytes): try AtomicFile.create(path, with: bytes)
        case .stored(let stored):
            try NewFile.makeFolders(above: path)
            if unsafe link(stored.path, path) == 0 { return }
            guard errno == EXDEV || errno == EPERM || errno == EOPNOTSUPP || errno == EMLINK else {
                throw .system("link \(path)")
            }
            try Self.copy(stored, to: path)
        }
    }

    private static func copy(_ stored: StoredContent, to path: String) throws(CallFailure) {
        let source = try OpenFile(path: stored.path)
        try NewFile.write(ContiguousArray<UInt8>().span, to: path)
        var offset = 0
        while true {
            let bytes = try source.bytes(from: offset, byteCount: 1 << 20)
            guard !bytes.isEmpty else { return }
            if let failure = AtomicFile.append(bytes, to: path).failure {
                unsafe unlink(path)
                throw failure
            }
            offset += bytes.count
        }
    }
}
