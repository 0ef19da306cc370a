import Foundation
import ProctorReport
import ProctorScenario
import Testing

@testable import ProctorEvents
@testable import ProctorGrading

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Reports over many cases.
struct ExamReportTests {
    static let nasty = "a<b>&\"c'\u{1}\u{1B}]]>\u{FFFE}é"

    /// One verdict of each kind.
    static func verdicts() throws -> [CaseVerdict] {
        let good = "resume response(200) data{n=1} complete(ok)"
        let early = "resume data{n=1} response(200) complete(ok)"
        let id = CaseID(scenario: "plain/\(nasty)", name: "x")
        var passed = try grade(try makeCase(), good)
        passed.milliseconds = 1_250
        return [
            passed, try grade(try makeCase(lanes: ["task": "response(404) complete(ok)"]), good),
            try grade(try makeCase(), "resume", ending: .crashed(signal: "SIGILL", lastErrorLine: nasty)),
            try grade(try makeCase(), "resume", ending: .hung(afterMilliseconds: 9, lastErrorLine: nil)),
            try grade(try makeCase(), early, ledger: try LedgerComparisonTests.ledger("rules: [R25]")),
            try grade(try makeCase(), good, ledger: try LedgerComparisonTests.ledger("rules: [R25]")),
            try grade(try makeCase(kind: .observes, lanes: ["task": "data"]), good),
            try grade(try makeCase(facts: [("mime", "text/plain")]), good),
            try grade(try makeCase(wire: "request(GET /a)", lanes: [:]), "resume", lanes: [.harness]),
            try grade(try makeCase(needs: [.cookieJar]), good, abilities: [.callbacks]),
            try grade(try makeCase(), "unimplemented(proxy)"), CaseVerdict.skipped(id, kind: .must, reason: nasty),
            CaseVerdict.setupFailed(id, kind: .should, reason: nasty),
            CaseVerdict.adapterError(id, kind: .should, AdapterFault(nasty, line: 3)),
        ]
    }

    static func report() throws -> ExamReport {
        ExamReport(
            client: "url<session>", clientVersion: "6.3.1", platform: "corelibs-6.3", verdicts: try verdicts(),
            ledger: try LedgerTests.ledger(
                #"{ client: x, rules: { R40: y }, deviations: { "redirect/*#follow": { because: z }, a#b: { because: c } } }"#
            ))
    }

    @Test func `there is a verdict of each kind`() throws {
        #expect(
            try Self.verdicts().map(\.outcome.word) == [
                "pass", "fail", "crash", "hang", "known", "fixed", "observed", "partly", "not-judged", "lacks",
                "not-in-this-adapter", "skipped", "setup-failed", "adapter-error",
            ])
        #expect(Set(CaseVerdict.Outcome.words) == Set(try Self.verdicts().map(\.outcome.word)))
    }

    @Test func `the summary names what has to be looked at`() throws {
        let report = try Self.report()
        #expect(report.isFailure)
        let lines = report.summary().split(separator: "\n").map(String.init)
        #expect(lines.first == "url<session> 6.3.1 on corelibs-6.3")
        let counts: String =
            "14 cases: 1 pass, 1 fail, 1 hang, 1 crash, 1 known, 1 fixed, 1 observed, 1 partly, 1 not-judged, "
            + "1 lacks, 1 not-in-this-adapter, 1 skipped, 1 setup-failed, 1 adapter-error"
        #expect(lines.last == counts)
        #expect(lines.filter { $0.hasPrefix("  fail ") }.count == 1)
        #expect(lines[1].contains(" callback 1 of task was the response with status 200; wanted "))
        #expect(!lines.contains { $0.hasPrefix("  pass") })
        let controls = report.summary().unicodeScalars.filter {
            $0 != "\n" && $0.properties.generalCategory == .control
        }
        #expect(controls.isEmpty)
        #expect(lines.dropLast().allSatisfy { $0.count <= 120 })
        #expect(report.summary(isComplete: true).split(separator: "\n").count == lines.count + 7)
    }

    @Test func `a listed deviation that no case shows is a fault of the ledger`() throws {
        let report = try Self.report()
        #expect(
            report.ledgerFaults == [
                "clients/curl.yaml:1:23: R40 breaks in no case any more: remove it",
                "clients/curl.yaml:1:47: no case was asked that redirect/*#follow speaks of",
            ])
        let part = ExamReport(
            client: "x", platform: "p", verdicts: [],
            ledger: try LedgerTests.ledger("{ client: x, rules: { R40: y } }"), isWhole: false)
        #expect(part.ledgerFaults.isEmpty && !part.isFailure)
        #expect(part.summary() == "x on p\n0 cases")
    }

    @Test func `JUnit XML is well-formed, and its counts are right`() throws {
        let report = try Self.report()
        let reader = Reader()
        let parser = XMLParser(data: Data(report.junit.utf8))
        parser.delegate = reader
        #expect(parser.parse(), "\(parser.parserError.map { "\($0)" } ?? "")\n\(report.junit)")
        #expect(reader.names.filter { $0 == "testcase" }.count == 16)
        #expect(reader.names.filter { $0 == "failure" }.count == 4)
        #expect(reader.names.filter { $0 == "error" }.count == 5)
        #expect(reader.names.filter { $0 == "skipped" }.count == 5)
        #expect(reader.names.filter { $0 == "system-out" }.count == 2)
        let root = try #require(reader.attributes.first)
        #expect(root == ["name": "url<session> 6.3.1", "tests": "16", "failures": "4", "errors": "5", "skipped": "5"])
        #expect(reader.attributes.contains { $0["time"] == "1.250" })
        #expect(reader.attributes.contains { $0["message"]?.hasPrefix("known: ") == true })
        let causes = reader.attributes.filter { $0["name"] == "cause" }.compactMap { $0["value"] }
        #expect(causes.count == report.verdicts.count { $0.cause != nil } && causes.count > 3)
        let kinds = reader.attributes.filter { $0["name"] == "kind" }.compactMap { $0["value"] }
        #expect(kinds.count == 14 && Set(kinds) == ["must", "should", "observes"])
        // What XML cannot hold is spelled out.
        #expect(reader.attributes.contains { $0["message"] == "a<b>&\"c'\\x1\\x1B]]>\\xFFFEé" })
        #expect(reader.attributes.contains { $0["classname"] == "plain/a<b>&\"c'\\x1\\x1B]]>\\xFFFEé" })
        let suites = reader.attributes.filter { $0["tests"] != nil }.dropFirst()
        let counts: [Int] = suites.compactMap { suite in suite["tests"].flatMap { Int($0) } }
        #expect(counts.reduce(0, +) == 16)
    }

    private final class Reader: NSObject, XMLParserDelegate {
        var names: [String] = []
        var attributes: [[String: String]] = []

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            names.append(name)
            self.attributes.append(attributes)
        }
    }

    @Test func `each verdict is one JSON object on one line`() throws {
        let lines = try Self.report().jsonLines.split(separator: 0x0A)
        #expect(lines.count == 14)
        let objects = try lines.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
        }
        #expect(objects.compactMap { $0["outcome"] as? String } == (try Self.verdicts().map(\.outcome.word)))
        #expect(objects[0]["ms"] as? Int == 1_250)
        #expect(objects[12]["reason"] as? String == Self.nasty)
        #expect(objects[13]["traceLine"] as? Int == 3)
        let failure = try #require((objects[1]["findings"] as? [[String: Any]])?.first)
        #expect(failure["about"] as? String == "expression")
        #expect(failure["weight"] as? String == "failure")
        #expect(failure["lane"] as? String == "task")
        #expect(failure["event"] as? Int == 2)
        #expect(failure["location"] as? String == "a.yaml:3:5")
        let crash = try #require(objects[2]["ending"] as? [String: Any])
        #expect(crash["how"] as? String == "crashed")
        #expect(crash["signal"] as? String == "SIGILL")
        #expect(crash["stderr"] as? String == Self.nasty)
        #expect((objects[3]["ending"] as? [String: Any])?["ms"] as? Int == 9)
        #expect(objects[4]["rules"] as? [String] != nil)
        #expect((objects[4]["ledger"] as? [String: Any])?["because"] as? String == "so it is")
        #expect((objects[5]["ledger"] as? [String: Any])?["notes"] as? [String] != nil)
    }

    @Test func `a record of each outcome is read back the same`() throws {
        let records = try Self.verdicts().enumerated().map { index, verdict in
            var record = CaseRecord(verdict)
            record.id = CaseID(scenario: verdict.id.scenario, name: "\(index)")
            record.client = "curl"
            return record
        }
        var reader = ExamRecordReader()
        let lines = ExamHeader(client: "curl", platform: "neutral", proctor: "0").json + records.flatMap { $0.json() }
        try reader.read(lines, file: "f.jsonl")
        #expect(reader.exams.first?.cases == records)
    }

    @Test func `a long timeline keeps its bound, its beginning, its end and the marked place`() throws {
        let events = (0..<500).map { "data{n=\($0)}" }.joined(separator: " ")
        let trace = "resume response(200) answer(allow) \(events) complete(timedOut)"
        let item = try makeCase(lanes: ["task": "response(200) data+ complete(ok)"])
        var evidence = CaseEvidence(events: try TraceScript.events(trace))
        evidence.reportedLanes = [.task, .harness]
        let verdict = CaseGrader(item, scenario: "a/b").grade(evidence)
        #expect(verdict.outcome == .fail)
        let record = CaseRecord(verdict, of: item, in: nil, evidence: evidence)
        #expect(record.timeline.count <= RecordBounds.events)
        #expect(record.timeline.contains { $0.wanted != nil })
        #expect(record.timeline.first?.lane == "harness")
        #expect(record.timeline.contains { $0.lane == "note" && $0.text.contains("left out") })
    }

    @Test func `two cases that break one rule have one cause, and indexes do not part causes`() throws {
        let early = "resume data{n=1} response(200) complete(ok)"
        let causes = try [makeCase(), makeCase(lanes: ["task": "response(200) data complete(ok)"])].map { item in
            CaseRecord(try grade(item, early)).cause
        }
        #expect(causes[0] != nil)
        let good = "resume response(200) data{n=1} complete(ok)"
        let facts = try ["status", "step[0].status"].map { name in
            CaseRecord(try grade(try makeCase(facts: [(name, "404")]), good)).cause
        }
        #expect(facts[0] == "fact status" && facts[0] == facts[1])
    }
}
