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
}

/// Facts about a request's content: framing, chunks, trailers, forms and parts.
struct WireContentTests {
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
}
