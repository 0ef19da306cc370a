import Foundation
import ProctorJournal
import ProctorScenario
import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Another catalogue under requests: what did not change does not notice.
struct ReplaceCatalogueTests {
    private static let turns = """
        summary: Three turns
        exchanges:
          - request: GET /
            reply: [ { status: 200, body: one }, { status: 200, body: two }, { status: 200, body: three } ]
        """

    private static func says(_ word: String) -> String { always("{ status: 200, body: \(word) }") }

    /// Needs ports of its own, for the absolute path in Location.
    private static func rooted(_ word: String) -> String {
        """
        summary: needs a root
        exchanges:
          - { request: GET /, reply: { status: 302, headers: { Location: /b }, body: \(word) } }
        """
    }

    private static func catalogue(_ files: [String: String]) throws -> Catalogue {
        Catalogue(try files.map { try scenario($0.value, id: $0.key) })
    }

    private static func withFiles<Result>(
        _ files: [String: String], configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: (Server) async throws -> Result
    ) async throws -> Result {
        try await withServer(files.map { try scenario($0.value, id: $0.key) }, configure: configure, body)
    }

    private func body(_ target: String, _ base: String) async throws -> String {
        let text = try await exchange(.request("GET \(target)"), with: base).text
        return text.components(separatedBy: "\r\n\r\n").dropFirst().joined()
    }

    @Test func `turns and journals go on where nothing changed, and begin again where something did`() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("proctor-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = try JournalFile(path: path) { Issue.record("\($0)") }
        try await Self.withFiles(
            ["same": Self.turns, "other": Self.turns, "gone": Self.turns], configure: { $0.journalFile = file }
        ) { server in
            for id in ["same", "other", "gone"] { #expect(try await body("/\(id)/", server.base) == "one") }
            await server.replaceCatalogue(
                try Self.catalogue(["same": Self.turns, "other": Self.turns + "\n# new\n", "fresh": Self.says("new")]))
            #expect(server.catalogue.scenarios.map(\.id) == ["fresh", "other", "same"])
            #expect(try await body("/same/", server.base) == "two")
            #expect(try await body("/other/", server.base) == "one")
            #expect(try await body("/fresh/", server.base) == "new")
            #expect(try await body("/gone/", server.base).hasPrefix("no scenario stands at /gone/"))
            #expect(try await body("/same/", server.base) == "three")
        }
        file.flush()
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        func connections(of id: String) -> [Int] {
            lines.filter { $0.contains("\"scenario\":\"\(id)\"") && $0.contains("\"ev\":\"connectionOpened\"") }
                .compactMap { line in
                    line.firstMatch(of: /"connection":(\d+)/).flatMap { Int($0.1) }
                }
        }
        #expect(connections(of: "same") == [0, 1, 2] && connections(of: "other") == [0, 0])
    }

    @Test func `a standing run ends when its scenario changes, and only then`() async throws {
        func standing(_ id: String, _ server: Server) async throws -> String {
            let page = try await exchange(.request("GET /\(id)/"), with: server.base).text
            #expect(page.hasPrefix("HTTP/1.1 421 "))
            let field = try #require(page.components(separatedBy: "\r\n").first { $0.hasPrefix("Content-Location: ") })
            return String(field.dropFirst("Content-Location: ".count).dropLast())
        }
        try await Self.withFiles(["a": Self.rooted("x"), "b": Self.rooted("x"), "c": Self.rooted("x")]) { server in
            let before = [try await standing("a", server), try await standing("b", server)]
            let gone = try await standing("c", server)
            await server.replaceCatalogue(try Self.catalogue(["a": Self.rooted("x"), "b": Self.rooted("y")]))
            #expect(try await standing("a", server) == before[0])
            let after = try await standing("b", server)
            #expect(after != before[1])
            #expect(try await body("/", after) == "y")
            try await onThread { for base in [before[1], gone] { try Wire.waitUntilRefused(by: base) } }
        }
    }

    @Test func `runs that were made go on as they began`() async throws {
        try await Self.withFiles(["a": Self.turns]) { server in
            let (id, base) = try await makeRun("a", on: server)
            #expect(try await body("/", base) == "one")
            await server.replaceCatalogue(try Self.catalogue(["b": Self.says("b")]))
            #expect(try await body("/", base) == "two")
            #expect(try await call("GET /runs/\(id)", on: server).text("scenario") == "a")
            let reply = try await call("POST /runs", on: server, body: #"{"scenario":"a"}"#)
            #expect(reply.status == 404)
        }
    }

    @Test func `a reply under way ends as it began, and the next request meets the new version`() async throws {
        let slow = always("{ status: 200, body: [ old, { do: wait 200ms }, \"-old\" ] }")
        try await Self.withFiles(["a": slow]) { server in
            let base = server.base
            let wire = try await onThread {
                let wire = try Wire(to: base)
                try wire.send(.request("GET /a/"))
                #expect(try wire.readHead().hasPrefix("HTTP/1.1 200 OK\r\n"))
                #expect(try wire.read(3) == Array("old".utf8))
                return wire
            }
            await server.replaceCatalogue(try Self.catalogue(["a": Self.says("new")]))
            try await onThread {
                #expect(try wire.read(4) == Array("-old".utf8))
                try wire.send(.request("GET /a/"))
                #expect(try wire.readReply().hasSuffix("\r\n\r\nnew"))
            }
        }
    }

    /// A connection to the shared port remembers where its last request led.
    @Test func `one connection is led by each target anew`() async throws {
        try await Self.withFiles(["a": Self.says("a"), "b/c": Self.says("c")]) { server in
            let base = server.base
            try await onThread {
                let wire = try Wire(to: base)
                let asked = [
                    ("/a/", "a"), ("/a/", "a"), ("/a/q", "a"), ("/b/c/", "c"), ("/b/c/", "c"), ("/a/", "a"),
                    ("/a/" + String(repeating: "x", count: 300), "a"), ("/a/", "a"),
                ]
                for (target, word) in asked {
                    try wire.send(.request("GET \(target)"))
                    let reply = try wire.readReply()
                    #expect(reply.hasSuffix("\r\n\r\n\(word)"), "\(target)")
                }
                for target in ["/a", "/ab/", "/b/", "/A/", "/a?q"] {
                    try wire.send(.request("GET \(target)"))
                    #expect(try !wire.readReply().hasSuffix("\r\n\r\na"), "\(target)")
                }
            }
        }
    }

    @Test func `no request gets lost while catalogues come and go`() async throws {
        try await Self.withFiles(["a": Self.says("v0"), "b": Self.turns], configure: { $0.threadCount = 2 }) { server in
            let base = server.base
            async let replies = onThread {
                let wire = try Wire(to: base)
                return try (0..<2_000).map { _ in
                    try wire.send(.request("GET /a/"))
                    return try wire.readReply()
                }
            }
            for version in 1...200 {
                await server.replaceCatalogue(try Self.catalogue(["a": Self.says("v\(version)"), "b": Self.turns]))
            }
            let words = try await replies.map { reply in
                #expect(reply.hasPrefix("HTTP/1.1 200 OK\r\n"))
                return try #require(Int(reply.components(separatedBy: "\r\n\r\nv").last ?? ""))
            }
            #expect(words.count == 2_000 && words == words.sorted())
        }
    }
}
