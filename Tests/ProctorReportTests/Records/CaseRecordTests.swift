import Foundation
import ProctorGrading
import ProctorScenario
import Testing

@testable import ProctorReport

/// Records of exams: made of verdicts, written as lines of JSON, read back.
struct CaseRecordTests {
    static func header(_ client: String = "curl") -> ExamHeader {
        var header = ExamHeader(client: client, platform: "neutral", proctor: "0.1.0")
        header.clientName = "curl"
        header.clientVersion = "8.14.1"
        header.adapter = "curl"
        header.adapterVersion = "3"
        header.command = "clients/adapters/curl --x"
        header.ledger = "clients/curl.yaml"
        header.system = "Linux x86_64"
        header.date = "2026-11-22T11:20:06Z"
        header.caseCount = 13
        header.shard = "1/2"
        return header
    }

    /// A record with every field that a record can have.
    static func full() -> CaseRecord {
        var record = CaseRecord(id: CaseID(scenario: "cookie/a b", name: "\u{1}é"), kind: .should, outcome: "fail")
        record.client = "curl"
        record.summary = "A \"summary\""
        record.reason = "because"
        record.cause = "fact wire[].target · RFC 9110 §15.4"
        record.causeSpec = [SpecReference("RFC 9110 §15.4.4")]
        record.upstream = UpstreamReport(
            state: .open, issue: "https://example.org/issues/1", date: "2026-11-25", says: "it is \"meant\"")
        record.size = 3
        record.spec = [SpecReference("RFC 9110 §15.4"), SpecReference("callback rule R12")]
        record.subject = "request, reply"
        record.claims = [ClaimRecord(about: "request", claim: "wire: x", state: "not-judged", reason: "no")]
        record.milliseconds = 12
        record.ownMicroseconds = 900
        record.ending = EndingRecord(how: "crashed")
        record.ending.signal = "SIGILL"
        record.ending.errorLine = "boom"
        record.rules = ["R12"]
        var finding = FindingRecord(about: "fact", weight: "failure", sentence: "wanted a, got b")
        finding.details = ["  in : x"]
        (finding.wanted, finding.got) = ("a", "b")
        finding.rules = ["R12"]
        finding.spec = [SpecReference("RFC 6265 §5.4")]
        (finding.lane, finding.event, finding.entry) = ("task[1]", 3, 7)
        finding.location = "a.yaml:3:5"
        (finding.request, finding.head) = (0, ["GET /a HTTP/1.1", "Host: x"])
        record.findings = [finding]
        record.cookiesBy = ["rfc6265"]
        record.notJudged = ["x: y"]
        record.undecided = ["status"]
        record.untold = ["challenge(serverTrust)"]
        record.ledgerEntry = "c.yaml:1:1"
        record.ledgerReason = "so"
        record.ledgerNotes = ["note"]
        var event = EventRecord(nanoseconds: -5, lane: "wire", text: "GET /a")
        (event.connection, event.request, event.count, event.wanted) = (0, 1, 4, "GET /b")
        event.details = ["Host: x"]
        record.timeline = [event, EventRecord(lane: "note", text: "3 events left out")]
        record.clientError = "cannotConnect: no"
        record.errorLines = ["one", "two"]
        record.curl = "proctor run a --case b -- curl {{base}}"
        record.curlShortfall = "curl can't"
        (record.file, record.line, record.traceLine) = ("fixtures/a.yaml", 7, 2)
        return record
    }

    private func read(_ text: String) throws -> ExamRecordReader {
        var reader = ExamRecordReader()
        try reader.read(Array(text.utf8), file: "f.jsonl")
        return reader
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func `what is written is read back the same`() throws {
        let exam = try #require(try read(text(Self.header().json + Self.full().json())).exams.first)
        #expect(exam.header == Self.header())
        #expect(exam.cases == [Self.full()])
        #expect(exam.cases.first?.family == "cookie")
    }

    @Test func `Docs/use/records.md names every key`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let page = try String(
            contentsOf: root.appendingPathComponent("../../../Docs/use/records.md").standardized, encoding: .utf8)
        var header = Self.header()
        header.absence = "not there"
        var record = Self.full()
        record.ability = "cancel"
        (record.ending.code, record.ending.milliseconds, record.ending.reason) = (1, 2, "x")
        record.findings[0].known = "so"
        var keys: Set<String> = []
        for line in [header.json, record.json()] {
            collect(try JSONSerialization.jsonObject(with: Data(line)), into: &keys)
        }
        #expect(keys.count > 50)
        for key in keys { #expect(page.contains("`\(key)`"), "\(key)") }
    }

    private func collect(_ value: Any, into keys: inout Set<String>) {
        if let list = value as? [Any] { for item in list { collect(item, into: &keys) } }
        guard let members = value as? [String: Any] else { return }
        for (key, value) in members {
            keys.insert(key)
            collect(value, into: &keys)
        }
    }

    @Test func `of two lines about a case the later counts, and a line that is cut off is left out`() throws {
        var again = Self.full()
        again.outcome = "pass"
        let lines = text(Self.header().json + Self.full().json() + again.json())
        let exam = try #require(try read(lines).exams.first)
        #expect(exam.cases.map(\.outcome) == ["pass"])
        let cut = try read(lines + #"{"client":"curl","case":"x"#)
        #expect(cut.isCut && cut.exams.first?.cases.count == 1)
    }

    @Test(arguments: [
        ("{}\n", "f.jsonl:1:1: this is no record of an exam"), ("[1]\n", "f.jsonl:1:1: a record is an object"),
        ("nonsense\n", "f.jsonl:1:1: "),
        (#"{"exam":"proctor","version":9,"client":"c","platform":"p","proctor":"1"}"# + "\n", "version 9"),
        (#"{"exam":"proctor","version":1,"client":"","platform":"p","proctor":"1"}"# + "\n", "'client' is empty"),
        (#"{"case":"a#b","scenario":"a","name":"b","kind":"must","outcome":"pass"}"# + "\n", "before the header"),
        (#"{"case":"a#b","scenario":"a","name":"b","kind":"may","outcome":"pass"}"# + "\n", "not 'may'"),
        (#"{"case":"a#b","scenario":"a","name":"b","kind":"must","outcome":"fine"}"# + "\n", "no outcome 'fine'"),
        (
            #"{"case":"a#b","scenario":"a","name":"b","kind":"must","outcome":"pass","ms":-1}"# + "\n",
            "'ms' is 0 or more"
        ),
        (
            #"{"case":"a#b","scenario":"a","name":"b","kind":"must","outcome":"pass","findings":3}"# + "\n",
            "'findings' is a list"
        ),
    ])
    func `a line that is no record is an error with its place`(line: String, words: String) {
        #expect {
            _ = try read(line)
        } throws: { error in
            "\(error)".contains(words) && "\(error)".hasPrefix("f.jsonl:1:")
        }
    }
}

/// Failures grouped by what they share.
struct ExamCauseTests {
    private func record(
        _ name: String, _ cause: String?, _ outcome: String = "fail", kind: Case.Kind = .must, size: Int? = nil
    ) -> CaseRecord {
        var record = CaseRecord(id: CaseID(scenario: "a/b", name: name), kind: kind, outcome: outcome)
        record.cause = cause
        record.size = size
        return record
    }

    @Test func `the cause of most cases comes first, with its smallest case and what no ledger lists`() {
        let causes = ExamCause.all(of: [
            record("1", "x", size: 4), record("2", "y"), record("3", "y", "hang"), record("4", nil, "pass"),
            record("5", "x", "known", size: 2), record("6", "x", "known", kind: .should, size: 2),
        ])
        #expect(causes.map(\.cause.key) == ["x", "y"])
        #expect(causes.map { $0.cases.map(\.name) } == [["1", "5", "6"], ["2", "3"]])
        #expect(causes.map(\.newCount) == [1, 2] && causes.map(\.example.name) == ["5", "2"])
        #expect(causes.map(\.counts) == ["3 cases (2 must, 1 should), 1 new", "2 cases (2 must)"])
    }

    @Test func `a summary counts failures by their causes, and lists what is reported nowhere`() {
        var nowhere = record("2", "y", "known")
        nowhere.upstream = UpstreamReport(state: .unreported, issue: nil, date: "2026-11-25", says: "so")
        let summary = RecordSummary([
            record("1", "x"), nowhere, record("3", "y", "known"), record("4", "y", "known", kind: .should),
            record("5", nil, "pass"), record("6", nil, "partly"),
        ])
        #expect(summary.failureHeadline == "3 failed musts, 2 causes; 1 failed should, 1 cause")
        #expect(
            summary.causeLines == [
                "  3 failed musts, 2 causes; 1 failed should, 1 cause",
                "  cause   3 cases (2 must, 1 should), known: Y; such as a/b#2",
                "          known and reported nowhere (2026-11-25): so",
                "  cause   1 case (1 must): X; such as a/b#1",
                "  known and reported nowhere: \"y\"",
            ])
        #expect(
            summary.kindLines == [
                "  must: 1 of 5 passed, 1 partly; should: 0 of 1 passed", "  1 new; the ledger lists 3 failures",
            ])
    }
}
