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

    private static func catalogue(_ files: [String: String]) throws -> Catalogue {
        Catalogue(try files.map { try scenario($0.value, id: $0.key) })
    }

    private static func withFiles<Result>(
        _ files: [String: String], configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: (Server) async throws -> Result
    ) async throws -> Result {
        try await withServer(files.map { try scenario($0.value, id: $0.key) }, configure: configure, body)
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
