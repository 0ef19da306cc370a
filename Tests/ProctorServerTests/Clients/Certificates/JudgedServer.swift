import ProctorScenario
import ProctorServer
import ProctorTLS
import ProctorTestSupport

/// One server for all judges: an https origin for each profile of `certs/`, and an authority that it makes for itself.
///
/// It is kept until the process ends.
struct JudgedServer: Sendable {
    let server: Server
    let folder: String
    /// PEM of what the judges are to trust.
    let authority: String

    /// The profiles of servers, and what is wrong with their files.
    static let (book, diagnostics) = CertificateCatalog.load(folders: ["\(Tools.project)/certs"])

    /// In the order of names.
    static var profiles: [CertificateProfile] { book.names.compactMap { book.profiles[$0] } }

    /// Started by whoever asks first.
    static let shared = Task { try await JudgedServer() }

    private init() async throws {
        let folder = try JudgeFolder.make()
        let scenarios = try Self.profiles.map { profile in
            try InlineScenario.load(
                """
                summary: A page behind one certificate
                origins: { main: { scheme: https, certificate: \(profile.name) } }
                exchanges: [ { request: GET /, reply: { status: 200, body: "ok\\n" } } ]
                """, id: "judged/\(profile.name)")
        }
        var configuration = ServerConfiguration()
        configuration.authority = .folder("\(folder)/ca")
        configuration.certificateFolders = ["\(Tools.project)/certs"]
        server = try await Server.start(Catalogue(scenarios), configuration: configuration)
        self.folder = folder
        authority = "\(folder)/ca/ca.pem"
    }

    /// Where a profile is shown, to be asked for by a name where it has any; it is minted when somebody comes.
    func place(of profile: String) async throws -> JudgedPlace {
        let names = Self.book.profiles[profile]?.names
        let hasNoName = names?.hosts == .list([]) && names?.isNone == false
        let run = try await server.run("judged/\(profile)")
        let authority = run.base.split(separator: "/").last.map(String.init) ?? ""
        let colon = authority.lastIndex(of: ":") ?? authority.endIndex
        return JudgedPlace(
            address: String(authority[..<colon]), port: String(authority[colon...].dropFirst()),
            authority: self.authority, name: hasNoName ? nil : "localhost")
    }
}

/// Where a certificate is shown, and under which name it is asked for.
struct JudgedPlace: Sendable {
    let address: String
    let port: String
    /// PEM of what is to be trusted.
    let authority: String
    /// nil: the address itself.
    var name: String?
}
