import ProctorBase
import ProctorHTTP
import ProctorJournal
import ProctorScenario
import Testing

@testable import ProctorGrading

/// The sentence with which every failing verdict begins.
struct FirstSentenceTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let wire: String
        let sentence: String
        let journal: @Sendable (inout JournalScript) throws -> Void
    }

    static let rows: [Row] = [
        Row(
            testDescription: "wrong method", wire: "request(POST /form) request(GET /done)",
            sentence: "the second request was POST /done; wanted GET /done, by RFC 9110 §15.4.4"
        ) { journal in
            journal.open()
            try journal.request("POST /form")
            try journal.request("POST /done")
            journal.add(.missed(Miss(nearestExchange: 1, differences: ["method: wanted GET, got POST"])), request: 1)
        },
        Row(
            testDescription: "wrong target", wire: "request(GET /a)",
            sentence: "the first request was GET /b; wanted GET /a, by RFC 9110 §15.4.4"
        ) { journal in
            journal.open()
            try journal.request("GET /b")
        },
        Row(
            testDescription: "404 by a typo", wire: "request(GET /login)",
            sentence: "the first request was GET /logn; wanted GET /login, by RFC 9110 §15.4.4"
        ) { journal in
            journal.open()
            try journal.request("GET /logn")
            journal.add(
                .missed(Miss(nearestExchange: 0, differences: ["target: wanted /login, got /logn"])), request: 0)
            journal.add(.replySent(status: 404, byteCount: 395), request: 0)
        },
        Row(
            testDescription: "missing field", wire: "request(GET /a)",
            sentence: "the first request, GET /a, had no header Accept; wanted \"text/*\", by RFC 9110 §15.4.4"
        ) { journal in
            journal.open()
            try journal.request("GET /a")
            let differences = ["header Accept: wanted \"text/*\", got none"]
            journal.add(.missed(Miss(nearestExchange: 0, differences: differences)), request: 0)
        },
        Row(
            testDescription: "extra request", wire: "request(GET /a)",
            sentence: "the second request was GET /a; wanted no more requests, by RFC 9110 §15.4.4"
        ) { journal in
            journal.open()
            try journal.request("GET /a")
            try journal.request("GET /a")
        },
        Row(
            testDescription: "a request that never came", wire: "request(GET /a) request(GET /b)",
            sentence: "the second request never came; wanted GET /b, by RFC 9110 §15.4.4"
        ) { journal in
            journal.open()
            try journal.request("GET /a")
        },
        Row(
            testDescription: "no connection", wire: "request(GET /a)",
            sentence: "the client made no connection to 127.1.2.3:4567"
        ) { _ in },
        Row(
            testDescription: "a connection without a request", wire: "request(GET /a)",
            sentence: "the client opened a connection and sent no request; wanted GET /a, by RFC 9110 §15.4.4"
        ) { journal in
            journal.open()
            journal.close()
        },
        Row(
            testDescription: "an authority that is not trusted", wire: "request(GET /a)",
            sentence: "the client ended the TLS handshake with the alert unknown_ca; wanted GET /a, by RFC 9110 §15.4.4"
        ) { journal in
            journal.open()
            let hello = ClientHelloNote(
                versions: ["1.3"], cipherSuites: [], serverName: nil, applicationProtocols: [], extensions: [],
                groups: [],
                byteCount: 200)
            journal.add(.clientHello(hello))
            journal.add(.alert(AlertNote(by: .client, isFatal: true, number: 48, name: "unknown_ca")))
            journal.add(.handshakeFailed(moment: "finished", reason: "the client sent alert 48 (unknown_ca)"))
        },
        Row(
            testDescription: "another body", wire: "request(POST /a)",
            sentence: "the first request, POST /a, had the body \"y\"; wanted \"x\", by RFC 9110 §15.4.4"
        ) { journal in
            journal.open()
            try journal.request("POST /a")
            let differences = ["body: wanted \"x\", got \"y\""]
            journal.add(.missed(Miss(nearestExchange: 0, differences: differences)), request: 0)
        },
        Row(
            testDescription: "a cookie that is not sent back", wire: "request(GET /a) request(GET /b)",
            sentence:
                "the second request, GET /b, had no Cookie field; wanted Cookie: id=1, by RFC 6265 §5.4"
        ) { journal in
            journal.open()
            try journal.request("GET /a")
            try journal.request("GET /b")
            let missing = CookieDifference(.missing, [], sentence: "the cookie id is missing", section: "RFC 6265 §5.4")
            journal.add(
                .cookiesJudged(
                    CookieVerdict(sent: [], expected: Array("id=1".utf8), conformsTo: [], differences: [missing])),
                request: 1)
            let differences = ["header Cookie: wanted \"id=1\", got none"]
            journal.add(.missed(Miss(nearestExchange: 1, differences: differences)), request: 1)
        },
        Row(
            testDescription: "an exchange that is used up", wire: "request(GET /a)",
            sentence:
                "the second request was GET /a again: it was already used once, which is all it has, by RFC 9110 §15.4.4"
        ) { journal in
            journal.open()
            try journal.request("GET /a")
            try journal.request("GET /a")
            let differences = ["turns: it was already used once, which is all it has"]
            journal.add(.missed(Miss(nearestExchange: 0, differences: differences)), request: 1)
        },
    ]

    @Test(arguments: rows)
    func `the verdict on a typical failure begins with what the client did and what was wanted`(row: Row) throws {
        var journal = JournalScript()
        try row.journal(&journal)
        let item = try makeCase(spec: ["RFC 9110 §15.4.4"], wire: row.wire)
        let context = TemplateContext(base: Array("http://127.1.2.3:4567".utf8), authorities: [])
        let evidence = CaseEvidence.ofCommand(journal.entries, result: nil)
        let verdict = CaseGrader(item, scenario: "a", context: context).grade(evidence)
        #expect(verdict.sentence == row.sentence)
        #expect(verdict.description.hasPrefix(row.sentence + "\n"), "\(verdict)")
        let wire = WireGrader(item, context: context).grade(journal.entries)
        #expect(wire.description.hasPrefix("fail: \(row.sentence)\n"), "\(wire)")
        let record = CaseRecord(verdict)
        #expect(record.reason == row.sentence)
        #expect(record.lines.first == row.sentence)
        let report = ExamRecord(header: ExamHeader(client: "c", platform: "p", proctor: ""), cases: [record])
        let message = XMLText.attribute(row.sentence)
        #expect(JUnitText.of([report], name: "c").contains("<failure type=\"fail\" message=\"\(message)\">"))
        #expect(!wire.text(details: false).contains("request("), "words alone: \(wire.text(details: false))")
    }

    @Test func `a client that leaves a reply is told with the request`() throws {
        var journal = JournalScript()
        journal.open()
        try journal.request("GET /slow")
        journal.add(.replyAborted(sentByteCount: 0, reason: "the client left"), request: 0)
        journal.close(by: .client, .reset)
        #expect(
            ClientDeparture.sentence(in: journal.entries)
                == "the client reset the connection before the reply to the first request, GET /slow, was whole")
        var whole = JournalScript()
        whole.open()
        try whole.request("GET /slow")
        whole.add(.replySent(status: 200, byteCount: 2), request: 0)
        whole.close()
        #expect(ClientDeparture.sentence(in: whole.entries) == nil)
    }

    @Test func `callbacks in another order are told in words`() throws {
        let item = try makeCase(lanes: ["task": "redirect(302) response(200) data* complete(ok)"])
        let verdict = try grade(item, "resume response(200) complete(ok)")
        #expect(
            verdict.sentence
                == "callback 1 of task was the response with status 200; wanted a redirect with status 302")
    }
}
