import ProctorHTTP
import ProctorJournal
import ProctorScenario
import Testing

@testable import ProctorGrading

struct WireTimelineTests {
    @Test func `every entry is one line`() throws {
        var script = JournalScript.opened()
        try script.request("POST /form", fields: ["Host: x", "Content-Length: 3"], body: "a=1")
        script.add(.exchangeChosen(exchange: 0, turn: 2), request: 0)
        script.wait(milliseconds: 50)
        script.add(.effectPlayed(PlayedEffect(action: "wait 50ms", at: "head")), request: 0)
        script.add(.replySent(status: 302, byteCount: 90), request: 0)
        script.skip(2)
        script.add(.missed(Miss(nearestExchange: 0, differences: ["the path is /b"])), request: 1)
        script.add(.replySent(status: nil, byteCount: 1), request: 1)
        script.add(.replyAborted(sentByteCount: 12, reason: "the client reset the connection"), request: 12)
        script.wait(milliseconds: 123_456)
        script.close(0, by: .client, .reset)
        #expect(
            WireTimeline(script.entries).description == """
                    0.000 ms  c0       opened by 127.0.0.1:50 to 127.0.0.1:8088 (main)
                    0.000 ms  c0  r0   POST /form HTTP/1.1, 2 fields
                    0.000 ms  c0  r0   body of 3 bytes "a=1"
                    0.000 ms  c0  r0   exchange 0, turn 2
                   50.000 ms  c0  r0   wait 50ms at head
                   50.000 ms  c0  r0   replied 302, 90 bytes
                … 2 entries missing
                   50.000 ms  c0  r1   no exchange matches; nearest is 0: the path is /b
                   50.000 ms  c0  r1   Proctor itself replied 1 byte
                   50.000 ms  c0  r12  reply broken off after 12 bytes: the client reset the connection
                123506.000 ms  c0       reset by the client
                """)
    }

    @Test func `a reply that Proctor itself made is one line, without its fields`() throws {
        let fields = FieldSection([(Array("Content-Type".utf8), Array("text/plain".utf8))])
        let own = SentReply(status: 404, fields: fields, headByteCount: 60, content: .empty)
        var script = try JournalScript.opened("GET /none")
        script.add(.missed(Miss(nearestExchange: nil, differences: [])), request: 0)
        script.add(.replyBegun(own), request: 0)
        script.add(.replySent(status: 404, byteCount: 60), request: 0)
        // A reply of the scenario that is the same.
        try script.request("GET /gone")
        script.add(.replyBegun(own), request: 1)
        script.add(.replySent(status: 404, byteCount: 60), request: 1)
        let verdict = try WireGrader(makeCase(wire: "request(GET /gone)")).grade(script.entries)
        #expect(verdict.outcome == .fail)
        let wire = WireTimeline(script.entries, shown: ShownFields().withReplies).lines.map { $0.dropFirst(23) }
        #expect(wire.filter { $0.contains("Content-Type") }.count == 1, "\(wire)")
        #expect(wire.contains("Proctor itself replied 404, 60 bytes") && wire.contains("replied 404, 60 bytes"))
        let evidence = CaseEvidence.ofCommand(script.entries, result: nil)
        let item = try makeCase(wire: "request(GET /gone)")
        let both = Timeline(evidence, verdict: CaseGrader(item, scenario: "a").grade(evidence)).lines
        #expect(both.filter { $0.contains("Content-Type") }.count == 1, "\(both)")
    }

    @Test func `violations and cut bodies are told`() {
        var script = JournalScript()
        let violation = Violation(.bareLF, at: 3)
        let fatal = Violation(.badChunkSize, at: 4)
        script.add(.violation(violation), on: 3)
        script.add(.violation(fatal), on: 3)
        script.add(
            .requestBody(
                RequestBody(kept: [0xFF, 0x0A], byteCount: 9, isComplete: false, trailers: [[0x41], [0x42]])), on: 3)
        #expect(
            WireTimeline(script.entries).lines == [
                "    0.000 ms  c3       violation: \(violation)", "    0.000 ms  c3       refused: \(fatal)",
                #"    0.000 ms  c3       body of 9 bytes, cut short, 2 trailers "\xFF\n""#,
            ])
    }

    @Test func `a reply that begins is one short line`() {
        var script = JournalScript()
        let fields = FieldSection([(Array("Location".utf8), Array("/b".utf8)), (Array("A".utf8), [])])
        script.add(.replyBegun(SentReply(status: 302, fields: fields, headByteCount: 60, content: .empty)), request: 0)
        script.add(.replyBegun(SentReply(status: nil, fields: nil, headByteCount: nil, content: nil)), request: 0)
        #expect(
            WireTimeline(script.entries).lines == [
                "    0.000 ms  c0  r0   reply 302 begins, 2 fields", "    0.000 ms  c0  r0   reply begins",
            ])
    }

    @Test func `chunks are counted, and a 100 is told`() {
        var script = JournalScript()
        script.add(.continueSent, request: 0)
        script.add(
            .requestBody(RequestBody(kept: [0x61], byteCount: 1, isComplete: true, trailers: [], chunks: [1])),
            request: 0)
        script.add(
            .requestBody(RequestBody(kept: [], byteCount: 9, isComplete: false, trailers: [], chunks: [4, 8])),
            request: 1)
        #expect(
            WireTimeline(script.entries).lines == [
                "    0.000 ms  c0  r0   told to continue: 100",
                #"    0.000 ms  c0  r0   body of 1 byte in 1 chunk "a""#,
                "    0.000 ms  c0  r1   body of 9 bytes in 2 chunks, cut short",
            ])
    }

    @Test func `a guard's verdict is a sentence, and each fault has a line below it`() {
        var script = JournalScript()
        let verdicts: [GuardVerdict] = [
            .judging(.challenged), .judging(.challenged, by: "proxy"),
            .judging(.refused, attempt: 1, scheme: "Digest", user: "user", nc: 1, faults: [.wrongURI, .wrongResponse]),
            .judging(.refused, attempt: 2, faults: [.wrongPassword]),
            .judging(.stale, attempt: 3, scheme: "Digest", user: "user", nc: 2),
            .judging(.continued, attempt: 4, scheme: "NTLM"),
            .judging(.admitted, attempt: 4),
            .judging(.admitted, attempt: 5, scheme: "Digest", user: "", nc: 3, remarks: [.skipped]),
            .judging(.gaveUp, attempt: 6, scheme: "Basic", user: "a\u{1B}[2J\u{202E}", faults: [.wrongPassword]),
            .judging(.gaveUp, attempt: 6),
        ]
        for verdict in verdicts { script.add(.guarded(verdict), request: 0) }
        let user = WireText.escaped("a\u{1B}[2J\u{202E}".utf8)
        #expect(
            WireTimeline(script.entries).lines.map { $0.dropFirst(23) } == [
                "guard lab asks for Authorization", "guard proxy asks for Proxy-Authorization",
                #"guard lab refuses Digest credential 1 of "user", nc 1: wrong-uri, wrong-response"#,
                #"  uri is "/b", and the request-target is "/a" (RFC 7616 §3.4.6)"#,
                "  expected response aa, received bb, computed with the wrong uri (RFC 7616 §3.4.1)",
                "guard lab refuses credential 2: wrong-password", #"  the password of "user" is not "x" (RFC 7617 §2)"#,
                #"guard lab gives a fresh nonce: only that of Digest credential 3 of "user", nc 2 is too old"#,
                "guard lab answers NTLM message 4 with its own",
                "guard lab admits the request: its connection was admitted before",
                #"guard lab admits Digest credential 5 of "", nc 3"#,
                "  remark: nc 00000003 follows 00000001 (RFC 7616 §3.4)",
                #"guard lab refuses Basic credential 6 of "\#(user)" and asks no more: wrong-password"#,
                #"  the password of "user" is not "x" (RFC 7617 §2)"#, "guard lab asks no more",
            ])
        #expect(!WireTimeline(script.entries).description.unicodeScalars.contains { $0.value == 0x1B })
    }

    @Test func `a handshake is told in lines for a person, and names of the peer are escaped`() throws {
        var script = JournalScript.opened()
        script.hello(0, serverName: "a\u{1B}[2J")
        script.secure(0, client: "alice")
        script.secure(0, resumed: true)
        script.fail(0, alert: 48, "unknown_ca")
        script.add(.alert(AlertNote(by: .server, isFatal: false, number: 0, name: "close_notify")))
        #expect(
            WireTimeline(script.entries).lines.dropFirst() == [
                #"    0.000 ms  c0       ClientHello for a?[2J: TLS 1.3 1.2, 2 cipher suites, http/1.1"#,
                "    0.000 ms  c0       secured by TLS 1.3, TLS_AES_128_GCM_SHA256, x25519, http/1.1, certificate valid, client "
                    + "alice",
                "    0.000 ms  c0       secured by TLS 1.3, TLS_AES_128_GCM_SHA256, x25519, http/1.1, resumed",
                "    0.000 ms  c0       alert 48 (unknown_ca) from the client, fatal",
                "    0.000 ms  c0       handshake failed (certificate): the client sent alert 48 (unknown_ca)",
                "    0.000 ms  c0       alert 0 (close_notify) sent",
            ])
        let many = ClientHelloNote(
            versions: (0..<20).map { "0x\($0)" }, cipherSuites: ["x"], serverName: nil, applicationProtocols: [],
            extensions: [], groups: [], byteCount: 9)
        #expect(
            WireTimeline.text(of: .clientHello(many))
                == "ClientHello: TLS 0x0 0x1 0x2 0x3 0x4 0x5 0x6 0x7 and 12 more, 1 cipher suite")
    }

    @Test func `a journal that comes in pieces has one clock and the lines of a whole one`() throws {
        var script = JournalScript.opened()
        script.wait(milliseconds: 7)
        try script.request("GET /a")
        script.skip(1)
        script.close()
        let whole = WireTimeline(script.entries).lines
        for cut in script.entries.indices.dropFirst() {
            let (first, second) = (Array(script.entries[..<cut]), Array(script.entries[cut...]))
            let pieces =
                WireTimeline(first).lines
                + WireTimeline(second, start: first.first?.nanoseconds, after: first.last).lines
            #expect(pieces == whole)
        }
        #expect(whole.contains("… 1 entry missing"))
    }

    @Test func `an empty journal has no lines`() { #expect(WireTimeline([]).lines.isEmpty) }
}
