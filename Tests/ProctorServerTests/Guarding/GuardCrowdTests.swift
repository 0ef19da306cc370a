import Foundation
import ProctorServer
import ProctorTestWire
import Testing

@testable import ProctorJournal

/// Many at a time before one guard: pipelined, in parallel, and for the last turn of an exchange.
struct GuardCrowdTests {
    private static let right = "Authorization: Basic dXNlcjpwYXNz"

    private func yaml(_ schemes: String, _ policy: String = "reads: all") -> String {
        """
        summary: guarded
        guards: { lab: { users: { user: pass }, schemes: [\(schemes)] } }
        auth: lab
        exchanges:
          - { request: "* /a", \(policy), reply: { status: 200, body: content } }
        """
    }

    @Test func `connections in parallel share a nonce, and each count passes once`() async throws {
        try await withRun(yaml("digest")) { run in
            let base = run.base
            let first = try await talk(to: base) { try $0.ask("GET /a") }
            let counts = try await withThrowingTaskGroup(of: [Int?].self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        try await talk(to: base) { wire in
                            try (1...UInt32(50)).map { count in
                                try wire.ask("GET /a", try DigestClient().answer(first, "GET /a", count: count)).status
                            }
                        }
                    }
                }
                var all: [Int: Int] = [:]
                for try await statuses in group { for status in statuses { all[status ?? 0, default: 0] += 1 } }
                return all
            }
            #expect(counts == [200: 50, 401: 150])
            #expect(run.journal.verdicts.last?.attempt == 200)
        }
    }

    @Test func `the last turn of an exchange goes to one of many that its guard admits`() async throws {
        let text = """
            summary: guarded
            guards: { lab: { users: { user: pass }, schemes: [basic] }, other: { users: { u: p }, schemes: [basic] } }
            exchanges:
              - { request: GET /a, auth: lab, times: 1, reply: { status: 200, body: first } }
              - { request: GET /a, auth: other, reply: { status: 200, body: second } }
            """
        try await withRun(text) { run in
            let base = run.base
            let statuses = try await withThrowingTaskGroup(of: Int?.self) { group in
                for _ in 0..<8 {
                    group.addTask { try await talk(to: base) { try $0.ask("GET /a", Self.right).status } }
                }
                var all: [Int?] = []
                for try await status in group { all.append(status) }
                return all
            }
            #expect(statuses.count { $0 == 200 } == 1)
            #expect(statuses.count { $0 == 401 } == 7)
        }
    }
}
