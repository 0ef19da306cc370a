internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A copy of a folder of scenarios, or of some families in it.
struct FixtureCopy {
    let source: String
    /// Names of folders in the source; empty: all.
    let families: [String]

    private static let deepestFolder = 32

    /// Copies all files, or none where one of them is there already.
    func write(to target: String, _ output: Output) throws -> ExitCode {
        let files = try self.files()
        let present = files.filter { FileKind(of: "\(target)/\($0)", followsLinks: false) != nil }
        if let first = present.first {
            let others = present.count == 1 ? "" : ", and \(Plural.count(present.count - 1, "other file")) too"
            output.note("\(target)/\(first) is there already\(others); nothing was copied")
            return .failure
        }
        for file in files { try Self.copy("\(source)/\(file)", to: "\(target)/\(file)") }
        output.line("copied \(Plural.count(files.count, "file")) into \(target)")
        return .success
    }

    /// Relative paths.
    private func files() throws -> [String] {
        var files: [String] = []
        if families.isEmpty { try collect("", depth: 0, into: &files) }
        for family in families {
            let name = family.hasSuffix("/") ? String(family.dropLast()) : family
            guard !name.isEmpty, !name.split(separator: "/").contains(".."), !name.hasPrefix("/"),
                FixtureLocation.isFolder("\(source)/\(name)")
            else {
                let known = try FolderList.entries(in: source).filter { $0.kind == .folder }.map(\.name).sorted()
                throw UsageError(
                    "there is no family '\(family)'; "
                        + NearestName.hint(for: name, in: known, else: "there are \(known.joined(separator: ", "))"))
            }
            try collect("\(name)/", depth: 0, into: &files)
        }
        var seen: Set<String> = []
        return files.filter { seen.insert($0).inserted }
    }

    private func collect(_ prefix: String, depth: Int, into files: inout [String]) throws {
        guard depth < Self.deepestFolder else { return }
        for name in try FolderList.names(in: "\(source)/\(prefix)").sorted() {
            switch FileKind(of: "\(source)/\(prefix)\(name)") {
            case .folder: try collect("\(prefix)\(name)/", depth: depth + 1, into: &files)
            case .regular: files.append(prefix + name)
            default: continue
            }
        }
    }

    private static func copy(_ source: String, to target: String) throws {
        let bytes = try InputFile.bytes(of: source)
        for end in target.indices.dropFirst() where target[end] == "/" {
            // An error of a folder shows at its file.
            _ = unsafe mkdir(String(target[..<end]), 0o777)
        }
        let descriptor = unsafe open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw unwritable(target, .system("open")) }
        defer { close(descriptor) }
        if let failure = FullWrite.write(bytes, to: descriptor).failure { throw unwritable(target, failure) }
    }

    private static func unwritable(_ path: String, _ failure: CallFailure) -> InputFailure {
        InputFailure("\(path) can't be written: \(failure.text)")
    }
}
