import ProctorBase
import ProctorHTTP
import ProctorJournal
import ProctorReport
import ProctorScenario
import Testing

@testable import ProctorGrading

/// The sentence with which every failing verdict begins.
struct FirstSentenceTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let wire: String
        let sentence: String
        /// Requests of one connection, or nil for none.
        let requests: [String]?
        /// What the nearest exchange wants of the last request, which has none; and its number.
        let miss: (differences: [String], nearest: Int)?
        let rest: @Sendable (inout JournalScript) -> Void

        init(
            _ testDescription: String, wire: String = "request(GET /a)", _ requests: [String]?,
            misses differences: String..., nearest: Int = 0, sentence: String,
            by section: String? = "RFC 9110 §15.4.4",
            _ rest: @escaping @Sendable (inout JournalScript) -> Void = { _ in }
        ) {
            self.testDescription = testDescription
            self.wire = wire
            self.sentence = sentence + (section.map { ", by \($0)" } ?? "")
            self.requests = requests
            miss = differences.isEmpty ? nil : (differences, nearest)
            self.rest = rest
        }

        func journal() throws -> [JournalEntry] {
            var journal = JournalScript()
            if requests != nil { journal.open() }
            for request in requests ?? [] { try journal.request(request) }
            rest(&journal)
            if let miss, let requests {
                journal.add(
                    .missed(Miss(nearestExchange: miss.nearest, differences: miss.differences)),
                    request: requests.count - 1)
                journal.add(.replySent(status: 404, byteCount: 395), request: requests.count - 1)
            }
            return journal.entries
        }
    }

    static let rows: [Row] = [
        Row(
            "wrong method", wire: "request(POST /form) request(GET /done)", ["POST /form", "POST /done"],
            misses: "method: wanted GET, got POST", nearest: 1,
            sentence: "the second request was POST /done; wanted GET /done"),
        Row("wrong target", ["GET /b"], sentence: "the first request was GET /b; wanted GET /a"),
        Row(
            "404 by a typo", wire: "request(GET /login)", ["GET /logn"], misses: "target: wanted /login, got /logn",
            sentence: "the first request was GET /logn; wanted GET /login"),
        Row(
            "nothing like it", ["POST /b"], misses: "method: wanted GET, got POST", "target: wanted /a, got /b",
            sentence: "the first request was POST /b, which no exchange answers; the nearest one is GET /a"),
        Row(
            "missing field", ["GET /a"], misses: "header Accept: wanted \"text/*\", got none",
            sentence: "the first request, GET /a, had no header Accept; wanted \"text/*\""),
        Row(
            "extra request", ["GET /a", "GET /a"],
            sentence: "the second request was GET /a; wanted no more requests"),
        Row(
            "a request that never came", wire: "request(GET /a) request(GET /b)", ["GET /a"],
            sentence: "the second request never came; wanted GET /b"),
        Row("no connection", nil, sentence: "the client made no connection to 127.1.2.3:4567", by: nil),
        Row(
            "a connection without a request", [],
            sentence: "the client opened a connection and sent no request; wanted GET /a"
        ) { $0.close() },
        Row(
            "an authority that is not trusted", [],
            sentence: "the client ended the TLS handshake with the alert unknown_ca; wanted GET /a"
        ) { journal in
            let hello = ClientHelloNote(
                versions: ["1.3"], cipherSuites: [], serverName: nil, applicationProtocols: [], extensions: [],
                groups: [], byteCount: 200)
            journal.add(.clientHello(hello))
            journal.add(.alert(AlertNote(by: .client, isFatal: true, number: 48, name: "unknown_ca")))
            journal.add(.handshakeFailed(moment: "finished", reason: "the client sent alert 48 (unknown_ca)"))
        },
        Row(
            "another body", wire: "request(POST /a)", ["POST /a"], misses: "body: wanted \"x\", got \"y\"",
            sentence: "the first request, POST /a, had the body \"y\"; wanted \"x\""),
        Row(
            "a cookie that is not sent back", wire: "request(GET /a) request(GET /b)", ["GET /a", "GET /b"],
            misses: "header Cookie: wanted \"id=1\", got none", nearest: 1,
            sentence: "the second request, GET /b, had no Cookie field; wanted Cookie: id=1", by: "RFC 6265 §5.4"
        ) { journal in
            let missing = CookieDifference(.missing, [], sentence: "the cookie id is missing", section: "RFC 6265 §5.4")
            journal.add(
                .cookiesJudged(
                    CookieVerdict(sent: [], expected: Array("id=1".utf8), conformsTo: [], differences: [missing])),
                request: 1)
        },
        Row(
            "an exchange that is used up", ["GET /a", "GET /a"],
            misses: "turns: it was already used once, which is all it has",
            sentence: "the second request was GET /a again: it was already used once, which is all it has"),
    ]

    @Test(arguments: rows)
    func `the verdict on a typical failure begins with what the client did and what was wanted`(row: Row) throws {
        let journal = try row.journal()
        let item = try makeCase(spec: ["RFC 9110 §15.4.4"], wire: row.wire)
        let context = TemplateContext(base: Array("http://127.1.2.3:4567".utf8), authorities: [])
        let evidence = CaseEvidence.ofCommand(journal, result: nil)
        let verdict = CaseGrader(item, scenario: "a", context: context).grade(evidence)
        #expect(verdict.sentence == row.sentence)
        #expect(verdict.description.hasPrefix(row.sentence + "\n"), "\(verdict)")
        let wire = WireGrader(item, context: context).grade(journal)
        #expect(wire.description.hasPrefix("fail: \(row.sentence)\n"), "\(wire)")
        let record = CaseRecord(verdict)
        #expect(record.reason == row.sentence)
        #expect(record.lines.first == row.sentence)
        let report = ExamRecord(header: ExamHeader(client: "c", platform: "p", proctor: ""), cases: [record])
        let message = XMLText.attribute(row.sentence)
        let junit = JUnitText.report([report], name: "c")
        #expect(junit.contains("<failure type=\"fail\" message=\"\(message)\">\(XMLText.content(row.sentence))\n"))
        let text = verdict.text(around: Timeline(evidence, verdict: verdict), notation: false)
        #expect(text.hasPrefix(row.sentence + "\n\n"))
        // Notation stands behind all words.
        let end = junit.firstRange(of: "in detail:")?.lowerBound ?? junit.endIndex
        for words in [wire.text(details: false), text, String(junit[..<end])] {
            #expect(!words.contains("request("), "words alone: \(words)")
        }
    }

    @Test func `a client that leaves a reply is told with the request`() throws {
        var journal = try JournalScript.opened("GET /slow")
        journal.add(.replyAborted(sentByteCount: 0, reason: "the client left"), request: 0)
        journal.close(by: .client, .reset)
        #expect(
            ClientDeparture.sentence(in: journal.entries)
                == "the client reset the connection before the reply to the first request, GET /slow, was whole")
        var whole = try JournalScript.opened("GET /slow")
        whole.add(.replySent(status: 200, byteCount: 2), request: 0)
        whole.close()
        #expect(ClientDeparture.sentence(in: whole.entries) == nil)
    }
}
