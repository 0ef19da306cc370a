import Foundation
import ProctorScenario
import ProctorServer
import ProctorTLS
import ProctorTestSupport

/// One server for all judges: an https origin for each profile of `certs/`, and an authority that it makes for itself;
/// it is kept until the process ends.
struct JudgedServer: Sendable {
    let server: Server
    /// PEM of what the judges are to trust.
    let authority: String

    /// The profiles of servers, and what is wrong with their files.
    static let (book, diagnostics) = CertificateCatalog.load(folders: ["\(Tools.project)/certs"])

    /// In the order of names.
    static var profiles: [CertificateProfile] { book.names.compactMap { book.profiles[$0] } }

    /// Started by the first test that needs it.
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
        // By chance the primes of 8192 bits take a client's whole patience on a busy machine; this seed has near ones.
        configuration.authority = .ephemeral(seed: 73)
        configuration.certificateFolders = ["\(Tools.project)/certs"]
        server = try await Server.start(Catalogue(scenarios), configuration: configuration)
        authority = "\(folder)/ca.pem"
        let fetched = try await ChildProcess.run([
            Tools.curl, "-q", "-sSf", "--noproxy", "*", "-o", authority, "\(server.base)/__proctor/ca.pem",
        ])
        guard fetched.status == 0 else { throw JudgeFailure(description: fetched.err) }
    }

    /// The address of a profile's certificate, by name where it has one; made for the first client.
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

extension JudgedServer {
    /// A PEM file with the server's CRL, in which the certificate of a place has its entry if it was revoked.
    func list(for place: JudgedPlace) async throws -> String {
        // Minted when it is first shown, and revoked then.
        _ = try await CertificateProfile.Judge.curl.judge(place)
        let folder = try JudgeFolder.make()
        let fetched = try await ChildProcess.run([
            Tools.curl, "-q", "-sSf", "--noproxy", "*", "-o", "\(folder)/crl.der", "\(server.base)/__proctor/crl",
        ])
        guard fetched.status == 0 else { throw JudgeFailure(description: fetched.err) }
        let turned = try await ChildProcess.run([
            Tools.openssl, "crl", "-inform", "DER", "-in", "\(folder)/crl.der", "-out", "\(folder)/crl.pem",
        ])
        guard turned.status == 0 else { throw JudgeFailure(description: turned.err) }
        return "\(folder)/crl.pem"
    }
}
