import Foundation
import ProctorTestSupport
import Testing

/// The shipped packs of APIs, as the clients that are installed use them.
@Suite(.limit(minutes: 5))
struct PackTests {
    @Test(arguments: ["dav", "feed", "mcp", "media", "oci", "otlp", "pypi", "s3", "tus"])
    func `clients use the pack, and meet each of its faults`(pack: String) async throws {
        let child = try await onThread { try ServingChild(nil, ["--pack", pack]) }
        let outcome = try await Self.ask(pack, child.base)
        #expect(outcome.status == 0, "\(outcome.out)\(outcome.err)")
        #expect(outcome.out.contains(" clients, 0 wrong"))
        #expect(try await onThread { try child.end() } == 0)
    }

    @Test func `a server that is no such pack is found out`() async throws {
        let child = try await onThread { try ServingChild(nil, ["--inline", "* /* -> 204"]) }
        let outcome = try await Self.ask("tus", child.base)
        #expect(outcome.status == 1 && outcome.out.contains("tus_protocol: "), "\(outcome.out)")
        #expect(try await onThread { try child.end() } == 0)
    }

    private static func ask(_ pack: String, _ base: String) async throws -> ChildProcess.Outcome {
        try await ChildProcess.run(
            ["/usr/bin/env", "python3", "-B", "\(Project.path)/Tests/Clients/packs.py", pack, base],
            in: NSTemporaryDirectory(), within: .seconds(240))
    }
}
