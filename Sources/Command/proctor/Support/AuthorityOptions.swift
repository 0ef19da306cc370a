internal import ProctorServer
internal import ProctorTLS

/// The flags about the authority and the certificates, checked.
struct AuthorityOptions {
    private let place: AuthorityStorage
    /// The folders of certificate and identity descriptions; the first folder with a name is used.
    let folders: [String]
    private let keyLogPath: String?
    private let environment: [String: String]

    init(
        _ arguments: ParsedArguments, fixturePaths: [String], environment: [String: String]
    ) throws(UsageError) {
        let folder = arguments["--ca-dir"]
        let seed = try Self.seed(arguments)
        if arguments.has("--ephemeral-ca") {
            guard folder == nil else { throw UsageError("--ca-dir and --ephemeral-ca exclude each other") }
            place = .ephemeral(seed: seed)
        } else {
            guard seed == nil else {
                throw UsageError("--ca-seed goes with --ephemeral-ca; an authority that is kept has keys of its own")
            }
            guard folder?.isEmpty != true else { throw UsageError("--ca-dir takes a folder's path") }
            // Clients get paths of files in this folder, and may have another working directory.
            place = folder.map { AuthorityStorage.folder(AbsolutePath.resolve($0)) } ?? .userData
        }
        guard arguments["--key-log"]?.isEmpty != true else { throw UsageError("--key-log takes a file's path") }
        keyLogPath = arguments["--key-log"]
        folders = try CertificateLocation(environment: environment).folders(
            named: arguments["--certs"], fixturePaths: fixturePaths)
        self.environment = environment
    }

    private static func seed(_ arguments: ParsedArguments) throws(UsageError) -> UInt64? {
        guard let text = arguments["--ca-seed"] else { return nil }
        guard let seed = UInt64(text) else {
            throw UsageError("--ca-seed takes a whole number from 0 to \(UInt64.max), not '\(text)'")
        }
        return seed
    }

    func apply(to configuration: inout ServerConfiguration) {
        configuration.authority = place
        configuration.certificateFolders = folders
        configuration.keyLogPath = keyLogPath
        configuration.environment = environment
    }
}
