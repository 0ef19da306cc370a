import Foundation
import ProctorTestSupport
import Testing

/// What `proctor serve` prints of requests.
struct RequestLogTests {
    @Test(arguments: ["xml", "jsn"])
    func `a form that does not exist is refused`(form: String) async throws {
        let outcome = try await Child.run(["serve", "--log=\(form)"])
        #expect(outcome.status == 2 && outcome.err.contains("--log takes text, json, none, not '\(form)'"))
    }

    @Test func `colours are told by a word`() async throws {
        let outcome = try await Child.run(["serve", "--color", "sometimes"])
        #expect(outcome.status == 2 && outcome.err.contains("--color takes auto, always, never, not 'sometimes'"))
    }

    @Test func `as JSON requests follow the ready line on standard output`() async throws {
        let folder = try TestFolder(Fixtures.files)
        let child = try await onThread { try ServingChild(folder, ["--log", "json"]) }
        #expect(child.ready["proctor"] as? String == "ready")
        for path in ["plain/hello/", "plain/hello/none?%1B", "nothing"] {
            _ = try await curl("\(child.base)/\(path)")
        }
        #expect(try await onThread { try child.end() } == 0)
        let objects = try child.out.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(objects.map { $0["proctor"] as? String } == ["ready", "request", "request", "request"])
        #expect(objects.dropFirst().map { $0["status"] as? Int } == [200, 404, 404])
        #expect(objects.dropFirst().map { $0["scenario"] as? String } == ["plain/hello", "plain/hello", nil])
        #expect(objects[1]["method"] as? String == "GET" && objects[1]["target"] as? String == "/")
        #expect((objects[1]["time"] as? String)?.wholeMatch(of: /20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d\d\dZ/) != nil)
        #expect(objects[1]["missed"] == nil && (objects[2]["missed"] as? String)?.contains("/none") == true)
        #expect(!child.err.contains("GET /"))
    }

    @Test(arguments: [["--log", "none"], ["--log=none"]])
    func `none is silence`(flags: [String]) async throws {
        let folder = try TestFolder(Fixtures.files)
        let child = try await onThread { try ServingChild(folder, flags) }
        #expect(try await curl("\(child.base)/plain/hello/").out == "hello\n")
        #expect(try await onThread { try child.end() } == 0)
        #expect(child.out.split(separator: "\n").count == 1 && !child.err.contains("GET /"))
    }

    // MARK: A terminal

    /// Runs serve with standard error, or both streams, on a pseudo-terminal, asks for paths, and prints what stood there.
    private static let onTerminal = """
        import json, os, pty, signal, subprocess, sys, threading, urllib.request, urllib.error
        ours, theirs = pty.openpty()
        server = subprocess.Popen(sys.argv[2:], stdout=subprocess.PIPE, stderr=theirs)
        os.close(theirs)
        ready = json.loads(server.stdout.readline())
        seen = []
        def read():
            while True:
                try: piece = os.read(ours, 4096)
                except OSError: return
                if not piece: return
                seen.append(piece)
        reader = threading.Thread(target=read); reader.start()
        for path in sys.argv[1].split(","):
            try: urllib.request.build_opener(urllib.request.ProxyHandler({})).open(ready["base"] + path).read()
            except urllib.error.HTTPError: pass
        server.send_signal(signal.SIGINT)
        code = server.wait(60)
        reader.join(60)
        sys.stdout.write(b"".join(seen).decode())
        sys.exit(code)
        """

    private func terminal(_ paths: [String], _ flags: [String], environment: [String: String] = [:]) async throws
        -> [String]
    {
        let python = try #require(Project.tool("python3"))
        let folder = try TestFolder(Fixtures.files)
        let words =
            ["-c", Self.onTerminal, paths.joined(separator: ","), Child.binary, "serve", "\(folder.path)/fixtures"]
            + ["--port", "0"] + flags
        let outcome = try await Child.run(
            words, program: python, environment: ["TERM": "xterm", "NO_COLOR": ""].merging(environment) { $1 })
        #expect(outcome.status == 0, "\(outcome.err)")
        return outcome.out.split(whereSeparator: \.isNewline).map(String.init).filter { $0.contains("GET /") }
    }

    @Test func `a terminal shows requests, in colours by what came of them`() async throws {
        let lines = try await terminal(["/plain/hello/", "/plain/hello/none", "/redirect/root/a"], [])
        #expect(lines.count == 3, "\(lines)")
        try #require(lines.count == 3)
        #expect(lines[0].contains("  plain/hello r1  GET /  \u{1B}[1;32m200\u{1B}[0m  "))
        #expect(lines[1].contains("  GET /none  \u{1B}[1;31m404\u{1B}[0m  "))
        #expect(lines[1].hasSuffix("\u{1B}[0m") && lines[1].contains("\u{1B}[1;31mnothing expects it: "))
    }

    @Test(arguments: [
        (["--color", "never"], "", false), ([], "1", false), (["--color", "always"], "1", true),
        (["--color=auto"], "", true),
    ])
    func `colours are as the command line and NO_COLOR want`(flags: [String], refusal: String, isColoured: Bool)
        async throws
    {
        let lines = try await terminal(["/plain/hello/"], flags, environment: ["NO_COLOR": refusal])
        #expect(lines.count == 1 && lines[0].contains("\u{1B}") == isColoured, "\(lines)")
    }

    @Test func `a terminal shows nothing where nothing is wanted`() async throws {
        #expect(try await terminal(["/plain/hello/"], ["--log", "none"]).isEmpty)
    }

    @Test func `a standard error that nobody reads stops no reply, and what was dropped is counted`() async throws {
        let python = try #require(Project.tool("python3"))
        let folder = try TestFolder(Fixtures.files)
        let count = 6_000
        let script = """
            import json, re, signal, socket, subprocess, sys
            server = subprocess.Popen(sys.argv[2:], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            ready = json.loads(server.stdout.readline())
            count, answered = int(sys.argv[1]), 0
            client = socket.create_connection(("127.0.0.1", ready["port"]), 60)
            request = b"GET /plain/hello/ HTTP/1.1\\r\\nHost: 127.0.0.1:%d\\r\\n\\r\\n" % ready["port"]
            for start in range(0, count, 100):
                client.sendall(request * 100)
                got = b""
                while got.count(b"hello\\n") < 100: 
                    piece = client.recv(65536)
                    if not piece: sys.exit("cut off after %d" % answered)
                    got += piece
                answered += 100
            # Only now is anything read; the last request comes after what waited.
            import threading
            lines = []
            reader = threading.Thread(target=lambda: lines.extend(server.stderr)); reader.start()
            server.send_signal(signal.SIGINT)
            client.close()
            code = server.wait(60); reader.join(60)
            text = b"".join(lines).decode()
            printed = len(re.findall("  GET /  200  ", text))
            dropped = sum(int(n) for n in re.findall(r"\\((\\d+) requests? more, which", text))
            print(code, answered, printed + dropped, printed >= 1000, dropped > 0)
            """
        let outcome = try await Child.run(
            ["-c", script, "\(count)", Child.binary, "serve", "\(folder.path)/fixtures", "--port", "0", "--log"],
            program: python)
        #expect(outcome.out == "0 \(count) \(count) True True\n", "\(outcome.err.suffix(2_000))")
    }
}
