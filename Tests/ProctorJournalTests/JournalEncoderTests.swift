import Foundation
import ProctorBase
import ProctorHTTP
import Testing

@testable import ProctorJournal

/// Lines of a journal file, as text and as another JSON reader sees them.
struct JournalEncoderTests {
    /// The head and the violations that a reader makes of these bytes.
    static func head(_ bytes: [UInt8]) throws -> RequestHead {
        var reader = RequestReader()
        var offset = 0
        guard case .head(let head) = reader.next(bytes.span, at: &offset) else { throw Unreadable() }
        return head
    }

    struct Unreadable: Error {}

    static func line(_ event: JournalEvent, request: Int? = nil, encoder: JournalEncoder = JournalEncoder()) -> String {
        let entry = JournalEntry(sequence: 7, nanoseconds: 81_230, connection: 2, request: request, event: event)
        return String(decoding: encoder.lines([entry]), as: UTF8.self)
    }

    static func decoded(_ line: String) throws -> NSDictionary {
        #expect(line.hasSuffix("}\n"))
        #expect(line.utf8.filter { $0 == 0x0A }.count == 1)
        return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSDictionary)
    }

    @Test func `the first line names the format and its version`() {
        var json = JSONText()
        json.lineEnd()
        JournalEncoder.appendHeader(to: &json)
        #expect(
            String(decoding: json.bytes, as: UTF8.self)
                == "\n{\"journal\":\"proctor\",\"version\":2,\"clock\":\"monotonic\",\"unit\":\"ns\"}\n")
    }

    @Test func `every event has its golden line`() throws {
        let head = try Self.head(Array("POST /a?q=1 HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n".utf8))
        let body = RequestBody(kept: Array("a=1".utf8), byteCount: 3, isComplete: true, trailers: [Array("T: 1".utf8)])
        let common = #"{"seq":7,"ns":81230,"connection":2"#
        let rows: [(JournalEvent, String)] = [
            (
                .replyFailed(FailedReply("it needs more")),
                #","ev":"replyFailed","reason":"it needs more"}"#
            ),
            (.runBegun(seed: 1 << 53 - 1), #","ev":"runBegun","seed":9007199254740991}"#),
            (
                .connectionOpened(origin: "main", peer: "127.0.0.1:5000", local: "127.0.0.1:8088"),
                #","ev":"connectionOpened","origin":"main","peer":"127.0.0.1:5000","local":"127.0.0.1:8088"}"#
            ),
            (
                .requestHead(head, target: Array("/a?q=1".utf8)),
                #","ev":"requestHead","method":"POST","target":"/a?q=1","version":"HTTP/1.1","framing":"length","#
                    + #""contentLength":3,"fields":[["Host","x"],["Content-Length","3"]],"#
                    + #""bytes":"POST /a?q=1 HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n"}"#
            ),
            (
                .requestBody(body),
                #","ev":"requestBody","body":"a=1","byteCount":3,"isComplete":true,"trailers":["T: 1"]}"#
            ),
            (
                .requestBody(RequestBody(kept: [], byteCount: 5, isComplete: true, trailers: [], chunks: [2, 3])),
                #","ev":"requestBody","body":"","byteCount":5,"isComplete":true,"trailers":[],"chunks":[2,3]}"#
            ),
            (
                .requestBody(
                    RequestBody(
                        kept: [], byteCount: 5, isComplete: true, trailers: [], chunks: [5],
                        chunkLines: [Array("05;x".utf8), Array("00".utf8)])),
                #","ev":"requestBody","body":"","byteCount":5,"isComplete":true,"trailers":[],"chunks":[5],"#
                    + #""chunkLines":["05;x","00"]}"#
            ),
            (
                .requestBody(RequestBody(kept: [], byteCount: 0, isComplete: false, trailers: [], isWithheld: true)),
                #","ev":"requestBody","body":"","byteCount":0,"isComplete":false,"trailers":[],"isWithheld":true}"#
            ),
            (
                .bytesReceived(ReceivedBytes(.refused, kept: Array("GET\r\n".utf8), byteCount: 70_000)),
                #","ev":"bytesReceived","of":"refused","bytes":"GET\r\n","byteCount":70000}"#
            ),
            (
                .bytesExpected(
                    ExpectedBytes(
                        byteCount: 5, metByteCount: 4, outcome: .differed, wanted: Array("o".utf8), got: [0xFF])),
                #","ev":"bytesExpected","how":"differed","byteCount":5,"metByteCount":4,"wanted":"o","gotBase64":"/w=="}"#
            ), (.continueSent, #","ev":"continueSent"}"#),
            (.exchangeChosen(exchange: 4, turn: 1), #","ev":"exchangeChosen","exchange":4,"turn":1}"#),
            (
                .stateChanged(StateChange(Array("cart".utf8), value: [0xFF], by: .reply)),
                #","ev":"stateChanged","name":"cart","valueBase64":"/w==","by":"reply"}"#
            ),
            (
                .stateChanged(StateChange(Array("cart".utf8), value: nil, by: .call)),
                #","ev":"stateChanged","name":"cart","by":"call"}"#
            ),
            (
                .stateRefused(StateRefusal(Array("left".utf8), reason: "\"x\" is no whole number")),
                #","ev":"stateRefused","name":"left","reason":"\"x\" is no whole number"}"#
            ),
            (
                .missed(Miss(nearestExchange: 0, differences: [#"method: wanted GET, got "PUT""#, "x"])),
                #","ev":"missed","nearestExchange":0,"differences":["method: wanted GET, got \"PUT\"","x"]}"#
            ),
            (
                .guarded(
                    GuardVerdict(
                        guardName: "lab", field: "Authorization", attempt: 2, scheme: "Digest", user: "user",
                        nonceCount: 10, outcome: .refused,
                        faults: [CredentialFault(.wrongURI, #"uri is "/b""#, section: "RFC 7616 §3.4.6")])),
                #","ev":"guarded","guard":"lab","field":"Authorization","attempt":2,"scheme":"Digest","user":"user","#
                    + #""nonceCount":10,"outcome":"refused","faults":[{"kind":"wrong-uri","sentence":"uri is \"/b\"","#
                    + #""section":"RFC 7616 §3.4.6"}],"remarks":[]}"#
            ),
            (
                .guarded(
                    GuardVerdict(
                        guardName: "lab", field: "Authorization", attempt: 0, scheme: nil, user: nil, nonceCount: nil,
                        outcome: .challenged, faults: [])),
                #","ev":"guarded","guard":"lab","field":"Authorization","attempt":0,"outcome":"challenged","faults":[],"#
                    + #""remarks":[]}"#
            ), (.missed(Miss(nearestExchange: nil, differences: [])), #","ev":"missed","differences":[]}"#),
            (
                .effectPlayed(PlayedEffect(action: "wait 50ms", at: "body 4096")),
                #","ev":"effectPlayed","action":"wait 50ms","position":"body 4096"}"#
            ),
            (
                .replyBegun(
                    SentReply(
                        status: 200, fields: FieldSection([(Array("A".utf8), Array("b".utf8)), ([0x43], [0xFF])]),
                        headByteCount: 30, content: SentContent(byteCount: 3, kept: Array("abc".utf8)),
                        codedContent: SentContent(byteCount: 70_000, kept: [0xFF], sha256: "00ff"))),
                #","ev":"replyBegun","status":200,"fields":[["A","b"],["C",{"base64":"/w=="}]],"headByteCount":30,"#
                    + #""content":{"byteCount":3,"body":"abc"},"#
                    + #""codedContent":{"byteCount":70000,"bodyBase64":"/w==","sha256":"00ff"}}"#
            ),
            (
                .replyBegun(SentReply(status: nil, fields: nil, headByteCount: nil, content: nil)),
                #","ev":"replyBegun"}"#
            ),
            (
                .boundReached(ReachedBound(.requests, count: 50)),
                #","ev":"boundReached","of":"requests","count":50,"text":"the client repeats requests without end: 50 "#
                    + #"have come, and no more are answered"}"#
            ),
            (
                .loopHeld(HeldLoop(loop: 1, milliseconds: 1_250, line: "GET /a", work: .script, exchange: 2)),
                #","ev":"loopHeld","loop":1,"milliseconds":1250,"line":"GET /a","work":"script","exchange":2,"#
                    + #""text":"loop 1 is held for 1.2 s by GET /a: the script of exchange 2 runs"}"#
            ), (.replySent(status: 302, byteCount: 90), #","ev":"replySent","status":302,"byteCount":90}"#),
            (.replySent(status: nil, byteCount: 90), #","ev":"replySent","byteCount":90}"#),
            (
                .replyAborted(sentByteCount: 12, reason: "the client reset the connection"),
                #","ev":"replyAborted","sentByteCount":12,"reason":"the client reset the connection"}"#
            ),
            (
                .connectionClosed(by: .server, how: .timedOut),
                #","ev":"connectionClosed","by":"server","how":"timedOut"}"#
            ),
        ]
        for (event, rest) in rows {
            #expect(Self.line(event) == common + rest + "\n")
            #expect(Self.line(event, request: 3) == common + #","request":3"# + rest + "\n")
            #expect(try Self.decoded(Self.line(event))["seq"] as? Int == 7)
        }
    }

    @Test func `a violation has its kind, place, section and sentence`() throws {
        let violation = Violation(.bareLF, at: 16)
        let object = try Self.decoded(Self.line(.violation(violation)))
        #expect(object["ev"] as? String == "violation")
        #expect(object["kind"] as? String == "bare-lf")
        #expect(object["offset"] as? Int == 16)
        #expect(object["isFatal"] as? Bool == violation.isFatal)
        #expect(object["section"] as? String == violation.section)
        #expect(object["sentence"] as? String == violation.sentence)
        #expect(object["status"] == nil)
        let fatal = try Self.decoded(Self.line(.violation(Violation(.badChunkSize, at: 1))))
        #expect(fatal["isFatal"] as? Bool == true)
        #expect(fatal["status"] as? Int == 400)
    }

    @Test func `a journal of several runs names scenario and run`() throws {
        let line = Self.line(
            .exchangeChosen(exchange: 0, turn: 0), encoder: JournalEncoder(scenario: "redirect/302", run: "r\"1"))
        #expect(line.hasPrefix(#"{"seq":7,"ns":81230,"scenario":"redirect/302","run":"r\"1","connection":2,"ev":"#))
        #expect(try Self.decoded(line)["run"] as? String == "r\"1")
    }

    @Test func `every line begins with the keys of its table`() {
        for scenario in [nil, "redirect/\"302\""] {
            for run in [nil, "r1"] {
                for (connection, request) in [(nil, nil), (0, nil), (12, 345)] as [(Int?, Int?)] {
                    for number in [1, 9, 10, 99, 100, 81_230, UInt64.max] {
                        let entry = JournalEntry(
                            sequence: number, nanoseconds: number, connection: connection, request: request,
                            event: .continueSent)
                        var json = JSONText()
                        json.open("{")
                        JournalTable.line.write(
                            JournalLineStart(
                                sequence: number, nanoseconds: number, scenario: scenario, run: run,
                                connection: connection, request: request, event: "continueSent"), to: &json)
                        json.close("}")
                        json.lineEnd()
                        #expect(JournalEncoder(scenario: scenario, run: run).lines([entry]) == json.bytes)
                    }
                }
            }
        }
    }

    @Test func `the entries that are written by hand are those of the table`() throws {
        let heads =
            [
                "GET / HTTP/1.1\r\nHost: x\r\n\r\n", "GET / HTTP/1.0\r\n\r\n",
                "GET /a HTTP/1.1\r\nHost: a.example\r\nX: a\tb\"c\\d\u{7F}é\r\n\r\n",
                "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 70000\r\n\r\n",
                "PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\nX: a\r\n  b\r\nEmpty:\r\n\r\n",
            ].map { Array($0.utf8) } + [
                Array("GET / HTTP/1.1\r\nHost: x\r\nX: ".utf8) + [0xFF] + Array("\r\n\r\n".utf8)
            ]
        for head in try heads.map({ try RequestHead(parsing: $0) }) + HTTP2NoteSamples.heads {
            for target in [head.target, [0xFF, 0x20], Array("/\"é\"".utf8), []] {
                #expect(
                    Self.line(.requestHead(head, target: target))
                        == Self.line(JournalTable.requestHead, (head, target)))
            }
        }
        for number in [0, 9, 10, 12_345] {
            #expect(
                Self.line(.exchangeChosen(exchange: number, turn: number + 1))
                    == Self.line(JournalTable.exchangeChosen, (number, number + 1)))
            for status in [nil, 200] {
                #expect(
                    Self.line(.replySent(status: status, byteCount: number))
                        == Self.line(JournalTable.replySent, (status, number)))
            }
        }
        let short = SentContent(byteCount: 3, kept: [0x61, 0xFF, 0x62])
        let long = SentContent(byteCount: 5_000, kept: [UInt8](repeating: 0x61, count: 5_000))
        let fields = FieldSection([(Array("A".utf8), Array("b\"".utf8)), (Array("C".utf8), [])])
        for reply in [
            SentReply(status: nil, fields: nil, headByteCount: nil, content: nil),
            SentReply(status: 200, fields: fields, headByteCount: 64, content: short, codedContent: .empty),
            SentReply(status: 200, fields: fields, headByteCount: 64, content: long),
        ] {
            // From the second line on, short members are copied.
            for _ in 0..<3 { #expect(Self.line(.replyBegun(reply)) == Self.line(JournalTable.replyBegun, reply)) }
        }
    }

    private static func line<Payload>(
        _ shape: JournalShape<Payload, JournalEvent>, _ payload: Payload
    ) -> String {
        var json = JSONText()
        json.open("{")
        JournalTable.line.write(
            JournalLineStart(
                sequence: 7, nanoseconds: 81_230, scenario: nil, run: nil, connection: 2, request: nil,
                event: shape.name), to: &json)
        shape.write(payload, to: &json)
        json.close("}")
        json.lineEnd()
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test func `every byte of a body comes back`() throws {
        let bodies: [[UInt8]] = [
            [], Array(1...127), Array(0...255), Array("grüße 🦆 \u{2028}\u{FEFF}".utf8), [0], [0xC3],
            [0xED, 0xA0, 0x80], [0xFF], [0xFF, 0xFE], [0xFF, 0xFE, 0xFD], Array("\u{1B}[2J\"\\/\r\n\t\u{8}\u{c}".utf8),
        ]
        for body in bodies {
            let event = JournalEvent.requestBody(
                RequestBody(kept: body, byteCount: body.count, isComplete: true, trailers: []))
            let object = try Self.decoded(Self.line(event))
            let isText = String(validating: body, as: UTF8.self) != nil && !body.contains(0)
            if isText {
                #expect((object["body"] as? String).map { Array($0.utf8) } == body)
                #expect(object["bodyBase64"] == nil)
            } else {
                let base64 = try #require(object["bodyBase64"] as? String)
                #expect(base64 == Data(body).base64EncodedString())
                #expect(object["body"] == nil)
            }
        }
    }

    @Test func `a head whose bytes are no text is base64, field by field`() throws {
        let bytes = Array("GET /\u{e9} HTTP/1.1\r\nHost: x\r\nX-A: ".utf8) + [0xFF] + Array("\r\n\r\n".utf8)
        let head = try Self.head(bytes)
        let object = try Self.decoded(Self.line(.requestHead(head, target: [0x2F, 0xE9]), request: 0))
        #expect(object["method"] as? String == "GET")
        #expect(object["targetBase64"] as? String == "L+k=")
        #expect(object["bytesBase64"] as? String == Data(bytes).base64EncodedString())
        let fields = try #require(object["fields"] as? [[Any]])
        #expect(fields.count == 2)
        #expect(fields[0] as? [String] == ["Host", "x"])
        #expect(fields[1][0] as? String == "X-A")
        #expect((fields[1][1] as? [String: String]) == ["base64": "/w=="])
        #expect(object["framing"] as? String == "none")
    }
}
