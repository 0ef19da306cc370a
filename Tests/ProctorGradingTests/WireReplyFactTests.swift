import ProctorHTTP
import ProctorScenario
import ProctorTrace
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
        var script = JournalScript()
        script.open()
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
        script.add(.effectPlayed(action: "close", position: "body 1"), request: cut)
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

    @Test func `what can't be told of a reply is said so`() throws {
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
        var script = JournalScript()
        script.open()
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
            var script = JournalScript()
            script.open()
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
        var script = JournalScript()
        script.open()
        let number = try script.request("GET /g")
        script.add(
            .bytesExpected(
                ExpectedBytes(
                    byteCount: 4, metByteCount: 1, outcome: .differed, wanted: Array("ing".utf8), got: Array("ong".utf8)
                )),
            request: number)
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
    ])
    func `an edge may speak of replies`(edge: String, holds: Bool) throws {
        var script = JournalScript()
        script.open()
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
}
