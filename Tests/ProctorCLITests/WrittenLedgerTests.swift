import Foundation
import ProctorTestSupport
import Testing

/// `proctor exam --write-ledger` brings a ledger up to date, and leaves what it does not concern as it stands.
struct WrittenLedgerTests {
    /// An adapter whose client fails each load, or loads by curl.
    private static func adapter(_ version: String, _ result: String) -> String {
        """
        #!/bin/sh
        url=$(sed 's/.*"steps":.*"url":"\\([^"]*\\)".*/\\1/')
        echo '{"trace":"proctor","version":1,"client":"made","clientVersion":"\(version)","lanes":["harness"],"facts":["status","error","body"],"clock":"other","abilities":[]}'
        echo '{"lane":"harness","ev":"resume","task":0}'
        \(result)
        """
    }

    private static let failing = #"echo '{"lane":"harness","ev":"result","task":0,"facts":{"error":"timedOut"}}'"#
    private static let loading = #"""
        curl -s -o body.txt --noproxy '*' "$url"
        printf '%s\n' '{"lane":"harness","ev":"result","task":0,"facts":{"status":200,"body":"'"$(cat body.txt)"'\n"}}'
        """#

    private static let fixture = """
        summary: Hello
        exchanges: [{ request: GET /hello, reply: { status: 200, body: "hello\\n" } }]
        cases: { get: { client: { url: /hello }, wire: request(GET /hello), facts: { status: 200, body: "hello\\n" } } }
        """

    private func makeFolder(_ more: [String: String] = [:]) throws -> TestFolder {
        try TestFolder(
            more.merging(["fixtures/mine/hello.yaml": Self.fixture, "fixtures/mine/other.yaml": Self.fixture]) { $1 })
    }

    private func exam(_ folder: TestFolder, _ more: [String] = []) async throws -> ChildProcess.Outcome {
        try await Child.run(
            ["exam", "mine/hello#get", "--adapter", "\(folder.path)/adapter", "--fixtures", "fixtures"] + more,
            in: folder)
    }

    private func makeAdapter(_ version: String, _ result: String, in folder: TestFolder) throws {
        try makeExecutable(try folder.write(Self.adapter(version, result), to: "adapter"))
    }

    @Test func `a new failure becomes an entry, a known one keeps its lines, and one that is gone is removed`()
        async throws
    {
        let folder = try makeFolder()
        defer { folder.remove() }
        try makeAdapter("1.0", Self.failing, in: folder)
        let first = try await exam(folder, ["--write-ledger", "made.yaml"])
        #expect(first.status == 1, "\(first.out)\(first.err)")
        let written = try folder.text("made.yaml")
        #expect(
            written.hasPrefix("client: made\nversion: \"1.0\"\ndeviations:\n  mine/hello#get:\n    # "), "\(written)")
        #expect(written.contains("\n    because: "), "\(written)")

        // A person says why, and knows of more.
        let more = "  # Not asked here.\n  mine/other#get: { because: x }\n"
        let reason =
            written.replacing(/because: .*/, with: "because: a bug").replacing(
                "deviations:", with: "rules: { R41: no metrics }\n# By case.\ndeviations:") + more
        try folder.write(reason, to: "made.yaml")
        let second = try await exam(folder, ["--write-ledger", "made.yaml"])
        #expect(second.status == 0 && second.out.contains("known"), "\(second.out)\(second.err)")
        #expect(try folder.text("made.yaml") == reason)

        try makeAdapter("1.0", Self.loading, in: folder)
        let third = try await exam(folder, ["--write-ledger", "made.yaml"])
        #expect(third.out.contains("fixed"), "\(third.out)\(third.err)")
        let left = try folder.text("made.yaml")
        #expect(left.hasSuffix("# By case.\ndeviations:\n\(more)"), "\(left)")
    }

    @Test func `a failure of another version is written for that version`() async throws {
        let folder = try makeFolder(["made.yaml": "client: made\nversion: \"1.0\"\ndeviations:\n"])
        defer { folder.remove() }
        try makeAdapter("2.1", Self.failing, in: folder)
        _ = try await exam(folder, ["--write-ledger", "made.yaml"])
        #expect(try folder.text("made.yaml").contains("\n    versions: \"2.1\"\n"))
        let again = try await exam(folder, ["--ledger", "made.yaml"])
        #expect(again.status == 0, "\(again.out)\(again.err)")
    }

    @Test func `a ledger is of one client`() async throws {
        let outcome = try await Child.run(
            ["exam", "--client", "curl,wget", "--write-ledger", "x.yaml"], in: try TestFolder())
        #expect(outcome.status == 2 && outcome.err.contains("--write-ledger is for one client"), "\(outcome.err)")
    }
}
