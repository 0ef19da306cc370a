import ProctorServer
import ProctorTLS
import ProctorTestSupport

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
