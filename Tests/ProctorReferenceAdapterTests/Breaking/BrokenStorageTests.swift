import ProctorExam
import ProctorGrading
import ProctorReferenceAdapter
import ProctorReport
import ProctorRules
import ProctorServer
import ProctorTestSupport
import Testing

/// What a client stores wrongly shows when its process is started again, so that each case needs processes of its own.
@Suite(.limit(minutes: 10))
struct BrokenStorageTests {
    /// Each mistake with the case that catches it.
    static let proofs: [BrokenWireTests.Proof] = [
        .init("session-cookies-outlive-it", "launch/cookies-of-a-session#of-the-session"),
        .init("lasting-cookies-end-too", "launch/cookies-of-a-session#lasting"),
        .init("cookies-live-anew", "launch/cookie-that-ran-out#max-age"),
        .init("deleted-cookies-return", "launch/cookie-that-was-deleted#deleted"),
        .init("secure-not-stored", "launch/cookie-keeps-secure#http"),
        .init("http-only-not-stored", "launch/cookies-read-by-the-app#properties"),
        .init("host-only-not-stored", "launch/cookie-keeps-its-hosts#below"),
        .init("path-not-stored", "launch/cookie-keeps-its-path#elsewhere"),
        .init("order-not-stored", "launch/cookies-keep-their-order#of-one-launch"),
        .init("age-not-stored", "launch/cache-stale-is-asked-about#not-served"),
        .init("validators-not-stored", "launch/cache-stale-is-asked-about#by-its-validator"),
        .init("vary-not-stored", "launch/cache-that-varies#another"),
        .init("memory-goes-to-disk", "launch/cache-in-memory-alone#asked-again"),
        .init("session-credentials-outlive-it", "launch/credentials#of-a-session"),
        .init("permanent-credentials-end-too", "launch/credentials#permanent"),
        .init("resumes-a-byte-late", "launch/download-goes-on#same-octets"),
        .init("resumes-any-version", "launch/download-of-what-changed#resume"),
    ]

    private static func verdict(of id: String, _ arguments: [String]) async throws -> CaseVerdict {
        let exam = try await ExamServer.shared.value
        var adapter = Adapter(
            command: [BuiltProduct.referenceClient] + arguments, environment: ["PATH": "/usr/bin:/bin", "HOME": "/tmp"])
        adapter.takesManyAssignments = true
        let report = await ExamWalk(Examiner(server: exam.server, adapter: adapter, platform: .neutral)).run(
            try CaseSelection([id], among: exam.scenarios))
        return try #require(report.verdicts.first)
    }

    @Test(arguments: Set(proofs.map(\.id)).sorted()) func `the whole client passes the case`(id: String) async throws {
        let verdict = try await Self.verdict(of: id, [])
        #expect(verdict.outcome == .pass, "\(verdict)")
    }

    @Test(arguments: proofs) func `the broken client is refused`(proof: BrokenWireTests.Proof) async throws {
        let verdict = try await Self.verdict(of: proof.id, ["--break", proof.label])
        #expect(verdict.outcome == .fail, "\(verdict)")
        #expect(verdict.brokenRules == [], "\(verdict)")
    }
}
