package import ProctorBase
import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorNotation
import ProctorRules
import ProctorScenario

/// Sorts journal and trace into one order, folds equal adjacent events, and marks the place of the verdict's first
/// failure.
package struct TimelineRows {
    package private(set) var rows: [TimelineRow] = []
    private let mark: TimelineMark
    private let trace: MergedTrace
    private let namesLanes: Bool
    private let shown: ShownFields
    /// Whether rows have connection and lane apart from their text, and whole heads below them, as records need.
    private let isForRecord: Bool
    private let record: WireRecord?
    private var ownReplies = OwnReplies()
    private let budget: WorkBudget

    /// Each event of the trace and each entry of the journal is a step of the budget.
    package init(
        _ evidence: CaseEvidence, verdict: CaseVerdict?, isForRecord: Bool = false, within budget: WorkBudget
    ) throws(SpentBudget) {
        (self.budget, self.isForRecord) = (budget, isForRecord)
        let journal = evidence.journal ?? []
        record = evidence.journal.map { WireRecord($0) }
        shown = verdict?.shown ?? ShownFields()
        trace = MergedTrace(evidence.events, record: record, programs: [], budget: budget)
        try budget.checkBounds()
        mark = TimelineMark(verdict, trace, journal: journal)
        let lanes = Set(trace.events.lazy.filter(\.isCallback).map(\.laneID))
        namesLanes = lanes.count > 1 || lanes.contains { $0 != LaneID(.task) }
        if trace.isMerged || journal.isEmpty {
            try merge(trace.events, journal)
        } else {
            let clock = TraceClock(trace.events)
            for event in trace.events { try appendEvent(event, clock) }
            append(TimelineRow(column: .note, text: "the wire:"))
            try merge(EventList([]), journal)
        }
        if let end = mark.end {
            var row = TimelineRow(column: .callbacks, text: end.text, wanted: end.wanted)
            row.place.lane = "task"
            append(row)
        }
        if evidence.droppedCount > 0 {
            let text = "\(Plural.count(evidence.droppedCount, "entry", plural: "entries")) of the journal dropped"
            rows.insert(TimelineRow(column: .note, text: text), at: 0)
        }
    }

    private mutating func merge(_ events: EventList, _ journal: [JournalEntry]) throws(SpentBudget) {
        let first = events.lazy.compactMap(\.time).first
        var start = first ?? journal.first.map { .monotonic($0.nanoseconds) }
        if case .monotonic(let time)? = first, let entry = journal.first, entry.nanoseconds < time {
            start = .monotonic(entry.nanoseconds)
        }
        let clock = TraceClock(start: start)
        var rest = journal.indices
        for event in events {
            if let time = event.nanoseconds {
                while let next = rest.first, journal[next].nanoseconds < time {
                    try appendEntry(journal, rest.removeFirst(), clock)
                }
            }
            try appendEvent(event, clock)
        }
        for index in rest { try appendEntry(journal, index, clock) }
    }

    private mutating func appendEvent(_ event: TraceEvent, _ clock: TraceClock) throws(SpentBudget) {
        try budget.spend()
        guard event.phase == .enter, event.lane != .wire else { return }
        let isHarness = event.lane == .harness
        let several = isHarness && event.task > 0 ? "[\(event.task)] " : ""
        let lane = !isHarness && namesLanes && !isForRecord ? "\(event.laneID) " : several
        var row = TimelineRow(
            column: isHarness ? .harness : .callbacks, time: clock.milliseconds(event.time) ?? "",
            text: lane + EventText.symbol(event), wanted: mark.wanted(atEvent: event.sequence))
        if isForRecord {
            row.place.nanoseconds = clock.nanoseconds(event.time)
            row.place.lane = isHarness ? "harness" : event.laneID.description
            row.place.details = EventText.allFacts(of: event)
        }
        append(row)
    }

    private mutating func appendEntry(
        _ journal: [JournalEntry], _ index: Int, _ clock: TraceClock
    ) throws(SpentBudget) {
        try budget.spend()
        let entry = journal[index]
        if index > 0, let count = WireTimeline.missingCount(between: journal[index - 1], entry) {
            append(
                TimelineRow(
                    column: .note, text: "\(Plural.count(count, "entry", plural: "entries")) of the journal missing"))
        }
        let wanted = mark.wanted(atEntry: entry.sequence)
        let isOwn = ownReplies.contains(entry)
        if isForRecord {
            if wanted != nil || entry.event.isTelling || entry.event.isOfRecord && !isOwn {
                appendForRecord(entry, isOwn: isOwn, wanted, clock)
            }
            return
        }
        let details = isOwn ? [] : WireTimeline.details(of: entry.event, shown)
        guard wanted != nil || entry.event.isTelling || !details.isEmpty else { return }
        let place = entry.connection.map { "c\($0) " } ?? ""
        append(
            TimelineRow(
                column: .wire, time: clock.milliseconds(.monotonic(entry.nanoseconds)) ?? "",
                text: place + WireTimeline.text(of: entry.event, isOwn: isOwn), wanted: wanted))
        for text in details { append(TimelineRow(column: .note, text: place + text)) }
    }

    private mutating func appendForRecord(_ entry: JournalEntry, isOwn: Bool, _ wanted: String?, _ clock: TraceClock) {
        let time = TraceEvent.Time.monotonic(entry.nanoseconds)
        var row = TimelineRow(
            column: .wire, time: clock.milliseconds(time) ?? "",
            text: WireTimeline.text(of: entry.event, isOwn: isOwn), wanted: wanted)
        row.place.nanoseconds = clock.nanoseconds(time)
        row.place.lane = "wire"
        row.place.connection = entry.connection
        row.place.request = entry.request
        row.place.stream = stream(of: entry).map { Int($0) }
        row.place.details = WireTimeline.wholeDetails(of: entry.event)
        append(row)
    }

    /// The stream that an entry is about; nil for one about the connection, and for HTTP/1.
    private func stream(of entry: JournalEntry) -> UInt32? {
        let own: UInt32 =
            switch entry.event {
            case .frame(let frame): frame.stream
            case .fieldBlock(let block): block.stream
            case .frameViolation(let violation): violation.stream
            default: 0
            }
        if own > 0 { return own }
        guard let record, let place = entry.request.flatMap(record.place(ofRequest:)) else { return nil }
        return record.exchanges[place].head.stream
    }

    private mutating func append(_ row: TimelineRow) {
        if let last = rows.last, last.continues(with: row) { rows[rows.count - 1].count += 1 } else { rows.append(row) }
    }
}

extension JournalEvent {
    fileprivate var isTelling: Bool {
        switch self {
        case .exchangeChosen, .clientReached, .replyBegun, .fieldBlock: false
        case .cookiesJudged(let verdict): !verdict.differences.isEmpty
        case .requestBody(let body): body.byteCount > 0 || !body.isComplete
        case .runBegun, .connectionOpened, .requestHead, .violation, .missed, .effectPlayed, .replySent, .replyAborted,
            .finReceived, .connectionClosed, .pipelined, .slicesKept, .syncPassed, .continueSent, .bytesReceived,
            .bytesExpected,
            .guarded, .described, .socks, .clientHello, .secured, .handshakeFailed, .alert, .routed, .tunnelOpened,
            .cookiesSet, .boundReached, .dns, .downstream,
            .clockMoved, .webhook, .stateChanged, .stateRefused, .replyFailed, .loopHeld, .turnedAway, .frame,
            .frameViolation,
            .webSocket:
            true
        }
    }

    /// Whether a record contains the entry, although its line repeats what other lines say.
    fileprivate var isOfRecord: Bool {
        switch self {
        case .replyBegun, .fieldBlock: true
        default: false
        }
    }
}

package struct TimelineRow: Equatable {
    let column: Column
    /// Milliseconds since the first event, as text; empty when the time is unknown.
    var time = ""
    package let text: String
    /// The number of equal adjacent rows, this one included.
    package fileprivate(set) var count = 1
    /// The wanted value at the row; a row with one is marked.
    package var wanted: String?
    /// Connection and lane for a record; of equal rows, those of the first.
    package var place = Place()

    package struct Place: Equatable {
        /// Nanoseconds since the first event.
        package var nanoseconds: Int?
        package var lane = "note"
        package var connection: Int?
        package var request: Int?
        package var stream: Int?
        package var details: [String] = []
    }

    enum Column: Int, CaseIterable {
        case wire, callbacks, harness
        case note
    }

    func continues(with other: TimelineRow) -> Bool {
        column != .note && column == other.column && text == other.text && wanted == nil && other.wanted == nil
            && place.lane == other.place.lane && place.connection == other.place.connection
            && place.details == other.place.details
    }
}

/// The place of a verdict's first failure, and the wanted value there.
struct TimelineMark {
    private var event: (sequence: Int, wanted: String)?
    private var entry: (sequence: UInt64, wanted: String)?
    /// The mark after the last line, for an event that never came.
    private(set) var end: (text: String, wanted: String)?

    init(_ verdict: CaseVerdict?, _ trace: MergedTrace, journal: [JournalEntry]) {
        let failures = (verdict?.findings ?? []).filter { $0.weight == .failure }
        var best: (time: Int, rank: Int, finding: Finding)?
        let places = TimelinePlaces(trace, journal)
        for finding in failures where !finding.isAtEnd {
            guard let time = places.place(of: finding) else { continue }
            let rank = finding.subject.row.rank
            if best.map({ (time, rank) < ($0.time, $0.rank) }) ?? true { best = (time, rank, finding) }
        }
        if let finding = best?.finding {
            if let sequence = finding.event {
                event = (sequence, finding.mark)
            } else if let sequence = finding.sequence {
                entry = (sequence, finding.mark)
            }
        }
        // After the first failure no further event is expected, unless the client was stopped.
        if let ending = failures.first(where: \.isEnding) {
            end = (ending.endText, failures.first { $0.isAtEnd && !$0.isEnding }?.mark ?? "its end")
        } else if best == nil, let missing = failures.first(where: \.isAtEnd) {
            end = ("the end", missing.mark)
        }
    }

    func wanted(atEvent sequence: Int) -> String? { event?.sequence == sequence ? event?.wanted : nil }

    func wanted(atEntry sequence: UInt64) -> String? { entry?.sequence == sequence ? entry?.wanted : nil }
}

/// Finds the places of findings in trace and journal by binary search.
private struct TimelinePlaces {
    private let trace: MergedTrace
    private let journal: [JournalEntry]
    /// Indexes of journal entries.
    private let entries: [UInt64: Int]
    /// For each index of the merged trace, the latest time up to it.
    private let latest: [UInt64]
    /// For each event of the client, its index in the merged trace.
    private let positions: [Int32]

    init(_ trace: MergedTrace, _ journal: [JournalEntry]) {
        (self.trace, self.journal) = (trace, journal)
        entries = Dictionary(journal.enumerated().map { ($0.element.sequence, $0.offset) }) { first, _ in first }
        guard trace.isMerged else {
            (latest, positions) = ([], [])
            return
        }
        var latest: [UInt64] = []
        var positions: [Int32] = []
        for position in trace.order.indices {
            latest.append(max(latest.last ?? 0, trace.order[position].nanoseconds ?? 0))
            if trace.order.clientIndex(at: position) != nil { positions.append(Int32(truncatingIfNeeded: position)) }
        }
        (self.latest, self.positions) = (latest, positions)
    }

    /// The index in the merged trace, or in the journal when there is no trace.
    func place(of finding: Finding) -> Int? {
        if let sequence = finding.event {
            guard let index = trace.events.position(of: sequence) else { return nil }
            return positions.isEmpty ? index : Int(positions[index])
        }
        guard let index = finding.sequence.flatMap({ entries[$0] }) else { return nil }
        // Without a common clock, journal entries follow all callbacks, as in the printed timeline.
        guard trace.isMerged else { return trace.order.count + index }
        let time = journal[index].nanoseconds
        return latest.firstSortedIndex { $0 >= time }
    }
}

extension Finding {
    /// Whether the finding is about an event that never came.
    fileprivate var isAtEnd: Bool {
        switch subject {
        case .ending: true
        case .expression(let diagnosis), .grammar(_, let diagnosis): diagnosis.endsTooEarly
        default: false
        }
    }

    /// The wanted value in few words.
    fileprivate var mark: String {
        switch subject {
        case .expression(let diagnosis) where laneKey == nil: PlainSentences.wanted(diagnosis)
        case .expression(let diagnosis), .grammar(_, let diagnosis): Self.wanted(by: diagnosis)
        case .edge(let text): text
        case .rule(let hit): hit.rule.titled
        case .content(let field): "\(field) \(wanted ?? "")"
        case .fact(let name): "\(name.text) \(wanted ?? "")"
        case .cookies(let verdict): CookieText.expected(verdict)
        default: wanted ?? subject.row.wanted
        }
    }

    private static func wanted(by diagnosis: NotationDiagnosis) -> String {
        if diagnosis.got == nil, !diagnosis.missing.isEmpty {
            return diagnosis.missing.prefix(3).map(\.description).joined(separator: ", ")
        }
        let texts = diagnosis.wanted.prefix(4).map(\.description) + (diagnosis.endIsWanted ? ["the end"] : [])
        return texts.isEmpty ? "nothing" : texts.joined(separator: " or ")
    }

    fileprivate var endText: String {
        guard case .ending(let ending) = subject else { return "the end" }
        switch ending {
        case .crashed(let signal, _): return "crash: \(EventText.printable(signal, limit: 40))"
        case .exited(let code, _): return "exit with code \(code)"
        case .hung(let milliseconds, _): return "hung for \(milliseconds) ms"
        case .finished, .couldNotStart, .outOfBounds: return "the end"
        }
    }
}
