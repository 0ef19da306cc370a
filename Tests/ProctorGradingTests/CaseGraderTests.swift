import Foundation
import ProctorBase
import ProctorEvents
import ProctorJournal
import ProctorModules
import ProctorNotation
import ProctorRules
import ProctorScenario
import Testing

@testable import ProctorFrameGrading
@testable import ProctorGrading

/// What no page of data can say of a verdict: values that no fixture and no trace has.
struct CaseGraderTests {
    @Test func `requests may be interleaved with an ambient expression`() throws {
        let entries = try JournalScript.requests("GET /favicon.ico", "GET /a", "GET /favicon.ico")
        let grade = { (ambient: String?) in
            WireGrader(try makeCase(wire: "request(GET /a)", ambient: ambient)).grade(entries).outcome
        }
        #expect(try grade(nil) == .fail)
        #expect(try grade("request(GET /favicon.ico)*") == .pass)
    }

    @Test func `numbers that do not rise are counted anew`() throws {
        let item = try makeCase(lanes: ["task": "response(404) complete(ok)"])
        var events = try TraceScript.events("resume response(200) complete(ok)")
        for index in events.indices { events[index].sequence = 0 }
        let verdict = CaseGrader(item, scenario: "a").grade(CaseEvidence(events: events))
        #expect(verdict.failures.first?.event == 2)
    }

    @Test func `of very many loads that hang the first hundred are told one by one, and the others counted`() throws {
        let trace = (0..<103).map { "[\($0)]resume [\($0)]response(200)" }.joined(separator: " ")
        let verdict = CaseGrader(try makeCase(lanes: [:]), scenario: "a").grade(
            CaseEvidence(events: try TraceScript.events(trace)))
        let sentences = verdict.findings.map(\.sentence).filter { $0.contains("hung") }
        #expect(sentences.count == 101)
        #expect(sentences[99].hasPrefix("task[99] hung"))
        #expect(sentences[100] == "3 more loads hung")
    }

    @Test func `the proposal for a long lane keeps its beginning and its end`() throws {
        let trace = (0..<900).map { "response(\(200 + $0 * 7 % 300))" }.joined(separator: " ")
        let events = try TraceScript.events(trace)
        let text = try #require(ExpressionRecorder.proposals(for: events).first?.text)
        #expect(text.split(separator: " ").count == ExpressionRecorder.mostGroups + 1)
        #expect(try Notation(parsing: text, lane: .task).diagnosis(of: events.map(\.symbol), terminals: []) == nil)
    }

    @Test(arguments: [
        ("task", Lane.task, 0, "task"), ("task[0]", .task, 0, "task"), ("task[12]", .task, 12, "task[12]"),
        ("download[1]", .task, 1, "download[1]"), ("handler", .handler, 0, "handler"),
    ]) func `a lane's name is taken apart`(text: String, lane: Lane, number: Int, key: String) throws {
        let read = try #require(CaseLane(text))
        #expect(read.lane == lane && read.number == number && read.key == key)
    }

    @Test(arguments: ["", "tasks", "task[", "task[]", "task[-1]", "task[x]", "[1]"])
    func `a key without a lane is refused`(text: String) { #expect(CaseLane(text) == nil) }

    @Test func `that two reports of the recorder differ stands behind what the server's bytes show`() throws {
        var own = Finding(subject: .content(field: "crc32"), sentence: "the result has other bytes there")
        own.isOfOwnReports = true
        let shown = Finding(subject: .fact(try FactName(parsing: "body")), sentence: "body: wanted a, got b")
        #expect([own, shown].root == shown && [own].root == own)
    }

    @Test func `windows let out what the client knew of, and grow with the server's updates`() {
        var windows = SentWindows()
        func frame(_ party: JournalEvent.Party, _ type: String, _ detail: FrameNote.Detail?, _ flags: [String] = [])
            -> FrameNote
        {
            FrameNote(
                by: party, type: type, flags: flags, stream: type == "SETTINGS" ? 0 : 3, byteCount: 4, offset: 0,
                detail: detail)
        }
        windows.record(frame(.server, "SETTINGS", .settings([SettingNote("INITIAL_WINDOW_SIZE", 10)])), at: 1, 100)
        #expect(windows[3, before: 5]?.byteCount(before: 0) == nil)
        windows.record(frame(.client, "SETTINGS", .settings([]), ["ACK"]), at: 2, 200)
        windows.record(frame(.server, "WINDOW_UPDATE", .increment(30)), at: 6, 900)
        #expect(windows[3, before: 2]?.byteCount(before: 0) == nil)
        #expect(windows[3, before: 5]?.byteCount(before: 899) == 10)
        #expect(windows[3, before: 5]?.byteCount(before: 900) == 40)
        #expect(windows[5, before: 5]?.byteCount(before: 900) == 10)
    }

    @Test func `every fact of a stream and of a connection has a name, words and a value`() throws {
        ServerModules.register()
        let record = WireRecord(try JournalScript.requests("GET /a"))
        let texts = [FactGroup.stream, .http2, .http3].flatMap { group in
            group.namesOfEach.map { "\(group.name)[0].\($0)" }
        }
        let names = try texts.map { try FactName(parsing: $0) }
        #expect(Set(names.map(\.words)).count == names.count)
        #expect(names.map(\.text) == texts)
        for name in names { _ = record.measure(name) }
        #expect(names.contains { $0.words.hasPrefix("NO_RFC7540_PRIORITIES in the client's first SETTINGS on ") })
    }
}

/// The ledgers that Docs/clients/adapters.md and ledgers.md show.
struct LedgerDocTests {
    private static func ledger(of name: String) throws -> (ledger: Ledger, page: String) {
        let path = URL(filePath: #filePath).appending(path: "../../../Docs/clients/\(name).md").standardized
        let page = try String(contentsOf: path, encoding: .utf8)
        let start = try #require(page.range(of: "```yaml\nclient:"))
        let end = try #require(page.range(of: "\n```", range: start.upperBound..<page.endIndex))
        let text = "client:" + page[start.upperBound..<end.lowerBound]
        return (try #require(Ledger.parse(Array(text.utf8), file: "x.yaml").ledger), page)
    }

    @Test func `the ledger of a client that is never asked can be read`() throws {
        let ledger = try Self.ledger(of: "adapters").ledger
        #expect(ledger.never.map(\.rule) == [RuleNumber(18), RuleNumber(18)])
    }

    @Test func `the ledger of the page on ledgers can be read, and the page has each key`() throws {
        let (ledger, page) = try Self.ledger(of: "ledgers")
        #expect(ledger.rules.count == 1 && ledger.never.count == 1 && ledger.deviations.count == 5)
        for key in LedgerReader.keys + LedgerReader.entryKeys { #expect(page.contains("`\(key)`"), "\(key)") }
    }
}
