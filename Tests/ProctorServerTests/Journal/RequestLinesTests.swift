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
          - { request: GET /cut, reply: { status: 200, body: hello, effects: [ { at: body 2, do: reset } ] } }
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
        #expect(lines[2].hasPrefix(" a/one r2  GET /nope  404  ") && lines[2].contains("  nothing expects it: "))
    }

    @Test func `what was wrong stands behind, and so does an end without a reply`() async throws {
        let lines = try await lines { server in
            _ = try await exchange("GET /a/one/hello HTTP/1.1\r\nHost: a\r\nX: 1\n\r\n", with: server.base)
            _ = try await exchange("\u{0}\r\n\r\n", with: server.base)
            _ = try await exchange(.request("GET /a/one/cut"), with: server.base)
        }
        #expect(lines.count == 3, "\(lines)")
        #expect(lines[0].hasSuffix("  violation: bare-lf (RFC 9112 §2.2)"), "\(lines[0])")
        #expect(lines[1].hasPrefix(" -  a request that can't be read  "))
        #expect(lines[2].contains("GET /cut  "))
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

    @Test func `for a program it is an object of JSON, and what peers send moves no cursor`() async throws {
        let lines = RequestLines()
        let source = lines.source(scenario: "a/one", run: "r1")
        let head = try RequestView(parsing: .request("GET /")).head
        let target = Array("/\u{1B}[31m\u{9B}2J\u{202E}".utf8)
        let events = [
            JournalEvent.requestHead(head, target: target),
            .missed(Miss(nearestExchange: 0, differences: ["target: got /\u{1B}[2J\u{9B}31m"])),
            .violation(Violation(.bareLF, at: 20)), .replyAborted(sentByteCount: 7, reason: "left\u{1B}c"),
        ]
        for (index, event) in events.enumerated() {
            source.add(
                JournalEntry(
                    sequence: UInt64(index + 1), nanoseconds: UInt64(index) * 1_500_000, connection: 0, request: 0,
                    event: event))
        }
        lines.finish()
        var printed: [RequestLine] = []
        await lines.run { (line: RequestLine) in printed.append(line) }
        let line = try #require(printed.first)
        #expect(printed.count == 1 && line.outcome == .wrong)
        let shown = #"/\x1B[31m\xC2\x9B2J\xE2\x80\xAE"#
        #expect(
            line.text.hasSuffix(
                "  a/one r1  GET \(shown)  -  7 bytes  4.5 ms  violation: bare-lf (RFC 9112 §2.2)  "
                    + "nothing expects it: target: got /?[2J?31m  broken off: left?c"), "\(line.text)")
        #expect(line.json.hasPrefix(#"{"proctor":"request","time":""#))
        let quoted = shown.replacing("\\", with: "\\\\")
        #expect(
            line.json.hasSuffix(
                #"Z","scenario":"a/one","run":"r1","method":"GET","target":"\#(quoted)","outcome":"aborted","#
                    + #""byteCount":7,"reason":"left?c","microseconds":4500,"#
                    + #""missed":"nothing expects it: target: got /?[2J?31m","#
                    + #""violations":[{"kind":"bare-lf","section":"RFC 9112 §2.2"}]}"#), "\(line.json)")
        for text in [line.text, line.json, RequestLine.dropped(2).json] {
            #expect(PrintableText.sanitize(text) == text)
        }
        #expect(RequestLine.dropped(2).json == #"{"proctor":"requestsDropped","count":2}"#)
    }

    @Test func `every request that was open when its connection ended has a line`() async throws {
        let lines = RequestLines()
        let source = lines.source(scenario: "a/one")
        let head = try RequestView(parsing: .request("GET /")).head
        func take(_ event: JournalEvent, request: Int?, connection: Int = 0) {
            source.add(
                JournalEntry(sequence: 1, nanoseconds: 1, connection: connection, request: request, event: event))
        }
        take(.requestHead(head, target: [0x2F]), request: 0)
        take(.requestHead(head, target: [0x2F]), request: 1)
        take(.requestHead(head, target: [0x2F]), request: 2, connection: 1)
        take(.connectionClosed(by: .client, how: .closed), request: nil)
        lines.finish()
        var printed: [String] = []
        await lines.run { (line: String) in printed.append(line) }
        #expect(printed.count == 2 && printed.allSatisfy { $0.hasSuffix("  a/one  GET /  not answered") })
    }
}
