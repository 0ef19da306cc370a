import ProctorBase
import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorScenario
import Testing

@testable import ProctorGrading

/// A journal, and the trace of a client beside it; each event comes well after the requests that stand before it.
struct ContentTrial {
    var journal = JournalScript()
    private(set) var events: [TraceEvent] = []
    private var nanoseconds: UInt64 = 1_000_000_000

    init() { journal.open() }

    /// An exchange, and the client's time goes on behind it.
    mutating func exchange(
        _ line: String, fields: [String] = ["Host: h"], body: String? = nil, _ status: Int,
        reply replyFields: [String] = [], content: String? = "", coded: String? = nil, isCut: Bool = false
    ) throws {
        try journal.exchange(
            line, fields: fields, body: body, status, reply: replyFields, content: content, coded: coded, isCut: isCut)
        nanoseconds += 10_000_000
    }

    /// An exchange whose content is not kept whole.
    mutating func exchange(_ line: String, _ status: Int, whole content: SentContent) throws {
        let number = try journal.request(line, fields: ["Host: h"], body: nil)
        journal.add(
            .replyBegun(SentReply(status: status, fields: .init(), headByteCount: 20, content: content)),
            request: number)
        journal.add(.replySent(status: status, byteCount: content.byteCount + 20), request: number)
        journal.wait(milliseconds: 10)
        nanoseconds += 10_000_000
    }

    /// An event right after the exchanges so far.
    mutating func report(
        _ name: EventName, _ argument: String? = nil, lane: Lane? = nil, task: Int = 0,
        phase: TraceEvent.Phase = .enter, thread: String? = nil, facts: EventFacts = []
    ) {
        nanoseconds += 1_000
        events.append(
            TraceEvent(
                sequence: events.count + 1, time: .monotonic(nanoseconds - 5_000_000),
                lane: lane ?? EventVocabulary.kind(named: name.rawValue)?.lanes.first ?? .task, task: task, name: name,
                argument: argument, phase: phase, thread: thread, facts: facts))
    }

    /// `data` with the size and checksum of these bytes.
    mutating func report(data: String) {
        report(
            .data,
            [
                EventFact(.bytes, .integer(data.utf8.count)),
                EventFact(.crc32, .integer(Int(CRC32.checksum(of: data.utf8)))),
            ])
    }

    /// An event without an argument.
    mutating func report(_ name: EventName, _ facts: EventFacts) { report(name, nil, facts: facts) }

    /// The findings about content.
    func findings(_ item: Case? = nil, journal hasJournal: Bool = true) throws -> [Finding] {
        let item = try item ?? makeCase()
        let evidence = CaseEvidence(
            events: events, reportedLanes: [.task, .harness, .session, .handler],
            journal: hasJournal ? journal.entries : nil)
        return CaseGrader(item, scenario: "s").grade(evidence).findings.filter {
            if case .content = $0.subject { true } else { false }
        }
    }

    /// The only finding there is, as its field and weight.
    func only(_ item: Case? = nil) throws -> Finding {
        let findings = try findings(item)
        try #require(findings.count == 1, "\(findings)")
        return findings[0]
    }
}

extension Finding {
    /// The field of a finding about content.
    var field: String? {
        if case .content(let field) = subject { return field }
        return nil
    }
}
