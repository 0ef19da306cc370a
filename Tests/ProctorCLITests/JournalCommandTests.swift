import Foundation
import ProctorTestSupport
import Testing

/// `proctor journal`, and the server that it asks.
struct JournalCommandTests {
    private func post(_ path: String, _ body: String, to child: ServingChild) async throws -> String {
        try await curl("-d", body, "\(child.base)/__proctor\(path)").out
    }

    @Test func `runs are listed, and one's journal is printed line for line`() async throws {
        let folder = try TestFolder(Fixtures.files)
        let child = try await onThread { try ServingChild(folder) }
        let none = try await Child.run(["journal", "--server", child.base])
        #expect(none.status == 0 && none.out == "{\"runs\":[]}\n" && none.err.isEmpty)

        let made = try await post("/runs", #"{"scenario":"plain/hello"}"#, to: child)
        let run = try #require(try JSONSerialization.jsonObject(with: Data(made.utf8)) as? [String: Any])
        let base = try #require(run["base"] as? String)
        let listed = try await Child.run(["journal", "--server", child.base])
        // What a run is made with is more than what a list says of it.
        let members = try #require(made.firstRange(of: #","cases""#)).lowerBound
        #expect(listed.out == "{\"runs\":[\(made[..<members])}]}\n")
        let empty = try await Child.run(["journal", "r1", "--server=\(child.base)"])
        #expect(empty.status == 0 && empty.out.isEmpty)

        #expect(try await curl("\(base)/").out == "hello\n")
        let direct = try await curl("\(child.base)/__proctor/runs/r1/journal?wait=10000")
        let printed = try await Child.run(["journal", "r1", "--server", child.base])
        #expect(printed.status == 0 && printed.out.hasPrefix(direct.out))
        #expect(printed.out.hasPrefix("{\"seq\":1,") && printed.out.contains("\"ev\":\"requestHead\""))

        let told = try await Child.run(["journal", "r1", "--text", "--server", child.base])
        #expect(told.status == 0 && told.out.hasPrefix("    0.000 ms  c0       opened by 127.0.0.1:"))
        #expect(told.out.contains(" ms  c0  r0   GET / HTTP/1.1, ") && told.out.contains(" replied 200, "))

        let unknown = try await Child.run(["journal", "r9", "--server", child.base])
        #expect(unknown.status == 1 && unknown.out.isEmpty && unknown.out.isEmpty)
        let sentence = "proctor: there is no run 'r9'; it may have been deleted, or forgotten for too long\n"
        #expect(unknown.err == sentence)
        let followed = try await Child.run(["journal", "r9", "--follow", "--server", child.base])
        #expect(followed.status == 1 && followed.err == sentence)
    }

    @Test(arguments: [true, false])
    func `following ends with the run, whether something came or not`(isUsed: Bool) async throws {
        let folder = try TestFolder(Fixtures.files)
        let child = try await onThread { try ServingChild(folder, ["--journal", "\(folder.path)/journal"]) }
        let made = try await post("/runs", #"{"scenario":"plain/hello"}"#, to: child)
        let base = try #require(made.firstMatch(of: /"base":"([^"]*)"/)).1
        let status = try await onThread {
            let follower = try ChildProcess([Child.binary, "journal", "r1", "--follow", "--server", child.base])
            if isUsed {
                #expect(try ChildProcess.runNow(["/usr/bin/curl", "-sS", "\(base)/"]).out == "hello\n")
                try wait(for: "the lines") { follower.out.contains("\"ev\":\"connectionClosed\"") }
            } else {
                try wait(for: "the question") { try folder.text("journal").contains("/runs/r1/journal?") }
            }
            #expect(follower.isRunning)
            _ = try ChildProcess.runNow(["/usr/bin/curl", "-sS", "-X", "DELETE", "\(child.base)/__proctor/runs/r1"]).out
            let status = try follower.waitUntilExit()
            let lines = follower.out.split(separator: "\n")
            #expect(lines.isEmpty != isUsed && Set(lines).count == lines.count)
            #expect(follower.err.isEmpty)
            return status
        }
        #expect(status == 0)
    }

    @Test func `without a server it says what to look at`() async throws {
        let outcome = try await Child.run(["journal", "--server", "http://127.0.0.1:1"])
        #expect(outcome.status == 1 && outcome.out.isEmpty)
        #expect(outcome.err.hasPrefix("proctor: no server answers at http://127.0.0.1:1: "))
        #expect(outcome.err.hasSuffix("; is 'proctor serve' running?\n"))
    }

    @Test(arguments: ["example.org:80", "http://127.0.0.1", "127.0.0.1:99999", "https://127.0.0.1:1", "", "http://:1"])
    func `a server that is no address is refused`(server: String) async throws {
        let outcome = try await Child.run(["journal", "--server", server])
        #expect(outcome.status == 2 && outcome.err.contains("not '\(server)'"))
    }

    @Test func `off loopback every call wants the token`() async throws {
        let folder = try TestFolder(Fixtures.files)
        let child = try await onThread {
            try ServingChild(folder, ["--host", "0.0.0.0", "--allow-remote", "--token", "secret"])
        }
        let port = try #require(child.ready["port"] as? Int)
        let server = "http://127.0.0.1:\(port)"
        for arguments in [[], ["--token", "wrong"]] {
            let outcome = try await Child.run(["journal", "--server", server] + arguments)
            #expect(
                outcome.status == 1 && outcome.out.isEmpty && outcome.err.hasPrefix("proctor: ")
                    && outcome.err.contains("token"))
        }
        let outcome = try await Child.run(["journal", "--server", server, "--token", "secret"])
        #expect(outcome.status == 0 && outcome.out == "{\"runs\":[]}\n")
        // Scenarios need no token.
        #expect(try await curl("\(server)/plain/hello/").out == "hello\n")
    }
}

/// Journals in files: what `serve` leaves there, and what `journal FILE` tells of it.
struct JournalFileCommandTests {
    @Test func `a second server goes on with the file, and both are told one after the other`() async throws {
        let folder = try TestFolder(Fixtures.files)
        let path = "\(folder.path)/journal"
        for _ in 0..<2 {
            let child = try await onThread { try ServingChild(folder, ["--journal", path]) }
            #expect(try await curl("\(child.base)/plain/hello/").out == "hello\n")
            #expect(try await onThread { try child.end() } == 0)
        }
        let lines = try folder.text("journal").split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("{\"journal\":\"proctor\"") } == 2)
        #expect(lines.count { $0.contains("\"ev\":\"requestHead\"") } == 2)

        let told = try await Child.run(["journal", path])
        #expect(told.status == 0 && told.err.isEmpty, "\(told.err)")
        let headings = told.out.split(separator: "\n").filter { $0.hasPrefix("plain/hello, run r") }
        #expect(headings == ["plain/hello, run r1 (start 1 of 2)", "plain/hello, run r1 (start 2 of 2)"])
        #expect(told.out.split(separator: "\n").count { $0.contains("  GET / HTTP/1.1, ") } == 2)

        let one = try await Child.run(["journal", "journal", "--scenario", "plain/hello"], in: folder)
        #expect(one.status == 0 && !one.out.contains("the shared port itself"))
        let none = try await Child.run(["journal", path, "--scenario", "plain/hallo"])
        #expect(none.status == 2 && none.err.contains("did you mean 'plain/hello'?"))
        let followed = try await Child.run(["journal", path, "--follow"])
        #expect(followed.status == 2 && followed.err.contains("--follow is for a run"))
    }

    @Test func `a file with something else is left as it is, and the start is refused`() async throws {
        let folder = try TestFolder(Fixtures.files)
        let (name, text) = try #require(Fixtures.files.first { $0.key.hasSuffix(".yaml") })
        let outcome = try await Child.run([
            "serve", "\(folder.path)/fixtures", "--port", "0", "--journal", "\(folder.path)/\(name)",
        ])
        #expect(outcome.status == 1 && outcome.out.isEmpty && outcome.err.contains("is no journal"))
        #expect(try folder.text(name) == text)
    }

    #if os(Linux)
        @Test func `a disk that is full is told, shows in health, and costs the exit code`() async throws {
            let folder = try TestFolder(Fixtures.files)
            let child = try await onThread { try ServingChild(folder, ["--journal", "/dev/full"]) }
            #expect(try await curl("\(child.base)/plain/hello/").out == "hello\n")
            try await onThread { try wait(for: "the message") { child.err.contains("can't be written") } }
            let health = try await curl("\(child.base)/__proctor/health").out
            #expect(health.contains("\"status\":\"degraded\"") && health.contains("No space left on device"))
            #expect(try await onThread { try child.end() } == 1)
            #expect(child.err.contains("of the journal /dev/full could not be written"))
        }

        /// A limit of file sizes stops a write in the middle of a line.
        @Test(.disabled(if: Sanitizer.isOn, "a sanitizer can't start under such a limit"))
        func `what was written of a line is taken back`() async throws {
            let folder = try TestFolder(Fixtures.files)
            let path = "\(folder.path)/journal"
            let child = try await onThread {
                try ServingChild(
                    folder, ["--journal", path], under: ["/bin/bash", "-c", "ulimit -f 1; exec \"$@\"", "-"])
            }
            for _ in 0..<10 { #expect(try await curl("\(child.base)/plain/hello/").out == "hello\n") }
            try await onThread { try wait(for: "the message") { child.err.contains("can't be written") } }
            let text = try folder.text("journal")
            #expect(text.hasSuffix("}\n") && (500...1_024).contains(text.utf8.count))
            #expect(try await onThread { try child.end() } == 1)
            #expect(try await Child.run(["journal", path]).status == 0)
        }

        @Test(.disabled(if: Sanitizer.isOn, "a sanitizer can't start under such a limit"))
        func `a start without enough memory or threads fails with a message`() async throws {
            let folder = try TestFolder(Fixtures.files)
            for kilobytes in [50_000, 80_000, 120_000] {
                let outcome = try await Child.run(
                    [
                        "-c", "ulimit -v \(kilobytes); exec \"$@\"", "-", Child.binary, "serve",
                        "\(folder.path)/fixtures",
                    ],
                    program: "/bin/bash")
                #expect(outcome.status != 0 && outcome.out.isEmpty, "\(kilobytes)")
                // The message may be the loader's.
                #expect(outcome.err.contains("ulimit -v") || outcome.err.contains("shared object"), "\(outcome.err)")
            }
        }
    #endif

    @Test func `with --log each request is a line on standard error, and without it none is`() async throws {
        let folder = try TestFolder(Fixtures.files)
        for flags in [["--log"], []] {
            let child = try await onThread { try ServingChild(folder, flags) }
            #expect(try await curl("\(child.base)/plain/hello/").out == "hello\n")
            #expect(try await onThread { try child.end() } == 0)
            let lines = child.err.split(separator: "\n").filter { $0.contains("  plain/hello r1  GET /  200  ") }
            #expect(lines.count == flags.count, "\(child.err)")
        }
    }

    // MARK: Standing runs

    @Test func `a scenario is named by its id, for its journal and to begin again`() async throws {
        let list =
            "summary: x\nexchanges: [ { request: GET /, reply: [ { status: 200, body: one }, { status: 200, body: two } ] } ]\n"
        let folder = try TestFolder(["fixtures/a/list.yaml": list])
        let child = try await onThread { try ServingChild(folder) }
        func body() async throws -> String { try await curl("\(child.base)/a/list/").out }
        #expect(try await body() == "one")
        let reset = try await Child.run(["reset", "a/list", "--server", child.base])
        #expect(reset.status == 0 && reset.out.isEmpty && reset.err == "proctor: a/list begins again\n")
        #expect(try await body() == "one")
        let journal = try await Child.run(["journal", "a/list", "--text", "--server", child.base])
        #expect(
            journal.status == 0 && journal.out.split(separator: "\n").count { $0.contains("  GET / HTTP/1.1") } == 1)
        #expect(try await body() == "two")
        #expect(try await Child.run(["reset", "r1", "--server", child.base]).status == 0)
        #expect(try await body() == "one")

        let unknown = try await Child.run(["reset", "a/lost", "--server", child.base])
        #expect(unknown.status == 1 && unknown.err.contains("there is no scenario 'a/lost'; did you mean 'a/list'?"))
        let missing = try await Child.run(["journal", "a/lost", "--server", child.base])
        #expect(missing.status == 1 && missing.err.contains("there is no file 'a/lost', and the server says: "))
        let many = try await Child.run(["reset"])
        #expect(many.status == 2 && many.err.contains("'reset' takes one RUN or one ID"))
    }

    @Test(arguments: ["localhost:3000", "http://", "http://a/b", "ftp://a", "http://a,,http://b", ""])
    func `an origin that is none is refused`(origin: String) async throws {
        let folder = try TestFolder(Fixtures.files)
        let outcome = try await Child.run([
            "serve", "\(folder.path)/fixtures", "--port", "0", "--allow-origin", origin,
        ])
        #expect(outcome.status == 2 && outcome.err.contains("--allow-origin takes origins"))
    }

    @Test(arguments: ["localhost", "127.0.0.1", "a..b", "http://a", "a:80", "a b", ""])
    func `a host of the pages that is no name of its own is refused`(name: String) async throws {
        let folder = try TestFolder(Fixtures.files)
        let outcome = try await Child.run([
            "serve", "\(folder.path)/fixtures", "--port", "0", "--pages-host", name,
        ])
        #expect(outcome.status == 2 && outcome.err.contains("--pages-host takes a name like proctor.localhost"))
    }
}
