import Foundation
import ProctorTestSupport
import Testing

/// `proctor report issue`: reports to the project of a client, with a server and a client that show the failure again.
///
/// One after the other: each report takes the first ports that are free, and its server needs the same ones later.
@Suite(.serialized) struct IssueReportTests {
    /// curl is asked for a field that it does not send by itself.
    private static let fixture = """
        summary: A field of a request
        spec: RFC 9110 §9.3.1
        exchanges: [ { request: GET /, reply: { status: 200, body: "hello\\n" } } ]
        cases:
          named: { client: { url: / }, wire: request(GET /), facts: { "wire[0].headers.X-Name": "me" } }
          right: { client: { url: / }, wire: request(GET /) }
        """

    private static func play(_ folder: TestFolder, _ name: String) async throws -> Child.Outcome {
        try await Child.run(
            ["\(folder.path)/\(name)/server.py", "--run"], program: "/usr/bin/python3",
            environment: ["PATH": "/usr/bin:/bin"], in: folder)
    }

    /// The same while another program has the port of the report.
    private static func playBesidePort(
        of report: String, _ folder: TestFolder, _ name: String
    ) async throws -> Child.Outcome {
        let port = try #require(report.firstMatch(of: /http:\/\/127\.0\.0\.1:([0-9]+)/)).1
        let script = """
            import socket, subprocess, sys
            other = socket.create_server(("127.0.0.1", \(port)))
            sys.exit(subprocess.call([sys.executable, "\(folder.path)/\(name)/server.py", "--run"]))
            """
        return try await Child.run(
            ["-c", script], program: "/usr/bin/python3", environment: ["PATH": "/usr/bin:/bin"], in: folder)
    }

    @Test func `the script shows the departure, and a client that is mended does not`() async throws {
        let folder = try TestFolder(["fixtures/plain/one.yaml": Self.fixture, "none.jsonl": ""])
        let made = try await Child.run(
            [
                "report", "issue", "plain/one#named", "--client", "curl", "--records", "none.jsonl", "--output", "out",
            ], in: folder)
        #expect(made.status == 0, "\(made.out)\(made.err)")
        let report = try folder.text("out/report.md")
        #expect(
            report.hasPrefix("# curl: the field X-Name of request 1 was absent; wanted \"me\", by RFC 9110 §9.3.1\n"),
            "\(report)")
        #expect(report.contains("1. `GET http://127.0.0.1:"), "\(report)")
        #expect(report.contains("> GET / HTTP/1.1\n") && report.contains("< HTTP/1.1 200 OK\n"), "\(report)")
        #expect(report.contains("No records of other clients are at hand."), "\(report)")
        let shown = try await Self.play(folder, "out")
        #expect(
            shown.status == 0 && shown.out.contains("\nseen: the field X-Name of request 1"), "\(shown.out)\(shown.err)"
        )
        let busy = try await Self.playBesidePort(of: report, folder, "out")
        #expect(
            busy.status == 2 && busy.err.isEmpty && busy.out.contains("not tried: ")
                && busy.out.contains("Address already in use; the client's URLs have that port"),
            "\(busy.out)\(busy.err)")
        let line = try folder.text("out/client.sh")
        try Data(line.replacingOccurrences(of: "--url", with: "-H 'X-Name: me' --url").utf8)
            .write(to: URL(fileURLWithPath: "\(folder.path)/out/client.sh"))
        let mended = try await Self.play(folder, "out")
        #expect(mended.status == 1 && mended.out.contains("NOT seen: the field X-Name"), "\(mended.out)\(mended.err)")
    }

    /// Real failures of clients that every machine of the tests has: in a request, in a result, and within TLS.
    @Test(arguments: [
        ("auth/digest/uri-is-the-target#query", "urllib"), ("canonical/empty-query-is-kept#get", "urllib"),
        ("tls/fault/body-until-close-without-notice#get", "curl"), ("fault/close-within-the-fields#get", "curl"),
    ])
    func `a failure of a shipped case shows again`(name: String, client: String) async throws {
        let folder = try TestFolder(["none.jsonl": ""])
        let made = try await Child.run(
            ["report", "issue", name, "--client", client, "--records", "none.jsonl", "--output", "out"], in: folder)
        if made.err.contains("nothing to report") { return }
        #expect(made.status == 0, "\(made.out)\(made.err)")
        let shown = try await Self.play(folder, "out")
        #expect(shown.status == 0 && !shown.out.contains("NOT seen"), "\(shown.out)\(shown.err)")
    }
}
