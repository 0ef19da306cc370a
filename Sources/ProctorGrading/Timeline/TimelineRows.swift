import ProctorBase
import ProctorEvents
import ProctorHTTP
import ProctorJournal

/// Puts journal and trace into one order, folds equal neighbours, and marks where the verdict's first failure shows.
struct TimelineRows {
    private(set) var rows: [TimelineRow] = []
    private let mark: TimelineMark
    private let trace: MergedTrace
    /// Whether lanes have to be named, because there are several.
    private let namesLanes: Bool
    private let shown: ShownFields

    init(_ evidence: CaseEvidence, verdict: CaseVerdict?) {
        let journal = evidence.journal ?? []
        shown = verdict?.shown ?? ShownFields()
        trace = MergedTrace(evidence.events, record: evidence.journal.map { WireRecord($0) }, programs: [])
        mark = TimelineMark(verdict, trace, journal: journal)
        let lanes = Set(trace.events.lazy.filter(\.isCallback).map(\.laneID))
        namesLanes = lanes.count > 1 || lanes.contains { $0 != LaneID(.task) }
        if trace.isMerged || journal.isEmpty {
            merge(trace.events, journal)
        } else {
            let clock = TraceClock(trace.events)
            for event in trace.events { append(event, clock) }
            append(TimelineRow(column: .note, time: "", text: "the trace has no times of the server's clock:"))
            append(TimelineRow(column: .note, time: "", text: "the wire stands for itself, in milliseconds of its own"))
            merge([], journal)
        }
        if let end = mark.end {
            append(TimelineRow(column: .callbacks, time: "", text: end.text, wanted: end.wanted))
        }
        if evidence.droppedCount > 0 {
            let text = "\(Plural.count(evidence.droppedCount, "entry", plural: "entries")) of the journal dropped"
            rows.insert(TimelineRow(column: .note, time: "", text: text), at: 0)
        }
    }

    private mutating func merge(_ events: [TraceEvent], _ journal: [JournalEntry]) {
        let first = events.lazy.compactMap(\.time).first
        var start = first ?? journal.first.map { .monotonic($0.nanoseconds) }
        if case .monotonic(let time)? = first, let entry = journal.first, entry.nanoseconds < time {
            start = .monotonic(entry.nanoseconds)
        }
        let clock = TraceClock(start: start)
        var next = 0
        func isBefore(_ time: TraceEvent.Time?) -> Bool {
            guard next < journal.count else { return false }
            guard let time else { return false }
            if case .monotonic(let nanoseconds) = time { return journal[next].nanoseconds < nanoseconds }
            return false
        }
        for event in events {
            while isBefore(event.time) {
                append(journal, next, clock: clock)
                next += 1
            }
            append(event, clock)
        }
        while next < journal.count {
            append(journal, next, clock: clock)
            next += 1
        }
    }

    private mutating func append(_ event: TraceEvent, _ clock: TraceClock) {
        guard event.phase == .enter, event.lane != .wire else { return }
        let isHarness = event.lane == .harness
        let several = isHarness && event.task > 0 ? "[\(event.task)] " : ""
        let lane = !isHarness && namesLanes ? "\(event.laneID) " : several
        append(
            TimelineRow(
                column: isHarness ? .harness : .callbacks, time: clock.milliseconds(event.time) ?? "",
                text: lane + EventText.of(event), wanted: mark.wanted(atEvent: event.sequence)))
    }

    private mutating func append(_ journal: [JournalEntry], _ index: Int, clock: TraceClock) {
        let entry = journal[index]
        if index > 0, let count = WireTimeline.missingCount(between: journal[index - 1], entry) {
            append(
                TimelineRow(
                    column: .note, time: "",
                    text: "\(Plural.count(count, "entry", plural: "entries")) of the journal missing"
                ))
        }
        let wanted = mark.wanted(atEntry: entry.sequence)
        let details = WireTimeline.details(of: entry.event, shown)
        guard wanted != nil || entry.event.isTelling || !details.isEmpty else { return }
        let place = entry.connection.map { "c\($0) " } ?? ""
        append(
            TimelineRow(
                column: .wire, time: clock.milliseconds(.monotonic(entry.nanoseconds)) ?? "",
                text: place + WireTimeline.text(of: entry.event), wanted: wanted))
        for text in details {
            append(TimelineRow(column: .note, time: "", text: place + text))
        }
    }

    private mutating func append(_ row: TimelineRow) {
        if let last = rows.last, last.continues(with: row) {
            rows[rows.count - 1].count += 1
        } else {
            rows.append(row)
        }
    }
}

extension JournalEvent {
    /// Whether it says something that its neighbours do not.
    fileprivate var isTelling: Bool {
        switch self {
        case .exchangeChosen, .clientReached, .replyBegun: false
        case .cookiesJudged(let verdict): !verdict.differences.isEmpty
        case .requestBody(let body): body.byteCount > 0 || !body.isComplete
        case .connectionOpened, .requestHead, .violation, .missed, .effectPlayed, .replySent, .replyAborted,
            .connectionClosed, .slicesKept, .syncPassed, .continueSent, .bytesReceived, .bytesExpected, .guarded,
            .clientHello, .secured,
            .handshakeFailed, .alert, .routed, .tunnelOpened, .cookiesSet,
            .boundReached:
            true
        }
    }
}

/// One line of a timeline, before it is laid out.
struct TimelineRow: Equatable {
    let column: Column
    /// Milliseconds since the first event, as text; empty where the time is not known.
    let time: String
    let text: String
    /// Equal ones that follow each other, this one included.
    var count = 1
    /// What was wanted in its place; the row is marked when there is something.
    var wanted: String?

    enum Column: Int, CaseIterable {
        case wire, callbacks, harness
        /// A remark over the whole line.
        case note
    }

    /// Whether the other row is one more of the same.
    func continues(with other: TimelineRow) -> Bool {
        column != .note && column == other.column && text == other.text && wanted == nil && other.wanted == nil
    }
}
