internal import ProctorBase
internal import ProctorImport

/// Reads what is to be imported, and hands its bytes on.
struct ImportSources {
    let keepsSecrets: Bool
    let keepsWaits: Bool
    let progress: ImportProgress
    /// Folders of `--allow-files`.
    let allowed: [String]

    /// Bytes of one file.
    private static let byteLimit = 256 << 20

    /// The draft of one scenario.
    func draft(_ kind: ImportKind, _ sources: [String]) throws -> Draft {
        let source = sources[0]
        switch kind {
        case .curl:
            let permitted = try PermittedFolders(".", allowed)
            return try CurlReader.read(sources, keepsSecrets: keepsSecrets) { name throws(FileRefusal) in
                guard name != "-" else { throw FileRefusal("is standard input, which is not read") }
                return try permitted.bytes(of: name, limit: Self.byteLimit)
            }
        case .wiremock:
            let (files, refused) = try files(in: source) { $0.hasPrefix("__files/") || $0.hasSuffix(".json") }
            return try WireMockReader.read(files, refused: refused, folder: source)
        case .folder:
            let (files, refused) = try files(in: source, FolderReader.isServed)
            let name = source.hasSuffix("/") ? String(source.dropLast()) : source
            return try FolderReader.read(files, refused: refused, folder: name)
        case .har, .http, .vcr, .postman, .journal, .openapi:
            let bytes = try InputFile.bytes(of: source, limit: Self.byteLimit)
            let folder = source.lastIndex(of: "/").map { String(source[...$0]) } ?? ""
            let permitted = try PermittedFolders(folder.isEmpty ? "." : folder, allowed)
            // All files together are held in memory.
            var room = Self.byteLimit
            return try Importer(
                keepsSecrets: keepsSecrets, keepsWaits: keepsWaits, progress: progress, within: WorkBudget()
            ).draft(
                kind, bytes, file: InputFile.name(of: source)
            ) { name throws(FileRefusal) in
                let bytes = try permitted.bytes(of: name.hasPrefix("/") ? name : folder + name, limit: room)
                room -= bytes.count
                return bytes
            }
        }
    }

    // MARK: Folders

    private static let folderDepth = 16
    private static let fileLimit = 10_000

    /// Files by their path in the folder, all of them together within the limit.
    private func files(
        in folder: String, _ isWanted: (String) -> Bool
    ) throws -> (files: [String: [UInt8]], refused: [String: FileRefusal]) {
        var paths: [String] = []
        var refused: [String: FileRefusal] = [:]
        try collect("", in: folder, depth: 0, into: &paths, &refused)
        let permitted = try PermittedFolders(folder, allowed)
        var files: [String: [UInt8]] = [:]
        var room = Self.byteLimit
        for path in paths where isWanted(path) {
            do throws(FileRefusal) {
                let bytes = try permitted.bytes(of: "\(folder)/\(path)", limit: room)
                room -= bytes.count
                files[path] = bytes
            } catch {
                refused[path] = error
            }
        }
        return (files, refused)
    }

    /// Follows no link to a folder, which may lead out of the folder or in a circle.
    private func collect(
        _ prefix: String, in folder: String, depth: Int, into paths: inout [String],
        _ refused: inout [String: FileRefusal]
    ) throws {
        guard depth < Self.folderDepth else {
            refused[prefix] = FileRefusal("lies more than \(Self.folderDepth) folders deep, which is the limit")
            return
        }
        let names: [String]
        do throws(CallFailure) {
            names = try FolderList.names(in: "\(folder)/\(prefix)")
        } catch {
            throw InputFailure("\(folder)/\(prefix) can't be read: \(error.text)")
        }
        for name in names.sorted() {
            let path = "\(folder)/\(prefix)\(name)"
            switch (try FileKind.certain(of: path, followsLinks: false), try FileKind.certain(of: path)) {
            case (.folder, _):
                try collect("\(prefix)\(name)/", in: folder, depth: depth + 1, into: &paths, &refused)
            case (_, .folder): refused[prefix + name] = FileRefusal("is a link to a folder, which is not followed")
            case (_, .regular), (_, .other), (_, .socket): paths.append(prefix + name)
            case (_, nil): continue
            }
            guard paths.count + refused.count <= Self.fileLimit else {
                throw InputFailure("\(folder) has more than \(Self.fileLimit) files, which is the limit")
            }
        }
    }
}
