internal import ProctorBase
internal import ProctorFixtures

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Finds the scenarios of a command.
struct FixtureLocation {
    let environment: [String: String]

    /// The named paths, or else the user's own, and after them those shipped with the program.
    ///
    /// The user's own are those of `PROCTOR_FIXTURES`, or the nearest folder `fixtures/` above the working directory.
    func library(named: [String] = []) throws -> FixtureLibrary {
        let own = named.isEmpty ? try ownPath().map { [$0] } ?? [] : named
        let shipped = try ShippedFiles.folder("fixtures")
        guard !own.isEmpty || shipped != nil else {
            throw UsageError(
                "there are no fixtures: name a folder, set PROCTOR_FIXTURES, or run below a folder that holds 'fixtures'"
            )
        }
        return FixtureLibrary(own: own, shipped: own.contains(where: FixtureLocation.isShipped) ? nil : shipped)
    }

    /// The library of `--fixtures` where that is a flag, or the default one; nil where there are no fixtures.
    func libraryIfAny(of arguments: ParsedArguments? = nil) throws -> FixtureLibrary? {
        let named = try arguments.map { try Self.named(by: $0) } ?? []
        do {
            return try library(named: named)
        } catch is UsageError {
            return nil
        }
    }

    /// The library of `--fixtures`, or the default one.
    func library(of arguments: ParsedArguments) throws -> FixtureLibrary {
        try library(named: Self.named(by: arguments))
    }

    /// The library with files of scenarios in the place of ids, and the operands with the ids of these files.
    func library(
        of arguments: ParsedArguments, naming operands: some Sequence<String>
    ) throws -> (library: FixtureLibrary, ids: [String]) {
        var files: [String] = []
        let ids = try operands.map { operand in
            guard operand.hasSuffix(".yaml") || operand.hasSuffix(".yml") else { return operand }
            guard FileKind(of: operand) == .regular else { throw UsageError("there is no file '\(operand)'") }
            files.append(operand)
            return ScenarioLoader.findFixtures([FixturePath(operand)]).ids.first ?? operand
        }
        return (files.isEmpty ? try library(of: arguments) : try library(named: files + Self.named(by: arguments)), ids)
    }

    private static func named(by arguments: ParsedArguments) throws(UsageError) -> [String] {
        let paths = arguments.all("--fixtures").filter { !$0.isEmpty }
        if let path = paths.first(where: { unsafe access($0, F_OK) != 0 }) {
            throw UsageError("--fixtures takes a folder of scenarios, or the file of one, and '\(path)' is not there")
        }
        return paths
    }

    private func ownPath() throws -> String? {
        guard let path = environment["PROCTOR_FIXTURES"], !path.isEmpty else {
            return try Self.nearest(above: AbsolutePath.workingDirectory ?? "")
        }
        guard unsafe access(path, F_OK) == 0 else {
            throw UsageError("PROCTOR_FIXTURES names '\(path)', which is not there")
        }
        return path
    }

    /// Where a new scenario is written: the folder of `PROCTOR_FIXTURES`, or the nearest `fixtures/`, or a new one here.
    ///
    /// The scenarios that come with Proctor are read by whoever names their folder, and nothing is written among them.
    var folderForNew: String {
        if let path = environment["PROCTOR_FIXTURES"], !path.isEmpty, !Self.isShipped(path) { return path }
        return Self.nearest(above: AbsolutePath.workingDirectory ?? "", where: Self.isFolder) ?? "fixtures"
    }

    /// Where what is imported is written: the same, but never the library, in whose folder it stands beside it.
    var folderForImport: String {
        let folder = folderForNew
        guard Self.isShipped(folder) else { return folder }
        let other = Self.nearest(above: AbsolutePath.workingDirectory ?? "") {
            Self.isFolder($0) && !Self.isShipped($0)
        }
        return other ?? (folder == "fixtures" ? "." : "fixtures")
    }

    private static func nearest(
        above folder: String, where isMeant: (String) throws -> Bool = { try holdsScenarios($0) }
    ) rethrows -> String? {
        var folder = folder
        var prefix = ""
        while true {
            if try isMeant(folder + "/fixtures") {
                // A relative path is shorter in messages.
                return prefix.isEmpty ? "fixtures" : prefix + "fixtures"
            }
            guard let slash = folder.lastIndex(of: "/"), slash != folder.startIndex else { return nil }
            folder = String(folder[..<slash])
            prefix += "../"
        }
    }

    /// Whether the folder contains scenarios; many projects have a folder `fixtures` with other content.
    private static func holdsScenarios(_ folder: String, depth: Int = 8) throws -> Bool {
        let names = try FolderList.namesIfAny(in: folder)
        if names.contains(where: { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }) { return true }
        guard depth > 1 else { return false }
        return try names.prefix(200).contains { try holdsScenarios("\(folder)/\($0)", depth: depth - 1) }
    }

    /// Whether a folder is that of the shipped scenarios, even by another path.
    static func isShipped(_ folder: String) -> Bool {
        guard let shipped = try? ShippedFiles.folder("fixtures"), let own = identity(of: shipped) else { return false }
        return identity(of: folder).map { $0 == own } ?? false
    }

    private static func identity(of path: String) -> (device: UInt64, inode: UInt64)? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return (UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino))
    }

    static func isFolder(_ path: String) -> Bool { FileKind(of: path) == .folder }
}

/// The folders of certificate profiles.
struct CertificateLocation {
    let environment: [String: String]

    /// The folders of certificate profiles, each once; a profile in a later folder replaces one of the same name.
    ///
    /// The shipped one, `certs/` beside the fixtures, `PROCTOR_CERTS`, and the one that `--certs` names; folders that
    /// do not exist are left out.
    func folders(named: String?, fixturePaths: [String]) throws(UsageError) -> [String] {
        var folders = [try ShippedFiles.folder("certs")].compactMap(\.self)
        folders += fixturePaths.map(Self.beside).filter(FixtureLocation.isFolder)
        if let path = environment["PROCTOR_CERTS"], !path.isEmpty {
            guard FixtureLocation.isFolder(path) else {
                throw UsageError("PROCTOR_CERTS names '\(path)', which is no folder")
            }
            folders.append(path)
        }
        if let named {
            guard FixtureLocation.isFolder(named) else {
                throw UsageError("--certs takes a folder of certificate profiles, and '\(named)' is none")
            }
            folders.append(named)
        }
        return Self.withoutRepetition(folders)
    }

    /// `certs` beside the folder `fixtures` in the path, or else beside the path itself.
    static func beside(_ path: String) -> String {
        var names = path.split(separator: "/", omittingEmptySubsequences: true)[...]
        let root = path.hasPrefix("/") ? "/" : ""
        if let index = names.lastIndex(of: "fixtures") { names = names[...index] }
        guard let last = names.last else { return "\(root)certs" }
        // The name of the folder behind `.` and `..` is not known from the text.
        let parent = last == "." || last == ".." ? names + [".."] : names.dropLast()
        return root + (parent + ["certs"]).joined(separator: "/")
    }

    /// Removes earlier duplicates, also those by another path.
    private static func withoutRepetition(_ folders: [String]) -> [String] {
        var seen: Set<String> = []
        return folders.reversed().filter { seen.insert(AbsolutePath.withoutLinks($0) ?? $0).inserted }.reversed()
    }
}

/// Paths that do not depend on the working directory.
enum AbsolutePath {
    /// The absolute path; the path itself when it is absolute, or when the working directory is unknown.
    static func resolve(_ path: String) -> String {
        guard !path.hasPrefix("/"), let workingDirectory else { return path }
        return workingDirectory + "/" + path
    }

    /// The working directory; nil when it was removed or can't be read.
    static var workingDirectory: String? { unsafe text(getcwd(nil, 0)) }

    /// The path without symbolic links; nil where no file exists.
    static func withoutLinks(_ path: String) -> String? { unsafe text(realpath(path, nil)) }

    private static func text(_ memory: UnsafeMutablePointer<CChar>?) -> String? {
        defer { unsafe free(memory) }
        return unsafe memory.map { unsafe String(cString: $0) }
    }
}

enum FileKind {
    case regular, folder, socket, other

    /// nil when the file does not exist or can't be read.
    init?(of path: String, followsLinks: Bool = true) {
        var status = stat()
        guard unsafe (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        self.init(status)
    }

    /// The kind of the file; nil when it does not exist or can't be read.
    ///
    /// Throws where the system could not look, so that nothing is left out of what is copied or read.
    static func certain(of path: String, followsLinks: Bool = true) throws(InputFailure) -> FileKind? {
        var status = stat()
        guard unsafe (followsLinks ? stat(path, &status) : lstat(path, &status)) != 0 else { return FileKind(status) }
        let failure = CallFailure.system("stat")
        guard failure.isTransient else { return nil }
        throw InputFailure("\(path) can't be looked at: \(failure.text)")
    }

    private init(_ status: stat) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: self = .regular
        case S_IFDIR: self = .folder
        case S_IFSOCK: self = .socket
        default: self = .other
        }
    }
}
