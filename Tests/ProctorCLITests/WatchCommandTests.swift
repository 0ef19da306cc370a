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
}
