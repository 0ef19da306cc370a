internal import ProctorBase
internal import ProctorImport

/// Reads what is to be imported, and hands its bytes on.
struct ImportSources {
    let keepsSecrets: Bool

    /// Bytes of one file.
    private static let byteLimit = 256 << 20

    /// The draft of one scenario.
    func draft(_ kind: ImportKind, _ sources: [String]) throws -> Draft {
        let source = sources[0]
        switch kind {
        case .curl:
            return try CurlReader.read(sources, keepsSecrets: keepsSecrets) { name in
                name == "-" ? nil : try? InputFile.bytes(of: name, limit: Self.byteLimit)
            }
        case .wiremock:
            return try WireMockReader.read(try files(in: source), folder: source)
        case .har, .http, .vcr, .postman, .journal, .openapi:
            let bytes = try InputFile.bytes(of: source, limit: Self.byteLimit)
            return try Importer(keepsSecrets: keepsSecrets).draft(kind, bytes, file: InputFile.name(of: source))
        }
    }

    // MARK: Folders

    private static let folderDepth = 16
    private static let fileLimit = 10_000

    /// The files of mappings and __files by their path in the folder.
    private func files(in folder: String) throws -> [String: [UInt8]] {
        var paths: [String] = []
        try collect("", in: folder, depth: 0, into: &paths)
        var files: [String: [UInt8]] = [:]
        for path in paths where path.hasPrefix("__files/") || path.hasSuffix(".json") {
            files[path] = try InputFile.bytes(of: "\(folder)/\(path)", limit: Self.byteLimit)
        }
        return files
    }

    private func collect(_ prefix: String, in folder: String, depth: Int, into paths: inout [String]) throws {
        guard depth < Self.folderDepth else { return }
        let names: [String]
        do throws(CallFailure) {
            names = try FolderList.names(in: "\(folder)/\(prefix)")
        } catch {
            throw InputFailure("\(folder)/\(prefix) can't be read: \(error.text)")
        }
        for name in names.sorted() {
            switch FileKind(of: "\(folder)/\(prefix)\(name)") {
            case .folder: try collect("\(prefix)\(name)/", in: folder, depth: depth + 1, into: &paths)
            case .regular: paths.append(prefix + name)
            default: continue
            }
            guard paths.count <= Self.fileLimit else {
                throw InputFailure("\(folder) has more than \(Self.fileLimit) files, which is the limit")
            }
        }
    }
}
