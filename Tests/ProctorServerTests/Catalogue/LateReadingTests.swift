import Foundation
import ProctorBase
import ProctorDocument
import ProctorFixtures
import ProctorScenario
import ProctorTestSupport
import ProctorTestWire
import Testing

@testable import ProctorServer

/// A server whose scenarios are read when they are first asked for.
struct LateReadingTests {
    private static let files = [
        "a.yaml": always("{ status: 200, body: a }"), "b/broken.yaml": "summary: b\nexchanges: [{ request: GET / }]\n",
        "b/named.yaml": """
        summary: A name
        origins: { named: { host: late.proctor.test } }
        exchanges: [ { request: GET /, origin: named, reply: { status: 200, body: named } } ]
        """, "c.yaml": always("{ status: 200, body: c }"),
    ]

    /// What was reported, file by file.
    private final class Reports: Sendable {
        private let reports = Locked<[[Diagnostic]]>([])

        func add(_ diagnostics: [Diagnostic]) { reports.withLock { $0.append(diagnostics) } }
        var all: [[Diagnostic]] { reports.withLock { $0 } }
    }

    private struct Bench {
        let folder: TestFolder
        let reports = Reports()
        let catalogue: Catalogue

        init(_ files: [String: String], check: @escaping @Sendable (Scenario) -> [Diagnostic] = { _ in [] }) throws {
            let folder = try TestFolder(files)
            let found = ScenarioLoader.find(paths: [folder.path])
            #expect(found.diagnostics.isEmpty)
            self.folder = folder
            catalogue = Catalogue(ScenarioReading(of: found, check: check, report: reports.add))
        }

        var unreadCount: Int { catalogue.entries.unreadCount }
    }

    private func get(_ target: String, _ server: Server, host: String = "127.0.0.1") async throws -> String {
        let text = "GET \(target) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
        return try await exchange(text, with: server.base).text
    }

    @Test func `a request reads the scenario that it asks for, and no other`() async throws {
        let bench = try Bench(Self.files)
        try await withServer(bench.catalogue) { server in
            #expect(bench.unreadCount == 4)
            #expect(try await get("/a/", server).hasSuffix("\r\n\r\na"))
            #expect(bench.unreadCount == 3)
            // The file may go: what was read is served.
            try bench.folder.remove("a.yaml")
            #expect(try await get("/a/", server).hasSuffix("\r\n\r\na"))
            #expect(try await get("/no", server).contains("no scenario stands at /no"))
            #expect(try await get("/bb/named", server).contains("did you mean /b/named ?"))
            #expect(bench.unreadCount == 3)
            #expect(try await get("/c", server).contains("base: http://127.0.0.1/c\n"))
            #expect(bench.unreadCount == 2 && bench.reports.all.isEmpty)
        }
    }

    @Test func `a scenario with errors is answered with them everywhere, and they are reported once`() async throws {
        let bench = try Bench(Self.files)
        let place = "\(bench.folder.path)/b/broken.yaml:2:"
        try await withServer(bench.catalogue) { server in
            for target in ["/b/broken", "/b/broken/", "/b/broken/x?y"] {
                let page = try await get(target, server)
                #expect(page.hasPrefix("HTTP/1.1 500 "))
                #expect(page.contains("scenario b/broken can't be served: its file has errors\n\n\(place)"))
                #expect(page.contains("\n    see /__proctor/ui/docs/format/"))
            }
            for call in ["GET /scenarios/b/broken", "GET /standing/b/broken", "POST /runs"] {
                let body = call.hasPrefix("POST") ? #"{"scenario": "b/broken"}"# : nil
                let reply = try await ProctorServerTests.call(call, on: server, body: body)
                #expect(reply.status == 500 && reply.body.contains("broken-scenario") && reply.body.contains(place))
            }
            await #expect(throws: LoadFailure.self) { try await server.run("b/broken") }
            #expect(bench.unreadCount == 3)
            #expect(bench.reports.all.count == 1)
        }
    }

    @Test func `a standing run and a run by id read their scenario`() async throws {
        let bench = try Bench(Self.files)
        try await withServer(bench.catalogue) { server in
            #expect(try await call("GET /standing/a", on: server).status == 200)
            #expect(try await call("GET /standing/b/named", on: server).status == 200)
            let run = try await server.run("c")
            #expect(run.scenario.id == "c" && bench.unreadCount == 1)
            await run.stop()
        }
    }

    @Test func `health tells how many files are read, and what is wrong with them`() async throws {
        let bench = try Bench(Self.files)
        try await withServer(bench.catalogue) { server in
            let before = try await call("GET /health", on: server)
            #expect(before.body.contains(#""status":"ok","scenarios":4,"files":{"read":0,"unread":4,"broken":[]}"#))
            await bench.catalogue.readBehind()
            #expect(bench.catalogue.isRead && bench.catalogue.readScenarios.map(\.id) == ["a", "b/named", "c"])
            let after = try await call("GET /health", on: server)
            let words = #""status":"degraded","scenarios":4,"files":{"read":4,"unread":0,"broken":[{"id":"b/broken","#
            #expect(after.body.contains(words + #""errors":["\#(bench.folder.path)/b/broken.yaml:2:"#), "\(after.body)")
        }
        #expect(bench.reports.all.count == 1)
    }

    @Test func `what lists all scenarios waits for all files, a family for its own`() async throws {
        let bench = try Bench(Self.files)
        try await withServer(bench.catalogue) { server in
            let family = try await call("GET /scenarios?family=b", on: server)
            #expect(family.body.contains("b/named") && !family.body.contains("b/broken"))
            #expect(bench.unreadCount == 2)
            let page = try await get("/", server)
            #expect(page.contains("proctor serves 3 scenarios;") && page.contains("\n/b/named\n    A name\n"))
            #expect(bench.unreadCount == 0)
        }
    }

    @Test func `a name is known by the time that a request asks for it`() async throws {
        let bench = try Bench(Self.files)
        try await withServer(bench.catalogue) { server in
            let page = try await get("/", server, host: "late.proctor.test")
            #expect(page.hasSuffix("\r\n\r\nnamed"))
            #expect(bench.unreadCount == 0)
        }
        let other = try Bench(Self.files)
        try await withServer(other.catalogue) { server in
            let tunnel = "CONNECT nobody.test:80 HTTP/1.1\r\nHost: nobody.test:80\r\n\r\n"
            let text = try await exchange(tunnel, with: server.base).text
            #expect(text.contains("declared are:\n  late.proctor.test\n"))
        }
    }

    @Test func `what else checks a scenario is called once for it, and its errors count`() async throws {
        let asked = Locked<[String]>([])
        let bench = try Bench(Self.files) { scenario in
            asked.withLock { $0.append(scenario.id) }
            return scenario.id == "c" ? [Diagnostic(path: "c", sentence: "c is not wanted")] : []
        }
        try await withServer(bench.catalogue) { server in
            let page = try await get("/c/", server)
            #expect(page.contains("c: error: c is not wanted"))
            await bench.catalogue.readAll()
            #expect(asked.withLock { $0.sorted() } == ["a", "b/named", "c"])
            #expect(bench.catalogue.broken.map(\.id) == ["b/broken", "c"] && bench.reports.all.count == 2)
        }
    }

    @Test func `many requests at once get the same scenario, with its turns`() async throws {
        let turns = "[ \((0..<40).map { "{ status: 200, body: t\($0). }" }.joined(separator: ", ")) ]"
        let bench = try Bench([
            "t.yaml": "summary: t\nexchanges: [ { request: GET /, reply: \(turns) } ]\n", "b.yaml": "summary: [",
        ])
        try await withServer(bench.catalogue) { server in
            let bodies = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<40 { group.addTask { try await get("/t/", server) } }
                for _ in 0..<20 { group.addTask { try await get("/b/", server) } }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(bodies.count == 41 && bench.reports.all.count == 1)
        }
    }

    @Test func `another catalogue is read before it is served, and ends the reading of the former`() async throws {
        let bench = try Bench(["t.yaml": Self.turns, "u.yaml": Self.turns])
        try await withServer(bench.catalogue) { server in
            #expect(try await get("/t/", server).hasSuffix("one"))
            let next = try Bench(["t.yaml": Self.turns, "u.yaml": Self.turns])
            await server.replaceCatalogue(next.catalogue)
            #expect(next.unreadCount == 0)
            await bench.catalogue.readBehind()
            #expect(bench.unreadCount == 1)
            #expect(try await get("/t/", server).hasSuffix("two"))
            #expect(try await get("/u/", server).hasSuffix("one"))
        }
    }

    private static let turns = """
        summary: Two turns
        exchanges: [ { request: GET /, reply: [ { status: 200, body: one }, { status: 200, body: two } ] } ]
        """
}
