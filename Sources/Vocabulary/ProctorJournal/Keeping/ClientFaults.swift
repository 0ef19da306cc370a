internal import ProctorBase
internal import ProctorHTTP

/// Counts requests that no fixture expects and violations of RFCs, over all journals of a server.
///
/// Safe from any thread. Set it as ``ServerConfiguration/faults``; the counts include entries that journals drop later
/// and those before a reset.
package final class ClientFaults: Sendable {
    private let state = Locked(Tally())

    /// The counts at one moment.
    package struct Tally: Sendable {
        /// Requests that were made to a scenario.
        package fileprivate(set) var requestCount = 0
        /// Requests that no exchange answers, or that name no scenario.
        package fileprivate(set) var missedCount = 0
        /// Violations of the RFCs; a request may have several.
        package fileprivate(set) var violationCount = 0
        /// Requests that are not as the OpenAPI description of their scenario says.
        package fileprivate(set) var misdescribedCount = 0
        /// Answers to webhooks.
        package fileprivate(set) var misansweredCount = 0
        /// Bounds of runs that a client has exceeded.
        package fileprivate(set) var boundCount = 0
        /// A line for each of the first ``exampleLimit`` faults, in order.
        package fileprivate(set) var examples: [String] = []

        /// The sum of missed requests, violations, requests that a description forbids, and exceeded bounds.
        package var faultCount: Int { missedCount + violationCount + misdescribedCount + misansweredCount + boundCount }
    }

    /// The most faults with a line of their own.
    package static let exampleLimit = 50

    /// Counters at 0, for a server that has not started yet.
    package init() {}

    /// The counts so far.
    package var tally: Tally { state.withLock { $0 } }

    fileprivate var wantsExample: Bool { state.withLock { $0.examples.count < Self.exampleLimit } }

    fileprivate func count(_ change: @Sendable (inout Tally) -> Void, example: String? = nil) {
        state.withLock { tally in
            change(&tally)
            if let example, tally.examples.count < Self.exampleLimit { tally.examples.append(example) }
        }
    }
}

struct FaultNotes: Sendable {
    package let faults: ClientFaults
    /// nil: the shared port.
    package let scenario: String?

    /// Counts an entry that is a request or a fault; `earlier` returns entries among which is the fault's request.
    func countEntry(_ entry: JournalEntry, earlier: () -> [JournalEntry]) {
        switch entry.event {
        case .requestHead:
            if scenario != nil { faults.count({ $0.requestCount += 1 }) }
        case .missed(let miss):
            if head(of: entry, earlier: earlier)?.head.isOfClientItself == true { return }
            let text = miss.differences.isEmpty ? "nothing is expected here" : miss.differences.joined(separator: "; ")
            faults.count({ $0.missedCount += 1 }, example: example(text, of: entry, earlier: earlier))
        case .violation(let violation):
            guard !violation.kind.mayHappen else { return }
            faults.count({ $0.violationCount += 1 }, example: example("\(violation)", of: entry, earlier: earlier))
        case .frameViolation(let violation):
            guard !violation.mayHappen else { return }
            let text = PrintableText.sanitize("\(violation)")
            faults.count({ $0.violationCount += 1 }, example: example(text, of: entry, earlier: earlier))
        case .guarded(let verdict):
            for remark in verdict.remarks where Departure(remark) != nil {
                faults.count(
                    { $0.violationCount += 1 },
                    example: example(PrintableText.sanitize("\(remark)"), of: entry, earlier: earlier))
            }
        case .cookiesJudged(let verdict):
            for difference in verdict.differences where Departure(difference) != nil {
                let text = PrintableText.sanitize("\(difference.sentence) (\(difference.section))")
                faults.count({ $0.violationCount += 1 }, example: example(text, of: entry, earlier: earlier))
            }
        case .described(let note):
            guard note.message == .request, !note.faults.isEmpty else { return }
            faults.count({ $0.misdescribedCount += 1 }, example: example(note.sentence, of: entry, earlier: earlier))
        case .webhook(let note):
            guard let fault = note.fault else { return }
            faults.count({ $0.misansweredCount += 1 }, example: example(fault, of: entry, earlier: earlier))
        case .boundReached(let bound):
            faults.count({ $0.boundCount += 1 }, example: example(bound.sentence, of: entry, earlier: earlier))
        case .replyFailed(let failure):
            faults.count({ $0.boundCount += 1 }, example: example(failure.sentence, of: entry, earlier: earlier))
        case .stateRefused(let refusal):
            faults.count({ $0.boundCount += 1 }, example: example(refusal.sentence, of: entry, earlier: earlier))
        default: return
        }
    }

    /// `plain/get: GET /other: target: wanted /hello, got /other`.
    private func example(_ text: String, of entry: JournalEntry, earlier: () -> [JournalEntry]) -> String? {
        guard faults.wantsExample else { return nil }
        var words = [scenario ?? "the shared port"]
        if let (head, target) = head(of: entry, earlier: earlier) {
            words.append("\(EscapedText.escape(head.methodBytes, limit: 40)) \(EscapedText.escape(target))")
        }
        return (words + [text]).joined(separator: ": ")
    }

    /// The head and the target of the entry's request; nil where the entry belongs to none.
    private func head(
        of entry: JournalEntry, earlier: () -> [JournalEntry]
    ) -> (head: RequestHead, target: [UInt8])? {
        guard let request = entry.request else { return nil }
        return earlier().lazy.compactMap { other -> (head: RequestHead, target: [UInt8])? in
            guard other.request == request, case .requestHead(let head, let target) = other.event else { return nil }
            return (head, target)
        }.first
    }
}

extension FrameViolationNote {
    /// No fault: a client may have opened the stream before it knew of the GOAWAY (RFC 9113 §6.8).
    fileprivate var mayHappen: Bool { kind == "stream-after-goaway" }
}

extension Violation.Kind {
    /// No fault: a client may leave within a request (RFC 9112 §9.5), and may have pipelined another before it knew of
    /// the connection's end (§9.3.2).
    fileprivate var mayHappen: Bool {
        switch self {
        case .incompleteHead, .incompleteContent, .incompleteChunkedContent, .unansweredRequest: true
        default: false
        }
    }
}
