import Foundation
import ProctorHTTP
import ProctorImport
import ProctorTestSupport
import Testing

/// `proctor import`: recordings of real tools come back over the wire.
struct ImportTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let kind: ImportKind
        let file: String
        /// Exchanges that the file holds, so that none is lost unseen.
        let count: Int
        var testDescription: String { "\(kind.rawValue) \(file)" }
    }

    @Test(arguments: [
        Row(kind: .har, file: "chromium.har", count: 16), Row(kind: .http, file: "curl.trace", count: 10),
        Row(kind: .http, file: "curl-ascii.trace", count: 6), Row(kind: .http, file: "curl-h2.trace", count: 3),
        Row(kind: .http, file: "curl-include.dump", count: 1), Row(kind: .http, file: "node.dump", count: 6),
        Row(kind: .http, file: "go.dump", count: 6), Row(kind: .vcr, file: "vcrpy-requests.yaml", count: 13),
        Row(kind: .vcr, file: "vcrpy-httpx.json", count: 7), Row(kind: .vcr, file: "ruby.vcr.yaml", count: 2),
    ])
    func `recorded requests get the recorded replies`(row: Row) async throws {
        let folder = try TestFolder()
        let recording = try Replay.recording(row.kind, row.file)
        #expect(recording.exchanges.count == row.count)
        let made = try await Child.run(
            ["import", row.kind.rawValue, Replay.path(row.file), "--id", "it", "--into", "fixtures", "--keep-secrets"],
            in: folder)
        #expect(made.status == 0 && made.out == "fixtures/it.yaml\n", "\(made.err)")
        let checked = try await Child.run(["check", "fixtures"], in: folder)
        #expect(checked.status == 0 && checked.out == "1 scenario with 0 cases, no errors\n", "\(checked.err)")
        let child = try await onThread { try ServingChild(folder, ["--root", "it"]) }
        // Ruby's tape has a date in the future of its own time, which moves with the reply.
        for var exchange in recording.exchanges {
            exchange.reply.fields.removeAll { $0.isNamed("Expires") }
            try await Replay.send(exchange, to: child.base, in: folder)
        }
        #expect(try await onThread { try child.end() } == 0)
    }

    @Test(arguments: ["chromium.har", "vcrpy-requests.yaml", "curl-ascii.trace"])
    func `no secret of a recording is left, and each is listed`(file: String) async throws {
        let folder = try TestFolder()
        let kind = file.hasSuffix("har") ? "har" : file.hasSuffix("yaml") ? "vcr" : "http"
        let made = try await Child.run(
            ["import", kind, Replay.path(file), "--id", "it", "--into", "fixtures"], in: folder)
        #expect(made.status == 0 && made.err.contains("3 secrets replaced; --keep-secrets leaves them:"), "\(made.err)")
        #expect(made.err.contains("the cookie session is secret-") && made.err.contains("a JSON Web Token is secret-"))
        let text = try folder.text("fixtures/it.yaml")
        for secret in ["4f9d1c77aa", "correct", "eyJ"] { #expect(!text.contains(secret), "\(text)") }
        #expect(text.contains("session=secret-"))
        #expect(!made.err.contains("4f9d1c77aa") && !made.err.contains("correct horse"))
    }

    @Test func `a journal of Proctor's own is played again`() async throws {
        let folder = try TestFolder(Fixtures.files)
        let first = try await onThread { try ServingChild(folder, ["--journal", "\(folder.path)/journal"]) }
        #expect(try await curl("\(first.base)/plain/hello/").out == "hello\n")
        #expect(
            try await curl("-T", "\(folder.path)/fixtures/plain/hello.yaml", "\(first.base)/plain/hello/upload").out
                == "put\n")
        #expect(try await onThread { try first.end() } == 0)
        let made = try await Child.run(
            ["import", "journal", "\(folder.path)/journal", "--id", "it", "--into", "\(folder.path)/again/fixtures"])
        #expect(made.status == 0, "\(made.err)")
        let text = try folder.text("again/fixtures/it.yaml")
        #expect(text.contains("GET /") && text.contains("PUT /upload"), "\(text)")
    }

    @Test func `lines of curl are answered with 200 by what is made of them`() async throws {
        let folder = try TestFolder(["a.txt": "abc\n"])
        let lines: [[String]] = [
            ["-X", "DELETE", "URL/items/7", "-H", "X-Reason: it's old"],
            ["-d", "a=1", "--data-urlencode", "b=two words", "URL/form"],
            ["--json", #"{"id": 3, "tags": ["x"]}"#, "URL/json"],
            ["-F", "note=hi", "-F", "file=@\(folder.path)/a.txt;type=text/plain", "URL/parts"],
            ["-G", "-d", "a=1", "-d", "b=2", "URL/find"],
            ["-T", "\(folder.path)/a.txt", "URL/up/"],
            ["-u", "ann:pw", "URL/basic"],
            ["--digest", "-u", "ann:pw", "URL/digest"],
            ["-b", "session=abcdefgh12", "-e", "http://example.com/", "-A", "me", "URL/cookie?api_key=0123456789"],
            ["-I", "URL/head"], ["--compressed", "-r", "0-1", "URL/range"],
        ]
        let quoted = lines.map { words in
            "curl -sS " + words.map { "'\($0.replacing("'", with: #"'\''"#))'" }.joined(separator: " ")
        }
        let made = try await Child.run(
            ["import", "curl", "--id", "it", "--into", "fixtures"]
                + quoted.map { $0.replacing("URL", with: "http://127.0.0.1:1") },
            in: folder)
        #expect(made.status == 0, "\(made.err)")
        let text = try folder.text("fixtures/it.yaml")
        #expect(!text.contains("abcdefgh12") && !text.contains("0123456789") && !text.contains("ann:pw"))
        let checked = try await Child.run(["check", "fixtures"], in: folder)
        #expect(checked.status == 0, "\(checked.err)")
        let child = try await onThread { try ServingChild(folder, ["--root", "it"]) }
        for words in lines {
            let outcome = try await Child.run(
                ["-sS", "--max-time", "60", "-w", "%{http_code}", "-o", "\(folder.path)/out"]
                    + words.map { $0.replacing("URL", with: child.base) }, program: "/usr/bin/curl")
            let wanted = words.contains("-r") ? "206" : "200"
            #expect(outcome.out == wanted, "\(words): \(outcome.out)\(outcome.err)")
        }
        let other = try await curl("-d", "a=2", "-w", "%{http_code}", "-o", "/dev/null", "\(child.base)/form")
        #expect(other.out == "404", "another body is another request")
        #expect(try await onThread { try child.end() } == 0)
    }

    @Test func `with its secrets kept a line of curl gets a guard that verifies the password`() async throws {
        let folder = try TestFolder()
        let made = try await Child.run(
            [
                "import", "curl", "--keep-secrets", "--id", "it", "--into", "fixtures",
                "curl --digest -u ann:pw http://127.0.0.1:1/a",
            ],
            in: folder)
        #expect(made.status == 0, "\(made.err)")
        let child = try await onThread { try ServingChild(folder) }
        let right = try await curl("--digest", "-u", "ann:pw", "\(child.base)/it/a")
        #expect(right.out == "ok\n")
        let wrong = try await curl(
            "--digest", "-u", "ann:no", "-w", "%{http_code}", "-o", "/dev/null", "\(child.base)/it/a")
        #expect(wrong.out == "401")
        #expect(try await onThread { try child.end() } == 0)
    }
}
