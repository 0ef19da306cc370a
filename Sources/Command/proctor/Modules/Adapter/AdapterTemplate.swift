internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The beginning of an adapter, from a kit that comes with the program: `proctor adapter new FOLDER --language swift`.
struct AdapterTemplate {
    private let kit: String
    private let folder: String
    private let name: String

    /// The files of the kit of Swift that a client with asynchronous loads needs.
    private static let sources = ["AsyncKit.swift", "Kit.swift", "Remote.swift", "Session.swift", "SessionLoads.swift"]

    init(_ arguments: ParsedArguments) throws {
        let operands = arguments.operands.dropFirst()
        guard let folder = operands.first, operands.count == 1 else {
            throw UsageError("'adapter new' takes one FOLDER: proctor adapter new mine --language swift")
        }
        guard arguments["--language"] != nil else {
            throw UsageError(
                "'adapter new' needs --language swift; Docs/clients/kits.md has kits of other languages to copy")
        }
        guard let kit = try ShippedFiles.folder("clients/kits/swift") else {
            throw UsageError(
                "the kit of Swift does not come with this program; it is in clients/kits/swift of the sources")
        }
        (self.kit, self.folder) = (kit, folder)
        name = folder.split(separator: "/").last.map(String.init) ?? ""
        let isPlain = name.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-_".utf8.contains($0) }
        guard isPlain, name.utf8.first?.isASCIILetter ?? false else {
            throw UsageError(
                "a FOLDER ends with the name of the adapter, of letters, digits, '-' and '_', not '"
                    + PrintableText.sanitize(name, limit: 60) + "'")
        }
    }

    /// Writes the files, of which none may be there, and tells what to do with them.
    func write(to output: Output) throws -> ExitCode {
        for file in Self.sources {
            try create("Sources/\(name)/\(file)", with: try InputFile.bytes(of: "\(kit)/Sources/tiny/\(file)"))
        }
        try create("Sources/\(name)/main.swift", with: Array("Kit.serve(Session.self)\n".utf8))
        let package = String(decoding: try InputFile.bytes(of: "\(kit)/Package.swift"), as: UTF8.self)
            .replacing(text: "\"tiny\"", with: "\"\(name)\"").replacing(text: "../../..", with: sourcesOfProctor)
        try create("Package.swift", with: Array(package.utf8))
        output.message(
            "write your client's calls into \(folder)/Sources/\(name)/Session.swift, then: "
                + "swift build --package-path \(folder) && proctor adapter check \(folder)/.build/debug/\(name)")
        return .success
    }

    /// The folder of the sources; beside an installed program it is the reader's to say.
    private var sourcesOfProctor: String {
        let suffix = "/clients/kits/swift"
        let root = String(kit.dropLast(suffix.count))
        let hasSources = unsafe access("\(root)/Package.swift", R_OK) == 0
        return kit.hasSuffix(suffix) && hasSources ? root : "PROCTOR"
    }

    private func create(_ path: String, with bytes: [UInt8]) throws {
        try AtomicFile.createNew("\(folder)/\(path)", with: bytes)
    }
}
