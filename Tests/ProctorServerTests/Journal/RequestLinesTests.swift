import ProctorBase
import ProctorHTTP
import ProctorTestWire
import Testing

@testable import ProctorJournal
@testable import ProctorReplies
@testable import ProctorServer

/// One line a request, for a person who watches a server.
struct RequestLinesTests {
    private static let yaml = """
        summary: Some replies
        exchanges:
          - { request: GET /hello, reply: { status: 200, body: hello } }
        """

    /// Without the time of day and without durations.
    private func lines(_ body: (Server) async throws -> Void) async throws -> [String] {
        let lines = RequestLines()
        let printed = Locked<[String]>([])
        try await withServer([try scenario(Self.yaml, id: "a/one")], configure: { $0.requestLines = lines }, body)
        lines.finish()
        await lines.run { line in printed.withLock { $0.append(line) } }
        return printed.withLock { $0 }.map { line in
            line.replacing(/^\d\d:\d\d:\d\d\.\d\d\d\s/, with: "").replacing(/\d+\.\d ms/, with: "T")
        }
    }

    @Test func `requests of scenarios, pages and runs each have a line`() async throws {
        let lines = try await lines { server in
            _ = try await exchange(.request("GET /a/one/hello") + .request("GET /none"), with: server.base)
            let run = try await server.run("a/one")
            _ = try await exchange(.request("GET /nope"), with: run.base)
        }
        #expect(lines.count == 3, "\(lines)")
        #expect(lines[0].hasPrefix(" a/one r1  GET /hello  200  ") && lines[0].hasSuffix(" bytes  T"))
        #expect(lines[1].hasPrefix(" -  GET /none  404  "))
        #expect(lines[2].hasPrefix(" a/one r2  GET /nope  404  ") && lines[2].contains("  nothing expects it"))
    }

    @Test func `lines that are not printed in time are counted and dropped`() async throws {
        let lines = RequestLines()
        let source = lines.source(scenario: "a/one")
        let head = try RequestView(parsing: .request("GET /")).head
        for number in 0..<RequestLines.waitingLimit + 5 {
            for event in [JournalEvent.requestHead(head, target: [0x2F]), .replySent(status: 200, byteCount: 1)] {
                source.add(
                    JournalEntry(sequence: 1, nanoseconds: 1, connection: 0, request: number, event: event))
            }
        }
        lines.finish()
        let printed = Locked<[String]>([])
        await lines.run { line in printed.withLock { $0.append(line) } }
        let all = printed.withLock { $0 }
        #expect(all.count == RequestLines.waitingLimit + 1)
        #expect(all[1] == "(5 requests more, which were faster than they could be printed)")
        #expect(all[0].hasSuffix("  a/one  GET /  200  1 byte  0.0 ms"))
    }
}
