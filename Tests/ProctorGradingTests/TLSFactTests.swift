import ProctorHTTP
import ProctorJournal
import ProctorScenario
import Testing

@testable import ProctorGrading

/// Facts about handshakes, each with what holds and what does not.
struct TLSFactTests {
    /// A full handshake with a request, a resumed one, one that the client broke off, a connection in the clear, and one
    /// that was left before it said anything.
    static func journal() throws -> [JournalEntry] {
        var script = JournalScript.opened()
        script.hello(0, serverName: "localhost")
        script.secure(0, client: "alice")
        try script.request("GET /a")
        script.close(0)
        script.open(1)
        script.open(2)
        script.hello(2)
        script.secure(2, resumed: true)
        script.open(3, origin: "plain")
        script.hello(4)
        script.fail(4, alert: 48, "unknown_ca")
        script.hello(5)
        return script.entries
    }

    static let rows = [
        FactRow("tls.handshakes", "2"), FactRow("tls.handshakes", "3", fails: "wanted 3, got 2"),
        FactRow("tls.failures", "1"),
        FactRow("tls.failures", .range(minimum: 2, maximum: nil), fails: "wanted at least 2, got 1"),
        FactRow("tls[0].version", "1.3"), FactRow("tls[0].version", "1.2", fails: #"wanted "1.2", got "1.3""#),
        FactRow("tls[0].cipher", "TLS_AES_128_GCM_SHA256"), FactRow("tls[0].group", "x25519"),
        FactRow("tls[0].alpn", "http/1.1"), FactRow("tls[0].server-name", "localhost"),
        FactRow("tls[1].server-name", .absent),
        FactRow("tls[1].server-name", "a", fails: #"wanted "a", got nothing; the client sent no server_name"#),
        FactRow("tls[0].resumed", "false"), FactRow("tls[1].resumed", "true"),
        FactRow("tls[1].resumed", "false", fails: #"wanted "false", got "true""#),
        FactRow("tls[0].certificate", "valid"), FactRow("tls[0].client", "alice"),
        FactRow("tls[1].client", "alice", fails: #"wanted "alice", got nothing; the client showed no certificate"#),
        FactRow("tls[0].alert", .absent),
        FactRow(
            "tls[0].alert", "unknown_ca", fails: #"wanted "unknown_ca", got nothing; the client sent no fatal alert"#),
        FactRow("tls[2].alert", "unknown_ca"), FactRow("tls[0].end", "secured"), FactRow("tls[2].end", "failed"),
        FactRow("tls[2].end", "secured", fails: #"wanted "secured", got "failed""#), FactRow("tls[3].end", .absent),
        FactRow("tls[3].end", "failed", fails: #"wanted "failed", got nothing; the handshake came to no end"#),
        FactRow("tls[2].version", .absent),
        FactRow(
            "tls[2].version", "1.3",
            fails: #"wanted "1.3", got nothing; the handshake failed: the client sent alert 48 (unknown_ca)"#),
        FactRow("tls[3].version", "1.3", fails: #"wanted "1.3", got nothing; the handshake was not completed"#),
        FactRow("tls[4].version", .absent),
        FactRow("tls[4].version", "1.3", fails: #"wanted "1.3", got nothing; 4 handshakes were begun"#),
        FactRow("tls[0].offered.versions", ["1.3", "1.2"]),
        FactRow("tls[0].offered.versions", "1.3", fails: #"wanted "1.3", got ["1.3", "1.2"]"#),
        FactRow("tls[2].offered.alpn", "http/1.1"),
        FactRow("tls[0].offered.ciphers", ["TLS_AES_128_GCM_SHA256", "GREASE"]),
        FactRow("tls[0].offered.groups", ["x25519"]), FactRow("tls[1].offered.extensions", []),
        FactRow(
            "wire[1].method", "GET",
            fails: #"wanted "GET", got nothing; 1 request came, and the TLS handshake of connection 4 failed: "#
                + "the client sent alert 48 (unknown_ca) (certificate)"),
    ]

    @Test(arguments: rows) func `a fact is measured from the handshakes`(row: FactRow) throws {
        let verdict = try row.check(try Self.journal())
        if row.complaint == nil { #expect(verdict.outcome == .pass && verdict.findings.isEmpty, "\(verdict)") }
    }

    @Test func `a request that is missing names the handshake that failed`() throws {
        var script = JournalScript.opened()
        script.hello(0)
        script.fail(0, alert: 45, "certificate_expired")
        script.close()
        let verdict = WireGrader(try makeCase(wire: "request(GET /a)", facts: [("wire.count", "1")])).grade(
            script.entries)
        let reason =
            "the TLS handshake of connection 0 failed: the client sent alert 45 (certificate_expired) (certificate)"
        #expect(verdict.failures.first?.details.last == "  tls     : \(reason)")
        #expect(verdict.failures.last?.sentence == "wire.count: wanted 1, got 0; \(reason)")
    }

    @Test func `a connection whose handshake failed breaks nothing, and neither does the one that is tried instead`()
        throws
    {
        var script = JournalScript.opened()
        script.hello(0)
        script.fail(0, alert: 70, "protocol_version")
        script.close(0)
        script.open(1)
        script.hello(1)
        script.secure(1)
        try script.request("GET /a", on: 1)
        let item = try makeCase(
            wire: "request(GET /a)",
            facts: [("tls.failures", "1"), ("connection[0].requests", "0")])
        #expect(WireGrader(item).grade(script.entries).outcome == .pass)
    }

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

    @Test func `a failure after a handshake is no failure of the handshake`() throws {
        var script = JournalScript()
        script.hello(0)
        script.secure(0)
        script.fail(0, alert: 116, "certificate_required")
        let item = try makeCase(facts: [
            ("tls.failures", "0"), ("tls[0].end", "secured"),
            ("tls[0].alert", "certificate_required"),
        ])
        #expect(WireGrader(item).grade(script.entries).outcome == .pass)
    }

    @Test func `warnings and the server's own alerts are not the client's fatal one`() throws {
        var script = JournalScript()
        script.hello(0)
        script.add(.alert(AlertNote(by: .client, isFatal: true, number: 46, name: "certificate_unknown")))
        script.add(.alert(AlertNote(by: .server, isFatal: true, number: 40, name: "handshake_failure")))
        script.add(.alert(AlertNote(by: .client, isFatal: false, number: 0, name: "close_notify")))
        let item = try makeCase(facts: [("tls[0].alert", "certificate_unknown")])
        #expect(WireGrader(item).grade(script.entries).outcome == .pass)
    }
}
