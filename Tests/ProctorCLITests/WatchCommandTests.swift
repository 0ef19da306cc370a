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
}
