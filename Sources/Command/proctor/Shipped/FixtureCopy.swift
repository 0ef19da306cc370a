internal import ProctorBase

/// Copies a folder of scenarios, or some of its families.
struct FixtureCopy {
    let source: String
    /// The names of folders in the source; empty: all.
    let families: [String]

    private static let deepestFolder = 32

    /// Copies all files, or none when one of them exists already.
    func write(to target: String, _ output: Output) throws -> ExitCode {
        var files = try self.files()
        let schema = FixtureSchema.name
        files.removeAll { $0 == schema }
        let present = try files.filter { try FileKind.certain(of: "\(target)/\($0)", followsLinks: false) != nil }
        if let first = present.first {
            let others = present.count == 1 ? "" : ", and \(Plural.count(present.count - 1, "other file")) too"
            output.message("\(target)/\(first) is there already\(others); nothing was copied")
            return .failure
        }
        for file in files {
            let depth = file.count { $0 == "/" }
            try Self.copy("\(source)/\(file)", to: "\(target)/\(file)") { FixtureSchema.renaming($0, below: depth) }
        }
        _ = try FixtureSchema.add(to: target)
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
            switch try FileKind.certain(of: "\(source)/\(prefix)\(name)") {
            case .folder: try collect("\(prefix)\(name)/", depth: depth + 1, into: &files)
            case .regular: files.append(prefix + name)
            default: continue
            }
        }
    }

    static func copy(
        _ source: String, to target: String, change: ([UInt8]) -> [UInt8] = { $0 }
    ) throws {
        let bytes = change(try InputFile.bytes(of: source))
        do throws(CallFailure) {
            try NewFile.makeFolders(above: target, mode: 0o777)
            try NewFile.write(bytes.span, to: target, mode: 0o666)
        } catch {
            throw InputFailure("\(target) can't be written: \(error.text)")
        }
    }
}

/// The schema with which editors complete and check scenarios; the first line of a scenario refers to it.
enum FixtureSchema {
    static let name = "scenario.schema.json"

    private static let mark = Array("# yaml-language-server: $schema=".utf8)

    /// The first line of a scenario that is this many folders below the folder of the schema.
    static func line(below depth: Int) -> String {
        String(decoding: mark, as: UTF8.self) + String(repeating: "../", count: depth) + name
    }

    /// The file with the path to the schema from its new place, when its first line refers to the schema; else
    /// unchanged.
    static func renaming(_ bytes: [UInt8], below depth: Int) -> [UInt8] {
        guard bytes.starts(with: mark), let end = bytes.firstIndex(of: 0x0A) else { return bytes }
        return Array(line(below: depth).utf8) + bytes[end...]
    }

    /// Copies the schema into a folder of scenarios that has none; false when none is shipped with the program.
    static func add(to folder: String) throws -> Bool {
        if try FileKind.certain(of: "\(folder)/\(name)") != nil { return true }
        guard let shipped = try ShippedFiles.folder("fixtures"),
            try FileKind.certain(of: "\(shipped)/\(name)") != nil
        else { return false }
        try FixtureCopy.copy("\(shipped)/\(name)", to: "\(folder)/\(name)")
        return true
    }
}
