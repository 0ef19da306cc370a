import ProctorHTTP
import ProctorJournal
import ProctorScenario
import Testing

@testable import ProctorGrading

/// Facts about handshakes, each with what holds and what does not.
struct TLSFactTests {
    @Test func `a finding counts connections as the timeline does, with those that carried a tunnel`() throws {
        var script = JournalScript()
        for connection in [0, 2] {
            script.open(connection, origin: "names")
            script.add(
                .tunnelOpened(authority: "home.example.org:443", origin: "main", connection: connection + 1),
                on: connection)
            script.open(connection + 1)
            script.hello(connection + 1)
            script.fail(connection + 1, alert: 48, "unknown_ca")
        }
        let item = try makeCase(facts: [("wire.count", "1"), ("connections", "2")])
        let sentence = try #require(WireGrader(item).grade(script.entries).failures.first?.sentence)
        #expect(sentence.contains("2 TLS handshakes failed, the first, of connection 1: the client sent alert 48"))
        let timeline = WireTimeline(script.entries).lines
        #expect(timeline.contains { $0.contains("  c1 ") && $0.contains("alert 48") }, "\(timeline)")

        script.open(4)
        script.add(.violation(Violation(.plainHTTP, at: 0, detail: Array("GET".utf8))), on: 4)
        let findings = WireGrader(try makeCase()).grade(script.entries).failures
        #expect(findings.map { $0.sentence.hasPrefix("connection 4: plain-http at byte 0") } == [true])
    }
}
