import ProctorBase
public import ProctorDocument

/// All profiles of certificates, and the client identities.
public struct CertificateCatalog: Sendable {
    /// By name.
    public private(set) var profiles: [String: CertificateProfile] = [:]
    /// By name.
    public private(set) var clients: [String: CertificateProfile] = [:]

    /// Without any.
    public init() {}

    /// Puts a profile in; one of the same name and role makes place.
    mutating func add(_ profile: CertificateProfile) {
        switch profile.role {
        case .server: profiles[profile.name] = profile
        case .client: clients[profile.name] = profile
        }
    }

    /// In the order of names.
    public var names: [String] { profiles.keys.sorted() }
    /// In the order of names.
    public var clientNames: [String] { clients.keys.sorted() }

    /// The profile whose name is nearest to a name that does not exist.
    public func nearest(to name: String) -> String? { NearestName.find(name, in: names) }
    /// The client identity whose name is nearest to a name that does not exist.
    public func nearestClient(to name: String) -> String? { NearestName.find(name, in: clientNames) }

    /// More in one folder are not read.
    public static let limit = 1_000

    /// Reads `*.yaml` of each folder and of its `clients`; what a later folder says of a name holds.
    ///
    /// Blocking. A file with errors gives no profile; a folder that can't be read is one diagnostic.
    public static func load(folders: [String]) -> (catalog: CertificateCatalog, diagnostics: [Diagnostic]) {
        var catalog = CertificateCatalog()
        var diagnostics: [Diagnostic] = []
        for folder in folders {
            read(folder, .server, isNeeded: true, into: &catalog, reporting: &diagnostics)
            read("\(folder)/clients", .client, isNeeded: false, into: &catalog, reporting: &diagnostics)
        }
        return (catalog, diagnostics.sorted())
    }

    private static func read(
        _ folder: String, _ role: CertificateProfile.Role, isNeeded: Bool, into catalog: inout CertificateCatalog,
        reporting diagnostics: inout [Diagnostic]
    ) {
        let names: [String]
        do throws(CallFailure) {
            names = try FolderList.names(in: folder).filter { $0.hasSuffix(".yaml") && !reserved.contains($0) }.sorted()
        } catch {
            if isNeeded {
                diagnostics.append(
                    Diagnostic(
                        path: folder, sentence: "the folder of certificate profiles can't be read: \(error.text)"))
            }
            return
        }
        if names.count > limit {
            diagnostics.append(
                Diagnostic(path: folder, sentence: "the folder has \(names.count) profiles; at most \(limit) are read"))
        }
        for name in names.prefix(limit) {
            let path = "\(folder)/\(name)"
            let bytes: [UInt8]
            do throws(CallFailure) {
                bytes = try SmallFile.read(path)
            } catch {
                diagnostics.append(Diagnostic(path: path, sentence: "the profile can't be read: \(error.text)"))
                continue
            }
            let (profile, found) = CertificateProfile.parse(
                bytes, name: String(name.dropLast(5)), role: role, file: path)
            diagnostics += found
            if let profile { catalog.add(profile) }
        }
    }

    /// Beside the profiles, for the documents alone: which hosts of badssl.com are no certificates.
    private static let reserved: Set<String> = ["badssl.yaml"]
}
