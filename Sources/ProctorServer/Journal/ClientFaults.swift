internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal

/// What clients did that no fixture expects or an RFC forbids, over all journals of a server.
///
/// Safe from any thread. Give one to ``ServerConfiguration/faults``; journals count into it, also what they drop later
/// and what a reset removes from them.
public final class ClientFaults: Sendable {
    private let state = Locked(Tally())

    /// The counts of one moment.
    public struct Tally: Sendable {
        /// Requests that came to a scenario.
        public fileprivate(set) var requestCount = 0
        /// Requests that no exchange answers, or that name no scenario at all.
        public fileprivate(set) var missedCount = 0
        /// Departures from the RFCs; a request may have several.
        public fileprivate(set) var violationCount = 0
        /// Bounds of runs that a client reached by repeating itself.
        public fileprivate(set) var boundCount = 0
        /// A line for each of the first ``exampleLimit`` faults, in the order in which they came.
        public fileprivate(set) var examples: [String] = []

        /// All faults together.
        public var faultCount: Int { missedCount + violationCount + boundCount }
    }

    /// How many faults are told one by one.
    public static let exampleLimit = 50

    /// Of a server that has not started yet.
    public init() {}

    /// What was counted so far.
    public var tally: Tally { state.withLock { $0 } }

    /// Whether one more fault is told, and not only counted.
    fileprivate var wantsExample: Bool { state.withLock { $0.examples.count < Self.exampleLimit } }

    fileprivate func count(_ change: @Sendable (inout Tally) -> Void, example: String? = nil) {
        state.withLock { tally in
            change(&tally)
            if let example, tally.examples.count < Self.exampleLimit { tally.examples.append(example) }
        }
    }
}

/// What one journal counts, under the name of its scenario.
struct FaultNotes: Sendable {
    let faults: ClientFaults
    /// nil: the shared port itself.
    let scenario: String?

    /// Counts an entry if it tells of a request or of a fault; `earlier` is asked for the request that a fault belongs to.
    func note(_ entry: JournalEntry, earlier: () -> [JournalEntry]) {
        switch entry.event {
        case .requestHead:
            if scenario != nil { faults.count({ $0.requestCount += 1 }) }
        case .missed(let miss):
            let text = miss.differences.isEmpty ? "nothing is expected here" : miss.differences.joined(separator: "; ")
            faults.count({ $0.missedCount += 1 }, example: example(text, entry, earlier))
        case .violation(let violation):
            guard !violation.kind.mayHappen else { return }
            faults.count({ $0.violationCount += 1 }, example: example("\(violation)", entry, earlier))
        case .boundReached(let bound):
            faults.count({ $0.boundCount += 1 }, example: example(bound.sentence, entry, earlier))
        default: return
        }
    }

    /// `plain/get: GET /other: target: wanted /hello, got /other`.
    private func example(_ text: String, _ entry: JournalEntry, _ earlier: () -> [JournalEntry]) -> String? {
        guard faults.wantsExample else { return nil }
        var words = [scenario ?? "the shared port"]
        if let request = entry.request {
            let line = earlier().lazy.compactMap { other -> String? in
                guard other.request == request, case .requestHead(let head, let target) = other.event else {
                    return nil
                }
                return "\(EscapedText.of(head.methodBytes, limit: 40)) \(EscapedText.of(target))"
            }.first
            if let line { words.append(line) }
        }
        return (words + [text]).joined(separator: ": ")
    }
}

extension Violation.Kind {
    /// No fault: a client may leave within a request (RFC 9112 §9.5), and may have pipelined another before it knew that
    /// the connection ends (§9.3.2).
    fileprivate var mayHappen: Bool {
        switch self {
        case .incompleteHead, .incompleteContent, .incompleteChunkedContent, .unansweredRequest: true
        default: false
        }
    }
}
