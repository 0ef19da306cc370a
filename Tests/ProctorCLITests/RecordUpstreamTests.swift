import Foundation
import ProctorTestSupport
import Testing

/// `proctor record --upstream` before a server of this machine, and `--replay` in its place; the clients are curl.
struct RecordUpstreamTests {
    /// What stands behind the gateway, itself served by Proctor at a port of its own.
    private static let files = [
        "fixtures/shop.yaml": """
        summary: a shop
        exchanges:
          - request: "GET /items?page=1"
            reply: { status: 200, headers: { Content-Type: application/json }, body: '[{"id":1}]' }
          - request: { method: POST, path: /items, json: { id: 2 } }
            reply: { status: 201, headers: { Location: "{{base}}/items/2" } }
          - request: GET /pieces
            reply: { status: 200, framing: chunked, body: "0123456789abcdef" }
          - request: HEAD /pieces
            reply: { status: 200, headers: { Content-Length: 16 } }
          - request: GET /count
            reply: [{ status: 200, body: "one" }, { status: 200, body: "two" }]
          - request: GET /long
            reply: { status: 200, body: { repeat: "x", times: 3000 } }
          - request: "GET /?page=1"
            reply: { status: 200, body: "the first page" }
        """
    ]

    /// A gateway that runs until it is told to end.
    private final class Gateway: Sendable {
        private let process: ChildProcess
        let base: String

        init(_ arguments: [String], in folder: TestFolder) throws {
            let process = try ChildProcess(
                ["/usr/bin/env", "-C", folder.path, Child.binary, "record", "--port", "0"] + arguments)
            try wait(for: "the line of the gateway") {
                if !process.isRunning { throw Timeout(description: "record ended: \(process.err)") }
                return process.out.contains("\n")
            }
            self.process = process
            base = process.out.firstMatch(of: /at (http:\/\/[0-9.:]+);/).map { String($0.1) } ?? ""
        }

        func end() throws -> (status: Int32, err: String) {
            process.send(signal: SIGINT)
            return (try process.waitUntilExit(), process.err)
        }
    }

    private func withGateway(
        _ arguments: [String], _ body: (_ base: String, _ upstream: String, _ folder: TestFolder) async throws -> Void
    ) async throws -> (status: Int32, err: String, folder: TestFolder) {
        let folder = try TestFolder(Self.files)
        let upstream = try await onThread { try ServingChild(folder, ["--root", "shop"]) }
        let gateway = try await onThread { try Gateway(["--upstream", upstream.base] + arguments, in: folder) }
        try await body(gateway.base, upstream.base, folder)
        let (status, err) = try await onThread { try gateway.end() }
        _ = try await onThread { try upstream.end() }
        return (status, err, folder)
    }

    /// Status and body of each request, in order.
    private static func session(_ base: String) async throws -> [String] {
        let requests: [[String]] = [
            ["\(base)/items?page=1"], ["\(base)/items", "-H", "Content-Type: application/json", "-d", #"{"id":2}"#],
            ["\(base)/pieces"], ["-I", "-o", "/dev/null", "\(base)/pieces"], ["\(base)/count"], ["\(base)/count"],
        ]
        var seen: [String] = []
        for request in requests {
            let outcome = try await Child.run(
                ["-sS", "--max-time", "60", "-w", " %{http_code}"] + request, program: "/usr/bin/curl")
            seen.append(outcome.out)
        }
        return seen
    }

    @Test func `what is recorded is a scenario that answers the same`() async throws {
        let wanted = [#"[{"id":1}] 200"#, " 201", "0123456789abcdef 200", " 200", "one 200", "two 200"]
        let (status, err, folder) = try await withGateway(["--journal", "gateway.jsonl"]) { base, _, _ in
            let seen = try await Self.session(base)
            #expect(seen == wanted)
        }
        #expect(status == 0 && err.contains("recorded.yaml answers 6 requests as http://127.0.0.1:"), "\(err)")
        let journal = try folder.text("gateway.jsonl")
        #expect(journal.contains(#""ev":"requestHead""#) && journal.contains(#""ev":"replyBegun""#))
        let check = try await Child.run(["check", "recorded.yaml"], in: folder)
        #expect(check.status == 0, "\(check.err)")
        let recorded = try folder.text("recorded.yaml")
        #expect(recorded.contains("{{base}}/items/2"), "\(recorded)")
        let replay = try await onThread { try Replay("recorded.yaml", in: folder) }
        #expect(try await Self.session(replay.base) == wanted)
        let unknown = try await curl("\(replay.base)/items?page=2")
        #expect(unknown.out.contains("nearest: GET /items?page=1"), "\(unknown.out)")
        _ = try await onThread { try replay.end() }
        let again = try await Child.run(["record", "--upstream", "http://127.0.0.1:1"], in: folder)
        #expect(again.status == 1 && again.err.contains("recorded.yaml exists, and is not replaced"), "\(again.err)")
    }

    /// `proctor record --replay`, whose ready line is that of serve.
    private final class Replay: Sendable {
        private let process: ChildProcess
        let base: String

        init(_ file: String, in folder: TestFolder) throws {
            let process = try ChildProcess(
                ["/usr/bin/env", "-C", folder.path, Child.binary, "record", "--replay", file, "--port", "0"])
            try wait(for: "the ready line") {
                if !process.isRunning { throw Timeout(description: "replay ended: \(process.err)") }
                return process.out.contains("\n")
            }
            self.process = process
            base = process.out.firstMatch(of: /"base":"([^"]+)"/).map { String($0.1) } ?? ""
        }

        func end() throws -> Int32 {
            process.send(signal: SIGTERM)
            return try process.waitUntilExit()
        }
    }

    @Test func `a target in absolute-form goes on in origin-form, with its query`() async throws {
        let (_, _, folder) = try await withGateway([]) { base, _, _ in
            let outcome = try await Child.run(
                ["-sS", "--max-time", "60", "--request-target", "http://shop.test?page=1", base],
                program: "/usr/bin/curl")
            #expect(outcome.out == "the first page")
        }
        #expect(try folder.text("recorded.yaml").contains("/?page=1"))
    }

    @Test func `faults break replies on the way, and are not recorded`() async throws {
        let (status, err, folder) = try await withGateway(["--fail", "1/3", "503"]) { base, _, _ in
            var codes: [String] = []
            for _ in 0..<6 {
                codes.append(try await curl("-o", "/dev/null", "-w", "%{http_code}", "\(base)/items?page=1").out)
            }
            #expect(codes == ["200", "200", "503", "200", "200", "503"])
        }
        #expect(status == 0 && err.contains("answers 4 requests"), "\(err)")
        #expect(try !folder.text("recorded.yaml").contains("503"))
    }

    @Test func `a cut ends a reply by a reset behind its bytes`() async throws {
        let (status, err, _) = try await withGateway(["--cut", "2000"]) { base, _, folder in
            let cut = try await Child.run(
                ["-sS", "--max-time", "60", "-o", "\(folder.path)/got", "\(base)/long"], program: "/usr/bin/curl")
            #expect([18, 56].contains(cut.status), "\(cut.status) \(cut.err)")
            #expect(try folder.text("got").utf8.count <= 2000)
            #expect(try await curl("\(base)/items?page=1").out == #"[{"id":1}]"#)
        }
        #expect(status == 0 && err.contains("answers 1 request"), "\(err)")
    }

    @Test func `a slow body takes its time for each piece`() async throws {
        let (status, _, _) = try await withGateway(["--slow", "body", "200ms"]) { base, _, _ in
            let start = ContinuousClock.now
            let got = try await curl("\(base)/long")
            #expect(got.out == String(repeating: "x", count: 3_000))
            // Three pieces of 1,024 bytes at most.
            #expect(ContinuousClock.now - start >= .milliseconds(600))
        }
        #expect(status == 0)
    }

    @Test func `a server that does not answer is a 502 with its reason`() async throws {
        let folder = try TestFolder()
        let gateway = try await onThread { try Gateway(["--upstream", "http://127.0.0.1:1"], in: folder) }
        let got = try await curl("-w", " %{http_code}", "\(gateway.base)/")
        #expect(got.out.contains("http://127.0.0.1:1 gave no reply") && got.out.hasSuffix(" 502"), "\(got.out)")
        let (status, err) = try await onThread { try gateway.end() }
        #expect(status == 1 && err.contains("no request was answered by http://127.0.0.1:1"), "\(err)")
    }

    /// Asks once, and keeps its connection until it is closed.
    private static let keeper = """
        import socket, sys
        wire = socket.create_connection(("127.0.0.1", int(sys.argv[1])), 60)
        wire.sendall(b"GET /items?page=1 HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n")
        print(wire.recv(15).decode(), flush=True)
        while wire.recv(1000): pass
        """

    @Test func `the end does not wait for a client that keeps its connection`() async throws {
        let folder = try TestFolder(Self.files)
        let upstream = try await onThread { try ServingChild(folder, ["--root", "shop"]) }
        let gateway = try await onThread { try Gateway(["--upstream", upstream.base], in: folder) }
        let port = try #require(gateway.base.split(separator: ":").last)
        let client = try ChildProcess(["/usr/bin/python3", "-c", Self.keeper, String(port)])
        try await onThread { try wait(for: "the reply") { client.out.contains("HTTP/1.1 200 OK") } }
        let start = ContinuousClock.now
        let (status, err) = try await onThread { try gateway.end() }
        // A connection may be silent for 60 s.
        #expect(status == 0 && ContinuousClock.now - start < .seconds(30), "\(err)")
        #expect(try await onThread { try client.waitUntilExit() } == 0)
        _ = try await onThread { try upstream.end() }
    }

    struct Row: Sendable {
        let arguments: [String]
        let message: String
    }

    static let rows = [
        Row(arguments: ["--upstream", "http://192.0.2.1:80"], message: "'http://192.0.2.1:80' is not on this machine"),
        Row(arguments: ["--upstream", "http://example.org"], message: "is not on this machine"),
        Row(arguments: ["--upstream", "http://0.0.0.0:80"], message: "is not on this machine"),
        Row(arguments: ["--upstream", "https://127.0.0.1"], message: "hands requests on to http:// alone"),
        Row(arguments: ["--upstream", "http://127.0.0.1:3000/a"], message: "has more than host and port"),
        Row(arguments: ["--upstream", "http://127.0.0.1:0"], message: "has no port from 1 to 65535"),
        Row(arguments: ["--upstream", "http://[::1]:1", "--fail", "4/3", "503"], message: "--fail takes a share"),
        Row(arguments: ["--upstream", "http://localhost:1", "--fail", "1/3", "200"], message: "--fail takes a share"),
        Row(arguments: ["--upstream", "http://127.0.0.1:1", "--slow", "head", "5ms"], message: "--slow takes 'body'"),
        Row(arguments: ["--upstream", "http://127.0.0.1:1", "--cut", "-1"], message: "--cut takes a number of bytes"),
        Row(
            arguments: ["--upstream", "http://127.0.0.1:1", "trace"],
            message: "--upstream goes with neither a trace nor --replay"),
        Row(arguments: ["--cut", "1", "trace"], message: "--cut goes with --upstream URL"),
    ]

    @Test(arguments: rows) func `what can't be recorded is refused`(_ row: Row) async throws {
        let outcome = try await Child.run(["record"] + row.arguments)
        #expect(outcome.status == 2 && outcome.err.contains(row.message), "\(outcome.err)")
    }
}
