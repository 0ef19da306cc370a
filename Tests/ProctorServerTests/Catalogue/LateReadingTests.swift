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

    }

    private func get(_ target: String, _ server: Server, host: String = "127.0.0.1") async throws -> String {
        let text = "GET \(target) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
        return try await exchange(text, with: server.base).text
    }

    @Test func `what was read is served though its file has gone, and mistakes are reported once`() async throws {
        let bench = try Bench(Self.files)
        try await withServer(bench.catalogue) { server in
            #expect(try await get("/a/", server).hasSuffix("\r\n\r\na"))
            try bench.folder.remove("a.yaml")
            #expect(try await get("/a/", server).hasSuffix("\r\n\r\na"))
            #expect(bench.reports.all.isEmpty)
            for target in ["/b/broken", "/b/broken/"] {
                #expect(try await get(target, server).hasPrefix("HTTP/1.1 500 "))
            }
            await #expect(throws: LoadFailure.self) { try await server.run("b/broken") }
            await bench.catalogue.readBehind()
            #expect(bench.catalogue.isRead && bench.reports.all.count == 1)
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

    @Test func `what the machine had nothing left for is read again by itself`() async throws {
        let isShort = Locked(true)
        let bench = try Bench(Self.files) { scenario in
            guard scenario.id == "c", isShort.withLock(\.self) else { return [] }
            return [Diagnostic(unreadable: "c.yaml", CallFailure(call: "open", code: EMFILE, text: "too many files"))]
        }
        await bench.catalogue.readBehind()
        #expect(bench.catalogue.postponed != nil && !bench.catalogue.isRead)
        let pauses = Locked<[Duration]>([])
        await bench.catalogue.readPostponed { pause in
            let count = pauses.withLock { pauses in
                pauses.append(pause)
                return pauses.count
            }
            if count == 3 { isShort.withLock { $0 = false } }
            return true
        }
        #expect(bench.catalogue.postponed == nil && bench.catalogue.isRead)
        #expect(pauses.withLock(\.self) == [.seconds(1), .seconds(2), .seconds(4)])
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
}
