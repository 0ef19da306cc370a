internal import ProctorBase

/// Clients in a release of PyPI that the user names, as `urllib3@2.4.0`: the adapter of the client with that release.
///
/// `clients/adapters/proctor_release.sh` installs it once into a virtual environment of its own below ``folder``.
struct ReleaseClients {
    /// The folder of the virtual environments.
    let folder: String
    private let output: Output

    /// The script that installs a release and runs an adapter with it, and the list of what is installed.
    private static let script = "proctor_release.sh"
    private static let packages = "current/packages.tsv"

    /// nil without `--versions`.
    init?(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        guard arguments.has("--versions") else {
            guard arguments["--versions-dir"] == nil else {
                throw UsageError("--versions-dir says where the releases of --versions are installed; add --versions")
            }
            return nil
        }
        let usual = UserCache.folders { context.environment[$0] }.first.map { "\($0)/releases" }
        guard let folder = arguments["--versions-dir"] ?? usual else {
            throw UsageError(
                "neither XDG_CACHE_HOME nor HOME says where releases are to be installed; say it with --versions-dir DIR"
            )
        }
        self.folder = AbsolutePath.resolve(folder)
        output = context.output
    }

    /// The client and the release of `NAME@RELEASE`; nil where the name has no release.
    static func parts(of name: String) -> (client: String, release: String)? {
        guard let at = name.lastIndex(of: "@") else { return nil }
        let release = name[name.index(after: at)...]
        // A release of PyPI (PEP 440) begins with a digit; NAME@current is a client of its own.
        guard release.first?.isASCII == true, release.first?.isNumber == true, release.count <= 40,
            release.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || ".+!_-".utf8.contains($0) })
        else { return nil }
        return (String(name[..<at]), String(release))
    }

    /// The client, whose adapter stands in one of the folders; throws where no list says what to install for it.
    func client(named name: String, _ parts: (client: String, release: String), in folders: [String]) throws
        -> ExamClient
    {
        var known: [String] = []
        for folder in folders {
            guard let list = try? InputFile.bytes(of: "\(folder)/\(Self.packages)") else { continue }
            let rows = list.split(separator: 0x0A).filter { $0.first != UInt8(ascii: "#") }
            let names = rows.map { String(decoding: $0.prefix { $0 != 0x09 }, as: UTF8.self) }
            known += names
            guard names.contains(parts.client) else { continue }
            output.message("\(name): that release stands in \(self.folder), or is installed there now, from PyPI")
            return ExamClient(
                name: name, command: ["\(folder)/adapters/\(Self.script)", self.folder, parts.client, parts.release],
                wordCount: 4)
        }
        throw UsageError(
            "there is no list of what to install for '\(parts.client)'; "
                + NearestName.hint(
                    for: parts.client, in: known, else: "there is one for \(known.joined(separator: ", "))"))
    }
}
