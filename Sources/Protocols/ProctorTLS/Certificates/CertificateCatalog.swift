import ProctorBase
package import ProctorDocument

/// All certificate profiles and client identities.
package struct CertificateCatalog: Sendable {
    package private(set) var profiles: [String: CertificateProfile] = [:]
    package private(set) var clients: [String: CertificateProfile] = [:]

    package init() {}

    /// Adds a profile; replaces one with the same name and role.
    mutating func add(_ profile: CertificateProfile) {
        switch profile.role {
        case .server: profiles[profile.name] = profile
        case .client: clients[profile.name] = profile
        }
    }

    package var names: [String] { profiles.keys.sorted() }
    package var clientNames: [String] { clients.keys.sorted() }

    /// The nearest existing profile, for messages.
    package func nearest(to name: String) -> String? { NearestName.find(name, in: names) }
    /// The nearest existing client identity, for messages.
    package func nearestClient(to name: String) -> String? { NearestName.find(name, in: clientNames) }

    /// The most files in one folder.
    package static let limit = 1_000

    /// Reads `*.yaml` of each folder and of its `clients`; later folders replace earlier names.
    ///
    /// Blocking. A file with errors gives no profile; an unreadable folder is one diagnostic.
    package static func load(folders: [String]) -> (catalog: CertificateCatalog, diagnostics: [Diagnostic]) {
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
            if isNeeded || error.isTransient {
                diagnostics.append(
                    Diagnostic(
                        location: SourceLocation(file: folder, line: 0, column: 0),
                        sentence: "the folder of certificate profiles can't be read: \(error.text)",
                        isTransient: error.isTransient))
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
                bytes = try OpenFile(path: path).content(upTo: 1 << 20)
            } catch {
                diagnostics.append(
                    Diagnostic(
                        location: SourceLocation(file: path, line: 0, column: 0),
                        sentence: "the profile can't be read: \(error.text)", isTransient: error.isTransient))
                continue
            }
            let (profile, found) = CertificateProfile.parse(
                bytes, name: String(name.dropLast(5)), role: role, file: path)
            diagnostics += found
            if let profile { catalog.add(profile) }
        }
    }

    /// The map of badssl.com for the documentation, which is no profile.
    private static let reserved: Set<String> = ["badssl.yaml"]
}
