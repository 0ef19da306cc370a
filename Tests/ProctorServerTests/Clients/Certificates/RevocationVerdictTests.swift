import ProctorServer
import ProctorTLS
import ProctorTestSupport
import Testing

/// What the judges find when they are told to look whether a certificate was revoked.
@Suite(.timeLimit(.minutes(5)))
struct RevocationVerdictTests {
    @Test(arguments: CertificateProfile.Judge.allCases)
    func `who looks at the list refuses what was revoked, and nothing else`(judge: CertificateProfile.Judge)
        async throws
    {
        let judged = try await JudgedServer.shared.value
        for (profile, verdict) in [("revoked", CertificateProfile.Verdict.refuse), ("valid", .accept)] {
            let place = try await judged.place(of: profile)
            let judgement = try await judge.judge(place, list: try await judged.list(for: place))
            #expect(judgement.verdict == verdict, "\(judge.rawValue) of \(profile)\n\(judgement)")
            guard verdict == .refuse else { continue }
            #expect(judgement.words.contains("certificate revoked"), "\(judgement)")
        }
    }

    @Test(arguments: ["revoked": "revoked", "valid": "good"])
    func `the responder says what was revoked`(profile: String, word: String) async throws {
        let judged = try await JudgedServer.shared.value
        let place = try await judged.place(of: profile)
        let shown = try await ChildProcess.run(
            [Tools.openssl, "s_client", "-connect", "\(place.address):\(place.port)", "-noservername"], input: [])
        let folder = try JudgeFolder.make()
        try JudgeFolder.write(shown.output, to: "\(folder)/leaf.pem")
        let asked = try await ChildProcess.run([
            Tools.openssl, "ocsp", "-issuer", place.authority, "-CAfile", place.authority, "-cert",
            "\(folder)/leaf.pem", "-url", "\(judged.server.base)/__proctor/ocsp",
        ])
        #expect(asked.status == 0, "\(asked.err)")
        #expect(asked.out.contains("leaf.pem: \(word)"), "\(asked.out)")
        #expect(asked.err.contains("Response verify OK"), "\(asked.err)")
    }

    /// A profile, and what is found by who asks for a staple.
    struct StapleRow: CustomTestStringConvertible {
        let profile: String
        /// What `openssl s_client -status` prints.
        let status: String
        /// Of `curl --cert-status`.
        let verdict: CertificateProfile.Verdict
        var testDescription: String { profile }

        static let all = [
            StapleRow(profile: "valid", status: "OCSP response: no response sent", verdict: .refuse),
            StapleRow(profile: "staple-good", status: "Cert Status: good", verdict: .accept),
            StapleRow(profile: "staple-revoked", status: "Cert Status: revoked", verdict: .refuse),
            StapleRow(profile: "staple-expired", status: "Cert Status: good", verdict: .refuse),
            StapleRow(profile: "staple-wrong-serial", status: "Cert Status: good", verdict: .refuse),
            StapleRow(profile: "must-staple", status: "OCSP response: no response sent", verdict: .refuse),
        ]
    }

    @Test(arguments: StapleRow.all)
    func `who asks for a staple is shown it, and curl judges by it`(row: StapleRow) async throws {
        let place = try await JudgedServer.shared.value.place(of: row.profile)
        let shown = try await CertificateProfile.Judge.opensslClient.judge(place, status: true)
        #expect(shown.words.contains(row.status), "\(shown)")
        let judgement = try await CertificateProfile.Judge.curl.judge(place, status: true)
        #expect(judgement.verdict == row.verdict, "\(judgement)")
    }
}
