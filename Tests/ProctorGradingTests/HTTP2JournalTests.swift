import ProctorBase
import ProctorFixtures
import ProctorHTTP
import ProctorJournal
import ProctorScenario
import Testing

@testable import ProctorGrading

/// What a journal of HTTP/2 comes to: lines, verdicts, facts, records and drafts.
struct HTTP2JournalTests {
    private static func violation(
        _ kind: String = "wrong-length", section: String = "RFC 9113 §6.4", on stream: UInt32 = 0,
        scope: FrameViolationNote.Scope = .connection, isReadOver: Bool = false
    ) -> JournalEvent {
        .frameViolation(
            FrameViolationNote(
                kind, section: section, sentence: "it is wrong", at: 24, stream: stream, frame: "RST_STREAM",
                scope: scope, code: scope == .none ? nil : "FRAME_SIZE_ERROR", isReadOver: isReadOver))
    }

    private static func head(_ path: String = "/a", on stream: UInt32 = 1) -> RequestHead {
        RequestHead(
            RequestHead.ControlData(
                method: Array("GET".utf8), path: Array(path.utf8), authority: Array("a.example".utf8),
                endsStream: true, contentLength: nil, stream: stream), fields: [])
    }

    private static func script(streams: [UInt32] = [1]) -> JournalScript {
        var script = JournalScript.opened()
        for (request, stream) in streams.enumerated() {
            script.add(.requestHead(head(on: stream), target: Array("/a".utf8)), request: request)
        }
        return script
    }

    // MARK: Lines

    @Test func `a frame is one line`() {
        let rows: [(FrameNote, String)] = [
            (
                FrameNote(
                    by: .client, type: "HEADERS", flags: ["END_STREAM", "END_HEADERS"], stream: 1, byteCount: 32,
                    offset: 24, padding: 1, detail: .priority(dependsOn: 3, isExclusive: true, weight: 16)),
                "HEADERS from the client, stream 1: END_STREAM END_HEADERS, 32 bytes, 1 byte of padding, depends on "
                    + "stream 3 alone, weight 16"
            ),
            (
                FrameNote(
                    by: .server, type: "SETTINGS", byteCount: 6, offset: 0,
                    detail: .settings([SettingNote("ENABLE_PUSH", 0)])), "SETTINGS sent: 6 bytes, ENABLE_PUSH=0"
            ),
            (
                FrameNote(by: .server, type: "SETTINGS", byteCount: 0, offset: 0, detail: .settings([])),
                "SETTINGS sent: 0 bytes, no settings"
            ),
            (
                FrameNote(by: .client, type: "RST_STREAM", stream: 3, byteCount: 4, offset: 9, detail: .code("CANCEL")),
                "RST_STREAM from the client, stream 3: 4 bytes, CANCEL"
            ),
            (
                FrameNote(
                    by: .server, type: "GOAWAY", byteCount: 9, offset: 9,
                    detail: .goAway(lastStream: 5, code: "NO_ERROR", debug: [0x1B])),
                #"GOAWAY sent: 9 bytes, NO_ERROR, last stream 5, "\x1B""#
            ),
            (
                FrameNote(
                    by: .client, type: "PING", flags: ["ACK"], byteCount: 8, offset: 9, detail: .opaque([1, 0xFF])),
                "PING from the client: ACK, 8 bytes, 01ff"
            ),
            (
                FrameNote(by: .server, type: "PING", byteCount: 8, offset: 9, count: 30),
                "30 times PING sent: 8 bytes"
            ),
            (
                FrameNote(
                    by: .client, type: "WINDOW_UPDATE", stream: 1, byteCount: 4, offset: 9, detail: .increment(9)),
                "WINDOW_UPDATE from the client, stream 1: 4 bytes, +9"
            ),
            (
                FrameNote(by: .server, type: "PUSH_PROMISE", stream: 1, byteCount: 9, offset: 9, detail: .promised(2)),
                "PUSH_PROMISE sent, stream 1: 9 bytes, promises stream 2"
            ),
            (
                FrameNote(
                    by: .client, type: "PRIORITY_UPDATE", byteCount: 7, offset: 9,
                    detail: .priorityUpdate(stream: 1, value: Array("u=1".utf8))),
                #"PRIORITY_UPDATE from the client: 7 bytes, stream 1 has "u=1""#
            ),
        ]
        for (frame, text) in rows { #expect(WireTimeline.text(of: .frame(frame)) == text) }
    }

    @Test func `a block is one line, and its record has every item`() {
        let block = FieldBlockNote(
            by: .client, stream: 1, kind: .request, frameCount: 2, byteCount: 20, itemCount: 5,
            items: [
                .tableSize(0),
                .field(FieldBlockNote.Field(Array(":method".utf8), Array("GET".utf8), .indexed, index: 2)),
                .field(
                    FieldBlockNote.Field(
                        Array(":path".utf8), Array("/a".utf8), .withoutIndexing, index: 4, isValueHuffman: true)),
                .field(
                    FieldBlockNote.Field(
                        Array("x".utf8), [0xFF], .neverIndexed, isNameHuffman: true, isValueHuffman: true)),
            ])
        #expect(
            WireTimeline.text(of: .fieldBlock(block))
                == "request block from the client, stream 1: 3 fields in 2 frames, 20 bytes, 1 indexed, "
                + "1 without-indexing, 1 never-indexed, and 1 more")
        #expect(
            WireTimeline.wholeDetails(of: .fieldBlock(block)) == [
                "the table has 0 bytes from here on", ":method: GET  (indexed 2)",
                ":path: /a  (without-indexing name 4, value in Huffman code)",
                #"x: \xFF  (never-indexed, name and value in Huffman code)"#, "… 1 item more",
            ])
    }

    @Test func `a violation says what answers it`() {
        let end = "wrong-length at byte 24: it is wrong (RFC 9113 §6.4)"
        #expect(WireTimeline.text(of: Self.violation()) == "refused: \(end), answered by GOAWAY FRAME_SIZE_ERROR")
        #expect(
            WireTimeline.text(of: Self.violation(scope: .stream))
                == "refused: \(end), answered by RST_STREAM FRAME_SIZE_ERROR")
        #expect(WireTimeline.text(of: Self.violation(scope: .none)) == "violation: \(end)")
        #expect(WireTimeline.text(of: Self.violation(isReadOver: true)) == "violation: \(end)")
    }

    @Test func `a request says its version and its stream`() throws {
        #expect(
            WireTimeline(Self.script(streams: [3]).entries).lines.last
                == "    0.000 ms  c0  r0   GET /a HTTP/2, stream 3, 1 field")
        let grader = WireGrader(
            try makeCase(wire: "request(GET /a)", facts: [("wire[0].version", "HTTP/2")]))
        #expect(grader.grade(Self.script().entries).outcome == .pass)
    }

    // MARK: Verdicts

    @Test func `the section and the cause are those of the violation`() throws {
        var script = Self.script()
        script.add(Self.violation())
        let finding = try #require(WireGrader(try makeCase()).grade(script.entries).findings.first)
        #expect(finding.sections == ["RFC 9113 §6.4"])
        #expect(FailureCause(finding, sections: ["x"]).key == "violation wrong-length")
        #expect(finding.subject.word == "violation")
    }

    // MARK: Timelines and drafts

    @Test func `a record's events have their stream`() throws {
        var script = Self.script(streams: [1, 3])
        script.add(.exchangeChosen(exchange: 0, turn: 0), request: 1)
        script.add(.replySent(status: 200, byteCount: 9), request: 1)
        script.add(.frame(FrameNote(by: .server, type: "DATA", stream: 3, byteCount: 9, offset: 0)))
        script.add(.frame(FrameNote(by: .server, type: "DATA", stream: 3, byteCount: 9, offset: 18)))
        script.add(.frame(FrameNote(by: .server, type: "GOAWAY", byteCount: 8, offset: 36)))
        script.add(
            .fieldBlock(
                FieldBlockNote(by: .server, stream: 1, kind: .response, frameCount: 1, byteCount: 1, items: [])))
        script.add(Self.violation(on: 5))
        let evidence = CaseEvidence.ofCommand(script.entries, result: nil)
        let rows = try TimelineRows(evidence, verdict: nil, isForRecord: true, within: WorkBudget()).rows
        #expect(rows.map(\.place.stream) == [nil, 1, 3, 3, 3, nil, 1, 5])
        // Frames of content that are alike are one event.
        #expect(rows.map(\.count) == [1, 1, 1, 1, 2, 1, 1, 1])
        #expect(rows.allSatisfy { $0.place.connection == 0 })
        let plain = try TimelineRows(evidence, verdict: nil, within: WorkBudget()).rows
        #expect(!plain.contains { $0.text.contains("response block") })
        #expect(plain.contains { $0.text.contains("GOAWAY sent") && $0.column == .wire })
    }

    @Test func `a draft speaks HTTP/2 where the requests did`() throws {
        func draft(_ script: JournalScript) throws -> String {
            try #require(
                ScenarioDraft(
                    of: script.entries,
                    from: ScenarioDraft.Source(name: "r1", scenario: nil, base: "http://x", origins: [:])
                ).yaml)
        }
        var script = Self.script()
        let reply = SentReply(
            status: 200, fields: FieldSection([(Array("a".utf8), Array("b".utf8))]), headByteCount: nil,
            content: SentContent(byteCount: 5, kept: Array("hello".utf8)))
        script.add(.replyBegun(reply), request: 0)
        let alone = try draft(script)
        let (scenario, diagnostics) = ScenarioLoader.parse(Array(alone.utf8), id: "a/one", file: "one.yaml")
        #expect(diagnostics.isEmpty && scenario?.origins.first?.protocols == [.h2], "\(diagnostics)")
        #expect(alone.contains("origins:\n  main: { protocols: [h2] }\n"))
        // A stream needs no length, and no end of the connection.
        #expect(!alone.contains("framing"))
        script.add(
            .requestHead(try RequestHead(parsing: Array("GET /b HTTP/1.1\r\nHost: x\r\n\r\n".utf8)), target: [0x2F]),
            request: 1)
        #expect(try draft(script).contains("origins:\n  main: { protocols: [h2, http/1.1] }\n"))
    }
}
