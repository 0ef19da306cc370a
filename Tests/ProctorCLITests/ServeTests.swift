import Foundation
import ProctorTestSupport
import Testing

/// `proctor serve` as a process.
struct ServeTests {
    @Test func `the ready line is all there is on standard output, and stands in the ready file too`() async throws {
        let folder = try TestFolder(Fixtures.files)
        let child = try await onThread { try ServingChild(folder, ["--ready-file", "\(folder.path)/ready"]) }
        #expect(child.ready["proctor"] as? String == "ready")
        let port = try #require(child.ready["port"] as? Int)
        #expect(port > 0 && child.base == "http://127.0.0.1:\(port)")
        #expect(child.ready["pages"] as? String == "http://proctor.localhost:\(port)")
        #expect(child.ready["scenarios"] as? Int == 3)
        #expect(child.ready["pid"] as? Int == Int(child.id))
        #expect(child.ready["version"] as? String != nil)
        #expect(child.ready["unix"] == nil)
        #expect(try folder.text("ready") == child.out)

        #expect(try await curl("\(child.base)/plain/hello/").out == "hello\n")
        #expect(try await onThread { try child.end() } == 0)
        #expect(child.out.split(separator: "\n").count == 1)
        #expect(
            child.err.contains("proctor: 3 scenarios at \(child.base)/, pages at http://proctor.localhost:\(port)/ "))
        #expect(!folder.has("ready"))
        let leftovers = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(leftovers == ["fixtures"])
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGQUIT])
    func `a signal lets a reply that is under way come to its end`(signal: Int32) async throws {
        let folder = try TestFolder(Fixtures.files)
        let child = try await onThread { try ServingChild(folder, ["--journal", "\(folder.path)/journal"]) }
        async let slow = curl("\(child.base)/plain/slow/")
        let status = try await onThread {
            try wait(for: "the request") { try folder.text("journal").contains("exchangeChosen") }
            return try child.end(signal)
        }
        #expect(status == 0)
        #expect(try await slow.out == "begin-end")
        #expect(try folder.text("journal").contains("\"ev\":\"replySent\""))
    }

    @Test func `a second signal ends it at once`() async throws {
        let files = [
            "fixtures/stall.yaml": """
            summary: stalls
            exchanges: [ { request: GET /, reply: { effects: [ { at: head, do: stall } ] } } ]
            """
        ]
        let folder = try TestFolder(files)
        let child = try await onThread { try ServingChild(folder, ["--journal", "\(folder.path)/journal"]) }
        async let stalled = curl("\(child.base)/stall/")
        let status = try await onThread {
            try wait(for: "the stall") { try folder.text("journal").contains("effectPlayed") }
            child.send(signal: SIGTERM)
            try wait(for: "the end to begin") { child.err.contains("proctor: stopping") }
            // The signal's default action comes back a moment after the message.
            return try child.endAtLast(SIGTERM)
        }
        // Had the second signal not ended it, it would have waited out the grace and ended by itself.
        #expect(status == -SIGTERM)
        #expect(try await stalled.status != 0)
    }

    /// Libraries that compute for seconds before the first reply.
    private static let holding = [
        "fixtures/held.yaml": """
        summary: holds its loop
        library:
        \(String(
                repeating: "  - 'local start = time.monotonic() while time.monotonic() - start < 0.8 do end'\n", count: 16))
        exchanges: [ { request: GET /x, reply: { script: "return { status = 200 }" } } ]
        """
    ]

    @Test func `a request that holds a loop is named, and a stop ends the process all the same`() async throws {
        let folder = try TestFolder(Self.holding)
        let child = try await onThread {
            try ServingChild(
                folder, ["--journal", "\(folder.path)/journal", "--grace", "0", "--ready-file", "\(folder.path)/ready"])
        }
        async let held = curl("\(child.base)/held/x")
        let status = try await onThread {
            try wait(for: "the line") { child.err.contains("loop 0 is held for 1.") }
            return try child.end()
        }
        #expect(status == 1)
        let what = " by GET /held/x: scripts are compiled and libraries loaded (held, run r1, connection 0)"
        #expect(child.err.contains(what), "\(child.err)")
        let why = "the server has not stopped within its grace of 0.0 seconds, and is ended: loop 0 is held"
        #expect(child.err.contains(why), "\(child.err)")
        #expect(!folder.has("ready"))
        let journal = try folder.text("journal")
        #expect(journal.contains("\"ev\":\"loopHeld\"") && journal.contains("\"work\":\"libraries\""))
        #expect(try await held.status != 0)
    }

    @Test func `a second signal ends it at once, whatever a loop does`() async throws {
        let folder = try TestFolder(Self.holding)
        let child = try await onThread { try ServingChild(folder, ["--journal", "\(folder.path)/journal"]) }
        async let held = curl("\(child.base)/held/x")
        let status = try await onThread {
            try wait(for: "the line") { child.err.contains("loop 0 is held") }
            child.send(signal: SIGINT)
            try wait(for: "the end to begin") { child.err.contains("proctor: stopping") }
            return try child.end(SIGINT)
        }
        #expect(status == -SIGINT)
        #expect(try await held.status != 0)
    }

    @Test func `a busy port names its holder, and what to do`() async throws {
        let folder = try TestFolder(Fixtures.files)
        let child = try await onThread { try ServingChild(folder) }
        let port = try #require(child.ready["port"] as? Int)
        for threads in ["1", "2"] {
            let second = try await Child.run([
                "serve", "\(folder.path)/fixtures", "--port", "\(port)", "--threads", threads,
            ])
            #expect(second.status == 1 && second.out.isEmpty)
            #if os(Linux)
                #expect(second.err.contains("127.0.0.1:\(port) is taken by proctor (pid \(child.id)); "))
            #endif
            #expect(second.err.contains("choose another with --port N"))
        }
    }

    @Test func `a Unix socket serves the same, replaces a dead one and goes with the process`() async throws {
        let folder = try TestFolder(Fixtures.files)
        let path = "\(folder.path)/s"
        let first = try await onThread { try ServingChild(folder, ["--unix", path]) }
        #expect(first.ready["unix"] as? String == path)
        #expect(try await curl("--unix-socket", path, "http://any.host/plain/hello/").out == "hello\n")

        let busy = try await Child.run(["serve", "\(folder.path)/fixtures", "--port", "0", "--unix", path])
        #expect(busy.status == 1)
        #expect(busy.err.contains("another program listens on \(path) already"))

        // A killed server leaves its socket behind.
        #expect(try await onThread { try first.end(SIGKILL) } == -SIGKILL)
        #expect(folder.has("s"))
        let second = try await onThread { try ServingChild(folder, ["--unix", path]) }
        #expect(try await curl("--unix-socket", path, "http://any.host/plain/hello/").out == "hello\n")
        #expect(try await onThread { try second.end() } == 0)
        #expect(!folder.has("s"))

        let long = String(repeating: "x", count: 200)
        let refused = try await Child.run(["serve", "\(folder.path)/fixtures", "--port", "0", "--unix", "/tmp/\(long)"])
        #expect(refused.status == 1 && refused.err.contains("the path of a Unix socket has at most"))
    }

    @Test func `the journal file holds every request, connection and reply as JSON lines`() async throws {
        let folder = try TestFolder(Fixtures.files)
        let child = try await onThread {
            try ServingChild(folder, ["--journal", "\(folder.path)/journal", "--threads", "2"])
        }
        _ = try await curl("\(child.base)/plain/hello/", "-H", "X-Test: 1")
        let moved = try await curl("-L", "-o", "/dev/null", "-w", "%{http_code}", "\(child.base)/redirect/root/a")
        #expect(moved.out == "421")
        #expect(try await onThread { try child.end() } == 0)

        let lines = try folder.text("journal").split(separator: "\n")
        let entries = try lines.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        #expect(entries.first?["journal"] as? String == "proctor")
        #expect(entries.first?["version"] as? Int == 2)
        let mine = entries.filter { $0["scenario"] as? String == "plain/hello" }
        #expect(
            mine.map { $0["ev"] as? String } == [
                "connectionOpened", "requestHead", "exchangeChosen", "replyBegun", "replySent", "connectionClosed",
            ])
        #expect(mine[1]["method"] as? String == "GET" && mine[1]["target"] as? String == "/")
        #expect((mine[1]["bytes"] as? String)?.contains("X-Test: 1\r\n") == true)
        let times = mine.compactMap { $0["ns"] as? Int }
        #expect(mine[3]["status"] as? Int == 200 && mine[4]["status"] as? Int == 200)
        #expect(times == times.sorted() && times.count == 6)
    }

    @Test func `a journal or ready file that can't be written is told at once`() async throws {
        let folder = try TestFolder(Fixtures.files)
        for flag in ["--journal", "--ready-file"] {
            let outcome = try await Child.run([
                "serve", "\(folder.path)/fixtures", "--port", "0", flag, "\(folder.path)/none/file",
            ])
            #expect(outcome.status == 1 && outcome.out.isEmpty)
            #expect(outcome.err.contains("\(flag) \(folder.path)/none/file can't be written: "))
        }
    }

    @Test func `fixtures with errors are told while the others are served, and the end is a failure`() async throws {
        let folder = try TestFolder(Fixtures.files.merging(["fixtures/bad.yaml": "summary: bad\n"]) { $1 })
        let child = try await onThread { try ServingChild(folder) }
        #expect(child.ready["scenarios"] as? Int == 4)
        #expect(try await curl("\(child.base)/bad/").out.contains("bad.yaml:1:1: error: "))
        #expect(try await curl("\(child.base)/plain/hello/").out == "hello\n")
        let status = try await onThread {
            try wait(for: "the count") { child.err.contains("proctor: 1 error in 1 file; 3 scenarios without\n") }
            return try child.end()
        }
        #expect(status == 1)
        #expect(child.err.components(separatedBy: "bad.yaml:1:1: ").count == 2)
    }

    @Test func `with --check-first fixtures with errors are not served`() async throws {
        let folder = try TestFolder(["fixtures/bad.yaml": "summary: bad\n"])
        let outcome = try await Child.run(["serve", "\(folder.path)/fixtures", "--port", "0", "--check-first"])
        #expect(outcome.status == 1 && outcome.out.isEmpty)
        #expect(outcome.err.contains("bad.yaml:1:1: "))
    }

    @Test func `IPv6 loopback is served, with brackets in the base`() async throws {
        let folder = try TestFolder(Fixtures.files)
        let child = try await onThread { try ServingChild(folder, ["--host", "::1"]) }
        #expect(child.base.hasPrefix("http://[::1]:"))
        let page = try await curl("-g", "\(child.base)/redirect/root/a")
        #expect(page.out.contains("it stands at http://[::1]:"))
    }

    #if os(Linux)
        @Test func `uploads and connections leave neither memory nor descriptors behind`() async throws {
            let folder = try TestFolder(Fixtures.files)
            let child = try await onThread { try ServingChild(folder) }
            _ = try await curl("\(child.base)/redirect/root/a")
            let before = child.descriptorCount

            try await onThread {
                let body = try folder.create("body")
                for _ in 0..<100 { try body.write(contentsOf: Data(count: 1 << 20)) }
            }
            let put = try await curl("-T", "\(folder.path)/body", "\(child.base)/plain/hello/upload")
            #expect(put.out == "put\n")
            #expect(child.peakByteCount > 0)
            if !Sanitizer.isOn { #expect(child.peakByteCount < 60 << 20) }

            let many = try await curl("--parallel", "--parallel-immediate", "\(child.base)/plain/hello/?[1-300]")
            #expect(many.out.components(separatedBy: "does not expect GET").count == 301)
            try await onThread {
                try wait(for: "the descriptors") { child.descriptorCount <= before }
            }
        }
    #endif
}

/// `proctor serve --strict`: the end is a verdict.
struct StrictTests {
    private static let files = Fixtures.files.merging([
        "fixtures/root/page.yaml": """
        summary: Needs a root
        exchanges: [ { request: GET /a, reply: { status: 302, headers: { Location: "/b" } } } ]
        """
    ]) { $1 }

    /// The exit code of a server that was asked by `body`, and what it said.
    private func serve(
        _ arguments: [String] = ["--strict"], _ body: (_ base: String) async throws -> Void
    ) async throws -> (status: Int32, err: String) {
        let folder = try TestFolder(Self.files)
        let child = try await onThread { try ServingChild(folder, arguments) }
        try await body(child.base)
        let status = try await onThread { try child.end() }
        return (status, child.err)
    }

    @Test func `requests that were expected pass, pages and control calls beside them`() async throws {
        let (status, err) = try await serve { base in
            for path in ["/", "/plain/hello", "/plain/hello/", "/__proctor/runs", "/__proctor/nothing"] {
                _ = try await curl("\(base)\(path)")
            }
        }
        #expect(status == 0, "\(err)")
        #expect(err.hasSuffix("proctor: strict: pass: 1 request to scenarios, all expected, no departure\n"), "\(err)")
    }

    @Test func `a request that no exchange expects fails, with what was nearest`() async throws {
        let (status, err) = try await serve { base in
            _ = try await curl("\(base)/plain/hello/")
            _ = try await curl("\(base)/plain/hello/", "-X", "PATCH")
        }
        #expect(status == 1)
        #expect(err.contains("proctor: strict: fail: 1 request missed (2 requests to scenarios)\n"), "\(err)")
        #expect(err.contains("\n  plain/hello: PATCH /: method: wanted GET, got PATCH"), "\(err)")
    }

    @Test func `a path that names no scenario fails`() async throws {
        let (status, err) = try await serve { base in
            _ = try await curl("\(base)/plain/hello/")
            _ = try await curl("\(base)/nowhere/at/all")
        }
        #expect(status == 1)
        #expect(
            err.contains("\n  the shared port: GET /nowhere/at/all: no scenario stands at /nowhere/at/all\n"), "\(err)")
    }

    @Test func `a request to a scenario that stands elsewhere fails, and so does a miss there`() async throws {
        let (status, err) = try await serve { base in
            let page = try await curl("\(base)/root/page/a").out
            let place = try #require(page.firstMatch(of: /http:\/\/[0-9.:]+/)?.0)
            _ = try await curl("\(place)/other")
        }
        #expect(status == 1 && err.contains("fail: 2 requests missed (1 request to scenarios)"), "\(err)")
        #expect(err.contains("\n  root/page: GET /other: target: wanted /a, got /other\n"), "\(err)")
    }

    @Test func `a departure from the RFCs fails, once`() async throws {
        let (status, err) = try await serve { base in
            _ = try await curl("\(base)/plain/hello/", "-H", "Host:")
        }
        #expect(status == 1)
        #expect(err.contains("fail: 1 departure from the RFCs, no scenario was asked for anything"), "\(err)")
        #expect(err.contains("missing-host") || err.contains("Host"), "\(err)")
    }

    @Test func `a request that is not as its description says fails`() async throws {
        let folder = try TestFolder([
            "fixtures/shop.yaml": """
            summary: a shop
            expect: { openapi: _api.yaml }
            exchanges: [{ request: GET /items, reply: { status: 200 } }]
            """,
            "fixtures/_api.yaml": """
            openapi: 3.1.0
            paths:
              /items:
                get:
                  parameters: [{ name: page, in: query, required: true, schema: { type: integer } }]
                  responses: { "200": { description: all } }
            """,
        ])
        let child = try await onThread { try ServingChild(folder, ["--strict"]) }
        let got = try await curl("-w", "%{http_code}", "\(child.base)/shop/items")
        #expect(got.out == "200")
        let status = try await onThread { try child.end() }
        #expect(status == 1)
        #expect(child.err.contains("strict: fail: 1 request not as described (1 request to scenarios)"), "\(child.err)")
        #expect(
            child.err.contains(
                "shop: GET /items: the request is not as described under GET /items: query parameter page: "),
            "\(child.err)")
    }

    @Test func `a client that never came was not judged`() async throws {
        let (status, err) = try await serve { _ in }
        #expect(status == 1 && err.contains("strict: fail: no scenario was asked for anything (0 requests"), "\(err)")
    }

    @Test func `very many faults are counted, and the first fifty told`() async throws {
        let (status, err) = try await serve { base in
            _ = try await curl("\(base)/plain/hello/x?[1-70]")
        }
        #expect(status == 1 && err.contains("fail: 70 requests missed (70 requests to scenarios)"), "\(err)")
        #expect(err.components(separatedBy: "\n  plain/hello: ").count == 51 && err.hasSuffix("\n  and 20 more\n"))
    }

    private static let pair = """
        summary: Two requests are wanted
        exchanges:
          - { request: POST /login, reply: { status: 204 } }
          - { request: GET /data, reply: { status: 200, body: ok } }
        """

    @Test func `an exchange that nobody asked for fails without a case, and is listed at the end`() async throws {
        let folder = try TestFolder(["fixtures/a/pair.yaml": Self.pair])
        let child = try await onThread { try ServingChild(folder, ["--strict"]) }
        _ = try await curl("\(child.base)/a/pair/login", "-X", "POST")
        let status = try await onThread { try child.end() }
        #expect(status == 1)
        #expect(child.err.contains("1 expectation not met (1 request to scenarios)\n"), "\(child.err)")
        // In the list and in the verdict.
        let line = "a/pair: never came: GET /data, exchange 1\n"
        #expect(child.err.components(separatedBy: line).count == 3, "\(child.err)")
    }

    @Test func `of a pack is counted what was used, and nothing of it fails for want of a request`() async throws {
        let child = try await onThread { try ServingChild(nil, ["--pack", "httpbin", "--strict"]) }
        for path in ["get", "get", "uuid"] { _ = try await curl("\(child.base)/\(path)") }
        #expect(try await onThread { try child.end() } == 0, "\(child.err)")
        #expect(child.err.contains("of the pack httpbin 2 exchanges were used\n"), "\(child.err)")
        #expect(!child.err.contains("never came"), "\(child.err)")
    }

    private static let upload = """
        summary: A body of 1,500 bytes
        exchanges:
          - { request: { method: POST, path: /, body: { repeat: x, bytes: 1500 } }, reply: { status: 200, body: ok } }
        cases:
          post: { client: { url: /, method: POST }, wire: request(POST /), facts: { "wire[0].body.length": 1500 } }
        """
    private static let cut = "wanted 1500 bytes, got 1500 bytes, of which only the first 1024 are kept"

    @Test func `a body is compared as far as --body-limit keeps it`() async throws {
        let body = String(repeating: "x", count: 1_500)
        let folder = try TestFolder(["fixtures/a/upload.yaml": Self.upload, "body": body])
        let send = ["--data-binary", "@\(folder.path)/body"]
        for (limit, isKept) in [(1, false), (2, true)] {
            let flags = ["--body-limit", "\(limit)"]
            let child = try await onThread { try ServingChild(folder, flags) }
            let reply = try await curl("\(child.base)/a/upload/", send[0], send[1]).out
            #expect(isKept ? reply == "ok" : reply.contains(Self.cut), "\(reply)")
            #expect(try await onThread { try child.end() } == 0)
            let command = ["--", "curl", "-sS"] + send + ["{{base}}/"]
            let outcome = try await Child.run(["run", "a/upload"] + flags + command, in: folder)
            #expect(outcome.status == (isKept ? 0 : 1), "\(outcome.err)")
            #expect(outcome.err.contains(Self.cut) != isKept, "\(outcome.err)")
        }
        for limit in ["0", "65537", "much"] {
            let refused = try await Child.run(["serve", "--body-limit", limit], in: folder)
            let sentence = "--body-limit takes a whole number from 1 to 65536, not '\(limit)'"
            #expect(refused.status == 2 && refused.err == "proctor: \(sentence)\n", "\(refused.err)")
        }
    }

    @Test(
        arguments: [
            (["login"], 1), (["login", "data"], 0), (["login", "data", "login", "data"], 0), (["login", "login"], 0),
        ] as [([String], Int32)])
    func `the cases of a scenario that was used once are judged`(_ paths: [String], _ wanted: Int32) async throws {
        let cases = """

            cases:
              both:
                client: [{ url: /login, method: POST }, { url: /data }]
                wire: request(POST /login) request(GET /data)
            """
        let folder = try TestFolder(["fixtures/a/pair.yaml": Self.pair + cases])
        let child = try await onThread { try ServingChild(folder, ["--strict"]) }
        for path in paths { _ = try await curl("\(child.base)/a/pair/\(path)", "-X", path == "data" ? "GET" : "POST") }
        let status = try await onThread { try child.end() }
        #expect(status == wanted, "\(child.err)")
        #expect(child.err.contains("  a/pair#both: ") == (wanted == 1), "\(child.err)")
    }

    @Test func `an icon that a browser asks for is nobody's fault`() async throws {
        let (status, err) = try await serve { base in
            _ = try await curl("\(base)/plain/hello/")
            _ = try await curl("\(base)/favicon.ico")
        }
        #expect(status == 0, "\(err)")
    }

    @Test func `without it a server ends as ever`() async throws {
        let (status, err) = try await serve([]) { base in _ = try await curl("\(base)/plain/hello/other") }
        #expect(status == 0 && !err.contains("strict"))
    }
}

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
        let folder = try TestFolder(Self.files)
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
