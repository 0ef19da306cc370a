import Foundation
import ProctorTestSupport
import Testing

/// `proctor watch`, against a server in another process.
struct WatchCommandTests {
    private func watch(_ arguments: [String], _ environment: [String: String] = [:]) throws -> ChildProcess {
        try ChildProcess([Child.binary, "watch"] + arguments, environment: environment)
    }

    private func makeRun(at base: String, _ scenario: String = "plain/hello") throws -> (id: String, base: String) {
        let made = try ChildProcess.runNow([
            "/usr/bin/curl", "-sS", "-d", "{\"scenario\":\"\(scenario)\"}", "\(base)/__proctor/runs",
        ]).out
        let match = try #require(made.firstMatch(of: /"run":"([^"]*)".*?"base":"([^"]*)"/), "\(made)")
        return (String(match.1), String(match.2))
    }

    private func ask(_ words: String...) throws -> String {
        try ChildProcess.runNow(["/usr/bin/curl", "-sS", "--max-time", "60"] + words).out
    }

    @Test func `entries are shown as requests come, and verdicts when they change, until the run ends`() async throws {
        let folder = try TestFolder(Fixtures.files)
        let child = try await onThread { try ServingChild(folder) }
        try await onThread {
            let run = try makeRun(at: child.base)
            let watcher = try watch([run.id, "--server", child.base])
            #expect(try ask("\(run.base)/") == "hello\n")
            try wait(for: "the first request") { watcher.out.contains(" replied 200, ") }
            try wait(for: "its verdict") { watcher.out.contains("— get (must): ") }
            #expect(watcher.isRunning)
            #expect(watcher.out.hasPrefix("    0.000 ms  c0       opened by 127.0.0.1:"))
            #expect(watcher.out.contains(" ms  c0  r0   GET / HTTP/1.1, ") && watcher.out.contains(" replied 200, "))
            _ = try ask("\(run.base)/none")
            try wait(for: "the miss") { watcher.out.contains(" c1  r1   no exchange matches; nearest is ") }
            try wait(for: "its verdict") {
                watcher.out.contains("\n— fail: the second request was GET /none; wanted ")
                    && watcher.out.contains("\n    get (must)\n")
            }
            let trace = """
                {"trace":"proctor","version":1,"client":"mine","clock":"other","lanes":["task"]}
                {"lane":"task","ev":"complete","arg":"ok"}
                """
            _ = try ask("--data-binary", trace, "\(child.base)/__proctor/runs/\(run.id)/grade?case=get")
            try wait(for: "the judged trace") { watcher.out.contains("\n    trace 1 judged, get (must)\n") }
            _ = try ask("-X", "DELETE", "\(child.base)/__proctor/runs/\(run.id)")
            #expect(try watcher.waitUntilExit() == 0)
            #expect(watcher.out.hasSuffix("— the run has ended\n") && watcher.err.isEmpty)
            // Without a terminal there are no colours, and every entry stands once.
            #expect(!watcher.out.contains("\u{1B}"))
            let lines = watcher.out.split(separator: "\n").filter { $0.contains(" GET /") && $0.contains(" ms  c") }
            #expect(lines.count == 2, "\(watcher.out)")
        }
    }

    @Test func `once shows what is there with the verdicts, and ends`() async throws {
        let folder = try TestFolder(Fixtures.files)
        let child = try await onThread { try ServingChild(folder) }
        #expect(try await curl("\(child.base)/plain/hello/").out == "hello\n")
        let server = ["PROCTOR_SERVER": child.base]
        let shown = try await Child.run(["watch", "plain/hello", "--once"], environment: server)
        #expect(shown.status == 0 && shown.err.isEmpty)
        #expect(shown.out.contains(" c0  r0   GET / HTTP/1.1, ") && shown.out.contains("\n— get (must): "))
        let json = try await Child.run(["watch", "plain/hello", "--once", "--json"], environment: server)
        let journal = try await Child.run(["journal", "plain/hello"], environment: server)
        let lines = json.out.split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("{\"seq\":") } == journal.out.split(separator: "\n"))
        #expect(lines.first?.hasPrefix(#"{"event":"open","data":{"server":"#) == true)
        #expect(lines.contains { $0.hasPrefix(#"{"event":"verdict","data":{"case":"get","#) })
        let shared = try await Child.run(["watch", "shared", "--once", "--color", "always"], environment: server)
        #expect(shared.status == 0 && shared.out.contains("\u{1B}[36mc0  \u{1B}[0m"))
    }

    @Test func `on a terminal lines keep within its width, and have colours`() async throws {
        let folder = try TestFolder(Fixtures.files)
        let child = try await onThread { try ServingChild(folder) }
        _ = try await curl("\(child.base)/plain/hello/\(String(repeating: "long-", count: 30))")
        let script = """
            import fcntl, os, pty, struct, subprocess, sys, termios
            ours, theirs = pty.openpty()
            fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
            watcher = subprocess.Popen(sys.argv[1:], stdout=theirs)
            os.close(theirs)
            while True:
                try: piece = os.read(ours, 4096)
                except OSError: break
                if not piece: break
                sys.stdout.buffer.write(piece)
            sys.exit(watcher.wait(60))
            """
        let python = try #require(Project.tool("python3"))
        let outcome = try await Child.run(
            ["-c", script, Child.binary, "watch", "plain/hello", "--once", "--server", child.base], program: python,
            environment: ["TERM": "xterm", "NO_COLOR": ""])
        #expect(outcome.status == 0, "\(outcome.err)")
        #expect(outcome.out.contains("\u{1B}[1;31mr0   no exchange matches; "))
        let lines = outcome.out.split(whereSeparator: \.isNewline).map { $0.replacing(/\u{1B}\[[0-9;]*m/, with: "") }
        #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix(String(repeating: " ", count: 25)) })
    }

    @Test func `bytes of a peer move no cursor`() async throws {
        let folder = try TestFolder(Fixtures.files)
        let child = try await onThread { try ServingChild(folder) }
        let port = try #require(child.ready["port"] as? Int)
        // Raw: an escape in the target, C1 and a right-to-left override in a field.
        let script = """
            import socket, sys
            client = socket.create_connection(("127.0.0.1", int(sys.argv[1])), 60)
            client.sendall(b"GET /plain/hello/\\xc2\\x9b31m\\xe2\\x80\\xae HTTP/1.1\\r\\nHost: 127.0.0.1:%d\\r\\n"
                b"Connection: close\\r\\n\\r\\n" % int(sys.argv[1]))
            while client.recv(4096): pass
            client = socket.create_connection(("127.0.0.1", int(sys.argv[1])), 60)
            client.sendall(b"GET /plain/hello/\\x1b[31m HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n")
            while client.recv(4096): pass
            """
        let python = try #require(Project.tool("python3"))
        #expect(try await Child.run(["-c", script, "\(port)"], program: python).status == 0)
        var seen = ""
        for place in ["plain/hello", "shared"] {
            for flags in [[], ["--json"]] {
                let outcome = try await Child.run(["watch", place, "--once", "--server", child.base] + flags)
                #expect(outcome.status == 0)
                seen += outcome.out
            }
        }
        #expect(seen.contains("31m"))
        let bad = seen.unicodeScalars.filter {
            $0 != "\n" && [.control, .format].contains($0.properties.generalCategory)
        }
        #expect(bad.isEmpty, "\(bad.map { String($0.value, radix: 16) })")
    }

    @Test func `a connection that breaks is made again, and a server that began again is read from its start`()
        async throws
    {
        let folder = try TestFolder(Fixtures.files)
        try await onThread {
            let first = try ServingChild(folder)
            let port = try #require(first.ready["port"] as? Int)
            let shared = try watch(["shared", "--server", first.base])
            let run = try makeRun(at: first.base)
            let watcher = try watch([run.id, "--server", first.base])
            _ = try ask("\(run.base)/")
            try wait(for: "the request") { watcher.out.contains(" replied 200, ") }
            _ = try ask("\(first.base)/before")
            try wait(for: "the shared request") { shared.out.contains("  GET /before ") }
            #expect(try first.end(SIGKILL) == -SIGKILL)
            try wait(for: "the word of the break") {
                shared.err.contains("the connection broke (") && watcher.err.contains("the connection broke (")
            }
            let second = try ChildProcess(
                [Child.binary, "serve", "\(folder.path)/fixtures", "--port", "\(port)"])
            try wait(for: "the other server") { second.out.contains("\n") }
            _ = try ask("http://127.0.0.1:\(port)/behind")
            try wait(for: "what came behind") { shared.out.contains("  GET /behind ") }
            #expect(shared.out.contains("\n— the server was started again\n") && shared.isRunning)
            #expect(try watcher.waitUntilExit() == 1)
            #expect(watcher.err.contains("proctor: the run is gone: there is no run '\(run.id)'; "))
            second.send(signal: SIGTERM)
            #expect(try second.waitUntilExit() == 0)
            #expect(try shared.waitUntilExit() == 0)
            #expect(shared.out.hasSuffix("— the server has stopped\n"))
        }
    }

    @Test func `an interrupt ends it as it ends any program`() async throws {
        let folder = try TestFolder(Fixtures.files)
        let child = try await onThread { try ServingChild(folder) }
        try await onThread {
            let watcher = try watch(["shared", "--server", child.base])
            try wait(for: "its own connection") { watcher.out.contains("/__proctor/shared/events") }
            watcher.send(signal: SIGINT)
            #expect(try watcher.waitUntilExit() == -SIGINT)
        }
    }

    @Test func `no server, no run, no scenario and no token are told apart, each with what to do`() async throws {
        let none = try await Child.run(["watch", "r1", "--server", "http://127.0.0.1:1"])
        #expect(none.status == 1 && none.err.hasPrefix("proctor: no server answers at http://127.0.0.1:1: "))
        #expect(none.err.hasSuffix("; is 'proctor serve' running?\n"))

        let folder = try TestFolder(Fixtures.files)
        let child = try await onThread { try ServingChild(folder, ["--token", "secret"]) }
        let server = ["PROCTOR_SERVER": child.base]
        for (flags, variables) in [([], [:]), (["--token", "wrong"], [:]), ([], ["PROCTOR_TOKEN": "wrong"])] {
            let outcome = try await Child.run(
                ["watch", "shared"] + flags, environment: server.merging(variables) { $1 })
            #expect(outcome.status == 1 && outcome.out.isEmpty)
            #expect(
                outcome.err.hasSuffix("; give it by --token TEXT or the variable PROCTOR_TOKEN\n"), "\(outcome.err)")
        }
        let known = server.merging(["PROCTOR_TOKEN": "secret"]) { $1 }
        let run = try await Child.run(["watch", "r9"], environment: known)
        #expect(run.status == 1 && run.out.isEmpty && run.err.hasPrefix("proctor: there is no run 'r9'; "))
        #expect(run.err.hasSuffix("; 'proctor journal' lists the runs of a server\n"))
        let scenario = try await Child.run(["watch", "plain/helo"], environment: known)
        #expect(scenario.err == "proctor: there is no scenario 'plain/helo'; did you mean 'plain/hello'?\n")
        // A token of the environment is for the server of the environment.
        let foreign = try await Child.run(
            ["watch", "shared", "--server", child.base],
            environment: ["PROCTOR_SERVER": "http://127.0.0.1:1", "PROCTOR_TOKEN": "secret"])
        #expect(foreign.status == 1 && foreign.err.contains("--token TEXT"))
        let nothing = try await Child.run(["watch"], environment: known)
        #expect(nothing.status == 2 && nothing.err.contains("'watch' takes one RUN, one ID or 'shared'"))
    }
}
