import Foundation
import ProctorTestSupport
import Testing

/// `proctor serve --grace`: how long replies may go on after a signal.
struct GraceTests {
    private static let files = [
        "fixtures/slow/page.yaml": """
        summary: One reply takes two seconds, another never ends
        exchanges:
          - { request: GET /soon, reply: { status: 200, body: [ begin, { do: wait 2s }, "-end" ] } }
          - { request: GET /never, reply: { status: 200, body: [ begin, { do: stall }, "-end" ] } }
        """
    ]

    private func begin(_ path: String, _ arguments: [String]) async throws -> (
        status: Int32, err: String, out: String
    ) {
        let folder = try Folder(Self.files)
        let child = try await onThread {
            try ServingChild(folder, ["--journal", "\(folder.path)/journal"] + arguments)
        }
        async let reply = curl("\(child.base)/slow/page\(path)")
        let status = try await onThread {
            try wait(for: "the reply") { try folder.text("journal").contains("replyBegun") }
            return try child.end()
        }
        return (status, child.err, try await reply.out)
    }

    @Test func `a reply that ends within the grace is whole, and nothing is told of it`() async throws {
        let (status, err, out) = try await begin("/soon", [])
        #expect(status == 0 && out == "begin-end" && !err.contains("cut"), "\(err)")
    }

    @Test func `a reply that goes on for longer is cut, and told`() async throws {
        let (status, err, out) = try await begin("/never", ["--grace", "1"])
        #expect(status == 0 && out == "begin", "\(err)")
        #expect(
            err.contains("proctor: cut after 1 s of grace: the reply to GET /slow/page/never (127.0.0.1:"), "\(err)")
    }

    @Test func `without a grace everything ends at once`() async throws {
        let (status, err, out) = try await begin("/soon", ["--grace", "0"])
        #expect(status == 0 && out == "begin", "\(err)")
        let refused = try await Child.run(["serve", "--grace", "3601"])
        #expect(
            refused.status == 2
                && refused.err == "proctor: --grace takes a whole number from 0 to 3600, not '3601'\n")
    }
}
