import Foundation
import ProctorServer
import ProctorTLS
import ProctorTestSupport
import Testing

/// A key that takes seconds is made before there is a run, and with it a client's deadline.
@Suite(.timeLimit(.minutes(5)))
struct SlowKeyTests {
    @Test(arguments: [("rsa4096", true), ("ecc256", false)])
    func `the key of a run is there before its client, if it takes its time`(
        _ profile: String, _ isThere: Bool
    ) async throws {
        let folder = try JudgeFolder.make()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let yaml = """
            summary: a key that may take its time
            origins:
              main: { scheme: https, certificate: \(profile) }
            exchanges:
              - request: "GET /"
                reply: { status: 200 }
            """
        try await withRun(yaml, configure: { $0.authority = .folder(folder + "/ca") }) { _ in
            let keys = try FileManager.default.contentsOfDirectory(atPath: folder + "/ca/keys")
            #expect(keys.contains { $0.hasSuffix("\(profile).\(profile).key") } == isThere, "\(keys)")
        }
    }
}
