import ProctorHTTP
import ProctorJournal
import ProctorScenario
import Testing

@testable import ProctorGrading

/// Facts about what was replied, about bytes that are no HTTP, and about bodies that were kept back.
struct WireReplyFactTests {
    private static func reply(_ status: Int?, _ content: SentContent? = nil) -> JournalEvent {
        let fields = FieldSection([(Array("A".utf8), Array("b".utf8)), (Array("a".utf8), Array("c".utf8))])
        return .replyBegun(
            SentReply(
                status: status, fields: status == nil ? nil : fields, headByteCount: status == nil ? nil : 30,
                content: content))
    }

    private static func record() throws -> WireRecord {
        var script = JournalScript.opened()
        let whole = try script.request("GET /a")
        script.add(reply(103, .empty), request: whole)
        script.add(reply(200, SentContent(byteCount: 2, kept: Array("ok".utf8))), request: whole)
        script.add(.replySent(status: 200, byteCount: 32), request: whole)
        let raw = try script.request("GET /b")
        script.add(reply(nil), request: raw)
        let broken = try script.request("GET /c")
        script.add(reply(200, SentContent(byteCount: 2, kept: Array("ok".utf8))), request: broken)
        script.add(.replyAborted(sentByteCount: 31, reason: "the client reset the connection"), request: broken)
        let long = try script.request("GET /d")
        script.add(reply(404, SentContent(byteCount: 90_000, kept: [1, 2])), request: long)
        let cut = try script.request("GET /e")
        script.add(reply(200, SentContent(byteCount: 2, kept: Array("ok".utf8))), request: cut)
        script.add(.effectPlayed(PlayedEffect(action: "close", at: "body 1")), request: cut)
        try script.request("GET /f")
        let switched = try script.request("GET /g")
        script.add(reply(101), request: switched)
        script.add(.bytesReceived(ReceivedBytes(.opaque, kept: Array("pi".utf8), byteCount: 2)), request: switched)
        script.add(.bytesReceived(ReceivedBytes(.opaque, kept: Array("ng".utf8), byteCount: 2)), request: switched)
        let kept = try script.request("PUT /h", fields: ["Host: x", "Content-Length: 5"], body: nil)
        script.add(
            .requestBody(RequestBody(kept: [], byteCount: 0, isComplete: false, trailers: [], isWithheld: true)),
            request: kept)
        return WireRecord(script.entries)
    }

    private func measure(_ fact: FactName.WireFact, of request: Int) throws -> Measurement {
        try Self.record().measure(.wire(index: request, fact)).value
    }

    @Test func `a reply is measured as the client has it`() throws {
        #expect(try measure(.reply(.status), of: 0) == .number(200))
        #expect(try measure(.replyHeader("a"), of: 0) == .list([Array("b".utf8), Array("c".utf8)]))
        #expect(try measure(.replyHeader("none"), of: 0) == .absent)
        #expect(try measure(.reply(.body), of: 0) == Measurement("ok"))
        #expect(try measure(.reply(.bodyLength), of: 3) == .number(90_000))
    }

    @Test func `an unknown value of a reply has a reason`() throws {
        for fact in [FactName.WireFact.reply(.status), .replyHeader("a")] {
            guard case .unknown = try measure(fact, of: 1) else {
                Issue.record("\(fact) of raw bytes")
                continue
            }
        }
        guard case .unknown(let broken) = try measure(.reply(.body), of: 2) else {
            Issue.record("a reply that was broken off has a body")
            return
        }
        #expect(broken == "a reply that was broken off after 31 bytes")
        #expect(try measure(.reply(.body), of: 3) == .notKept("the journal kept 2 of 90000 bytes of it"))
        guard case .notKept = try measure(.reply(.body), of: 4) else {
            Issue.record("a reply that was cut has a body")
            return
        }
        #expect(try measure(.reply(.status), of: 5) == .absent)
    }

    @Test func `bytes that are no HTTP, and bodies that were kept back, are measured`() throws {
        #expect(try measure(.opaque, of: 6) == Measurement("ping"))
        #expect(try measure(.opaqueLength, of: 6) == .number(4))
        #expect(try measure(.opaque, of: 0) == .absent)
        #expect(try measure(.withheld, of: 7) == Measurement("true"))
        #expect(try measure(.withheld, of: 0) == Measurement("false"))
    }

    @Test func `content that came behind the reply was not kept back`() throws {
        var script = JournalScript.opened()
        let number = try script.request("PUT /", fields: ["Host: x", "Content-Length: 5"], body: nil)
        script.add(
            .requestBody(RequestBody(kept: [], byteCount: 0, isComplete: false, trailers: [], isWithheld: true)),
            request: number)
        script.add(.bytesReceived(ReceivedBytes(.late, kept: Array("hello".utf8), byteCount: 5)))
        #expect(WireRecord(script.entries).measure(.wire(index: 0, .withheld)).value == Measurement("false"))
    }

    @Test func `the spelling of chunks is a list, where all of it was kept`() throws {
        let rows: [([[UInt8]], Measurement)] = [
            ([Array("05;a=b".utf8), Array("00".utf8)], Measurement.list([Array("05;a=b".utf8), Array("00".utf8)])),
            ([Array("05;a=b".utf8)], .notKept("the journal kept 1 line of chunks only")),
        ]
        for (lines, wanted) in rows {
            var script = JournalScript.opened()
            let number = try script.request("PUT /", fields: ["Host: x", "Transfer-Encoding: chunked"], body: nil)
            script.add(
                .requestBody(
                    RequestBody(
                        kept: Array("hello".utf8), byteCount: 5, isComplete: true, trailers: [], chunks: [5],
                        chunkLines: lines)), request: number)
            #expect(WireRecord(script.entries).measure(.wire(index: 0, .chunkLines)).value == wanted)
        }
    }

    @Test func `bytes that a script expected and did not get are a failure`() throws {
        var script = JournalScript.opened()
        let number = try script.request("GET /g")
        script.add(
            .bytesExpected(
                ExpectedBytes(
                    byteCount: 4, metByteCount: 1, outcome: .differed, wanted: Array("ing".utf8), got: Array("ong".utf8)
                )), request: number)
        script.close()
        let verdict = WireGrader(try makeCase(wire: "request(GET /g)")).grade(script.entries)
        #expect(verdict.outcome == .fail)
        #expect(
            verdict.failures.map(\.sentence) == [
                #"request 0, GET /g: behind the reply wanted "ing" behind the first 1, got "ong""#
            ])
    }

    @Test(arguments: [
        ("wire request[1] after wire replied[0]", true), ("wire request[1] after wire replied(200)", true),
        ("wire request[1] after wire replied[1]", false), ("wire request[1] after wire replied(404)", false),
        ("wire replied(404) after wire request[1]", true), ("wire request[2] after wire replied(500)", true),
    ]) func `an edge may speak of replies`(edge: String, holds: Bool) throws {
        var script = JournalScript.opened()
        let first = try script.request("GET /a")
        script.wait(milliseconds: 1)
        script.add(Self.reply(200, .empty), request: first)
        script.wait(milliseconds: 1)
        let second = try script.request("GET /b")
        script.wait(milliseconds: 1)
        script.add(Self.reply(404, .empty), request: second)
        script.close()
        let verdict = WireGrader(try makeCase(edges: [edge])).grade(script.entries)
        #expect((verdict.outcome == .fail) == !holds, "\(verdict)")
    }

    @Test(arguments: [
        ("wire replied[1] after wire closed[0]", true), ("wire replied(404) after wire closed(client)", true),
        ("wire replied[0] after wire closed(client)", false), ("wire replied[1] after wire closed(server)", false),
        ("wire replied[1] after wire closed[1]", false),
    ]) func `an edge may speak of the end of a connection`(edge: String, holds: Bool) throws {
        var script = JournalScript.opened()
        let first = try script.request("GET /a")
        script.add(Self.reply(200, .empty), request: first)
        script.wait(milliseconds: 1)
        script.close()
        script.wait(milliseconds: 1)
        script.open(1)
        let second = try script.request("GET /b", on: 1)
        script.wait(milliseconds: 1)
        script.add(Self.reply(404, .empty), on: 1, request: second)
        let verdict = WireGrader(try makeCase(edges: [edge])).grade(script.entries)
        #expect((verdict.outcome == .fail) == !holds, "\(verdict)")
    }
}

/// Facts about a request's content: framing, chunks, trailers, forms and parts.
struct WireContentTests {
    static let framingRows = [
        FactRow("wire[0].framing", "none"), FactRow("wire[1].framing", "length"), FactRow("wire[2].framing", "chunked"),
        FactRow("wire[1].framing", "chunked", fails: #"wanted "chunked", got "length""#),
        FactRow("wire[0].chunks", .absent), FactRow("wire[1].chunks", .absent), FactRow("wire[2].chunks", ["3", "5"]),
        FactRow("wire[2].chunks", ["5", "3"], fails: #"wanted ["5", "3"], got ["3", "5"]"#),
        FactRow("wire[2].chunks", .absent, fails: #"wanted nothing, got ["3", "5"]"#), FactRow("wire[3].chunks", []),
        FactRow("wire[3].body", ""),
        FactRow("wire[4].chunks", ["4"], fails: #"wanted ["4"], got the journal kept the sizes of 1 chunk only"#),
        FactRow("wire[5].chunks", ["4", "8"]),
        FactRow("wire[6].chunks", [], fails: "wanted [], got the body was not read"),
    ]

    static let trailerRows = [
        FactRow("wire[2].trailers.x-sum", "a b"), FactRow("wire[2].trailers.X-None", .absent),
        FactRow("wire[2].trailers.X-Twice", ["1", "2"]), FactRow("wire[1].trailers.X-Sum", .absent),
        FactRow("wire[2].trailers.X-Sum", "c", fails: #"wanted "c", got "a b""#),
        FactRow("wire[2].trailers.X-None", "c", fails: #"wanted "c", got nothing"#),
        FactRow(
            "wire[5].trailers.X-Sum", .absent, fails: "wanted nothing, got the body was cut short, before any trailer"),
    ]

    static let formRows = [
        FactRow("wire[1].form.name", "J. Ü+"), FactRow("wire[1].form.tag", ["a", "b"]),
        FactRow("wire[1].form.ключ", ""), FactRow("wire[1].form.Name", .absent),
        FactRow("wire[1].form.name", "J", fails: #"wanted "J", got "J. Ü+""#),
        FactRow("wire[1].form.none", "J", fails: #"wanted "J", got nothing"#),
        FactRow("wire[2].form.name", .absent, fails: "wanted nothing, got a body without a Content-Type"),
        FactRow("wire[7].form.name", .absent, fails: #"wanted nothing, got a body of type "text/plain""#),
        FactRow("wire[6].form.name", .absent, fails: "wanted nothing, got the body was not read"),
        FactRow("wire[8].form.a", "1", fails: #"wanted "1", got the journal kept 4 of 9 bytes of the body"#),
        FactRow("wire[9].form.a", "1", fails: #"wanted "1", got a body that was cut short after 3 bytes"#),
    ]

    static let partRows = [
        FactRow("wire[10].parts", "2"), FactRow("wire[10].parts", .range(minimum: 2, maximum: nil)),
        FactRow("wire[10].parts[0].name", "note"), FactRow("wire[10].parts[0].filename", .absent),
        FactRow("wire[10].parts[0].type", .absent), FactRow("wire[10].parts[0].body", "hello"),
        FactRow("wire[10].parts[1].filename", "../ä.txt"),
        FactRow("wire[10].parts[1].type", "text/plain; charset=utf-8"), FactRow("wire[10].parts[1].body", ""),
        FactRow("wire[10].parts[2].name", .absent), FactRow("wire[10].parts", "3", fails: "wanted 3, got 2"),
        FactRow("wire[1].parts", "2", fails: #"wanted "2", got a body of type "application/x-www-form-urlencoded""#),
        FactRow(
            "wire[11].parts[0].name", .absent,
            fails: "wanted nothing, got a form that can't be read: the form ends without its closing boundary; "
                + #"write "--", the boundary and "--" last"#),
    ]

    /// The requests in the order in which the rows number them.
    static func journal() throws -> [JournalEntry] {
        let form = "Content-Type: application/x-www-form-urlencoded"
        let multipart = "Content-Type: multipart/form-data; boundary=b"
        let note = "--b\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nhello\r\n"
        let file =
            "--b\r\nContent-Disposition: form-data; name=f; filename=\"../ä.txt\"\r\n"
            + "Content-Type: text/plain; charset=utf-8\r\n\r\n\r\n"
        var script = JournalScript.opened()
        try script.request("GET /", body: nil)
        try script.request(
            "POST /1", fields: ["Host: x", "Content-Length: 9", form],
            body: "tag=a&name=J.+%C3%9C%2B&tag=b&%D0%BA%D0%BB%D1%8E%D1%87")
        try script.chunkedRequest(
            "PUT /2", body: "abcdefgh", chunks: [3, 5], trailers: ["X-Twice: 1", "X-Sum:  a\r\n  b ", "x-twice:2"])
        try script.chunkedRequest("PUT /3", body: "", chunks: [])
        try script.chunkedRequest("PUT /4", body: "abcdefgh", chunks: [4])
        try script.chunkedRequest("PUT /5", body: "abcdef", chunks: [4, 8], isComplete: false)
        try script.request("PUT /6", fields: ["Host: x", "Transfer-Encoding: chunked", form], body: nil)
        try script.request("POST /7", fields: ["Host: x", "Content-Type: text/plain"], body: "a=1")
        try script.request("POST /8", fields: ["Host: x", form], body: "a=1&b=345", kept: 4)
        try script.chunkedRequest("POST /9", fields: [form], body: "a=1", chunks: [9], isComplete: false)
        try script.request("POST /10", fields: ["Host: x", multipart], body: note + file + "--b--\r\n")
        try script.request("POST /11", fields: ["Host: x", multipart], body: note)
        return script.entries
    }

    @Test(arguments: framingRows + trailerRows + formRows + partRows)
    func `a fact about content is measured from the journal`(row: FactRow) throws { try row.check(try Self.journal()) }
}
