import Foundation
import ProctorTestSupport
import Testing

/// `proctor serve` as a process.
struct ServeTests {
    @Test func `the ready line is all there is on standard output, and stands in the ready file too`() async throws {
        let folder = try Folder(Fixtures.files)
        let child = try await onThread { try ServingChild(folder, ["--ready-file", "\(folder.path)/ready"]) }
        #expect(child.ready["proctor"] as? String == "ready")
        let port = try #require(child.ready["port"] as? Int)
        #expect(port > 0 && child.base == "http://127.0.0.1:\(port)")
        #expect(child.ready["scenarios"] as? Int == 3)
        #expect(child.ready["pid"] as? Int == Int(child.id))
        #expect(child.ready["version"] as? String != nil)
        #expect(child.ready["unix"] == nil)
        #expect(try folder.text("ready") == child.out)

        #expect(try await curl("\(child.base)/plain/hello/").out == "hello\n")
        #expect(try await onThread { try child.end() } == 0)
        #expect(child.out.split(separator: "\n").count == 1)
        #expect(child.err.contains("proctor: 3 scenarios at \(child.base)/"))
        #expect(!folder.has("ready"))
        let leftovers = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(leftovers == ["fixtures"])
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `a signal lets a reply that is under way come to its end`(signal: Int32) async throws {
        let folder = try Folder(Fixtures.files)
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
        let folder = try Folder(files)
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

    @Test func `a busy port names its holder, and what to do`() async throws {
        let folder = try Folder(Fixtures.files)
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
        let folder = try Folder(Fixtures.files)
        let path = "\(folder.path)/s"
        let first = try await onThread { try ServingChild(folder, ["--unix", path]) }
        #expect(first.ready["unix"] as? String == path)
        #expect(try await curl("--unix-socket", path, "http://any.host/plain/hello/").out == "hello\n")

        let busy = try await Child.run(["serve", "\(folder.path)/fixtures", "--port", "0", "--unix", path])
        #expect(busy.status == 1)
        #expect(busy.err.contains("somebody listens on \(path) already"))

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
        let folder = try Folder(Fixtures.files)
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
        #expect(entries.first?["version"] as? Int == 1)
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
        let folder = try Folder(Fixtures.files)
        for flag in ["--journal", "--ready-file"] {
            let outcome = try await Child.run([
                "serve", "\(folder.path)/fixtures", "--port", "0", flag, "\(folder.path)/none/file",
            ])
            #expect(outcome.status == 1 && outcome.out.isEmpty)
            #expect(outcome.err.contains("\(flag) \(folder.path)/none/file can't be written: "))
        }
    }

    @Test func `fixtures with errors are not served`() async throws {
        let folder = try Folder(["fixtures/bad.yaml": "summary: bad\n"])
        let outcome = try await Child.run(["serve", "\(folder.path)/fixtures", "--port", "0"])
        #expect(outcome.status == 1 && outcome.out.isEmpty)
        #expect(outcome.err.contains("bad.yaml:1:1: "))
    }

    @Test func `IPv6 loopback is served, with brackets in the base`() async throws {
        let folder = try Folder(Fixtures.files)
        let child = try await onThread { try ServingChild(folder, ["--host", "::1"]) }
        #expect(child.base.hasPrefix("http://[::1]:"))
        let page = try await curl("-g", "\(child.base)/redirect/root/a")
        #expect(page.out.contains("it stands at http://[::1]:"))
    }

    #if os(Linux)
        @Test func `uploads and connections leave neither memory nor descriptors behind`() async throws {
            let folder = try Folder(Fixtures.files)
            let child = try await onThread { try ServingChild(folder) }
            _ = try await curl("\(child.base)/redirect/root/a")
            let before = child.descriptorCount

            try await onThread {
                let body = try folder.create("body")
                for _ in 0..<100 { try body.write(contentsOf: Data(count: 1 << 20)) }
            }
            let put = try await curl("-T", "\(folder.path)/body", "\(child.base)/plain/hello/upload")
            #expect(put.out == "put\n")
            #expect(child.peakByteCount > 0 && child.peakByteCount < 60 << 20)

            let many = try await curl("--parallel", "--parallel-immediate", "\(child.base)/plain/hello/?[1-300]")
            #expect(many.out.components(separatedBy: "does not expect GET").count == 301)
            try await onThread {
                try wait(for: "the descriptors") { child.descriptorCount <= before }
            }
        }
    #endif
}
