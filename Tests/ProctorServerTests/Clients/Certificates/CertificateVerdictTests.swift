import ProctorServer
import ProctorTLS
import ProctorTestSupport
import Testing

/// Outside judges look at every certificate: what the profile says of itself has to be what they find.
@Suite(.limit(minutes: 5))
struct CertificateVerdictTests {
    @Test func `the profiles can be read, and include the common ones`() {
        #expect(JudgedServer.diagnostics.isEmpty, "\(JudgedServer.diagnostics.map { "\($0)" }.joined(separator: "\n"))")
        #expect(JudgedServer.profiles.count >= 38)
    }

    @Test(arguments: JudgedServer.book.names)
    func `every judge gives the verdict of the profile, or the one that is listed with its reason`(
        name: String
    ) async throws {
        let profile = try #require(JudgedServer.book.profiles[name])
        let judged = try await JudgedServer.shared.value
        let place = try await judged.place(of: profile.name)
        for judge in CertificateProfile.Judge.allCases {
            // A chain that no handshake brings is not to be had here.
            if judge == .opensslVerify, profile.verdict == .accept, profile.verdict(of: .opensslClient) == .refuse {
                continue
            }
            // Of the four, this one is always given what its manual wants.
            let isGivenList = judge == .opensslVerify && profile.revocation != nil
            let judgement = try await judge.judge(place, list: isGivenList ? try await judged.list(for: place) : nil)
            let wanted = profile.verdict(of: judge)
            #expect(
                judgement.verdict == wanted,
                "\(profile.location): \(judge.rawValue) does not \(wanted.rawValue)\n\(judgement)")
            // The same library verifies for both programs, so that they have to give the same reason.
            guard judgement.verdict == .refuse, wanted == profile.verdict, let reason = profile.openssl else {
                continue
            }
            guard [.opensslVerify, .opensslClient].contains(judge) else { continue }
            #expect(
                judgement.words.contains(reason),
                "\(profile.location): \(judge.rawValue) refuses otherwise\n\(judgement)")
        }
    }
}

/// What the judges find when they are told to look whether a certificate was revoked.
@Suite(.limit(minutes: 5))
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
}
