import Foundation
import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

@testable import ProctorJournal

/// Connections that serve more than one request, and those that must not.
struct PersistenceTests {
    @Test func `a thousand requests in one write are answered in order`() async throws {
        let yaml = """
            summary: pipelining
            exchanges: [ { request: "GET /{n}", reply: { status: 200, body: "{{path.n}};" } } ]
            """
        try await withRun(yaml) { run in
            let requests = (0..<1_000).map { String.request("GET /\($0)") }.joined()
            let got = try await exchange(requests, with: run.base)
            let bodies = got.text.components(separatedBy: "\r\n").compactMap { line in
                line.split(separator: ";").first.flatMap { Int($0) }
            }
            #expect(bodies == Array(0..<1_000))
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.count == 3_002)
            #expect(lines.count { $0.hasPrefix("c0 ") } == lines.count)
        }
    }

    @Test func `1000 requests on 50 connections at once add up, with two loops`() async throws {
        let yaml = """
            summary: parallel
            exchanges:
              - { request: GET /turn, times: 500, reply: { status: 200, body: first } }
              - { request: GET /turn, reply: { status: 200, body: later } }
            """
        try await withServer([try scenario(yaml)], configure: { $0.threadCount = 2 }) { server in
            let run = try await server.run("test/one")
            for base in [run.base, server.base] {
                let target = base == run.base ? "/turn" : "/test/one/turn"
                let counts = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
                    for _ in 0..<50 {
                        group.addTask {
                            try await talk(to: base) { wire in
                                var first = 0
                                var later = 0
                                for _ in 0..<20 {
                                    try wire.send(.request("GET \(target)"))
                                    let reply = try wire.readReply()
                                    if reply.hasSuffix("first") { first += 1 }
                                    if reply.hasSuffix("later") { later += 1 }
                                }
                                return (first, later)
                            }
                        }
                    }
                    return try await group.reduce(into: (0, 0)) { $0 = ($0.0 + $1.0, $0.1 + $1.1) }
                }
                #expect(counts == (500, 500))
            }
            let lines = try await run.journal.lines(untilClosed: 50)
            #expect(lines.count == 50 + 3_000 + 50)
            let requests = Set(lines.filter { $0.contains(" head ") }.map { $0.split(separator: " ")[1] })
            #expect(requests.count == 1_000)
            let sequences = run.journal.snapshot().entries.map(\.sequence)
            // With the beginning of each reply, which the lines leave out.
            #expect(sequences == Array(1...4_100))
        }
    }
}
