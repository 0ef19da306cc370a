import ProctorBase
package import ProctorEvents
import ProctorHTTP
package import ProctorJournal

/// What a command that writes no trace made of its load: its exit as the end, what it wrote as the content.
public struct CommandResult: Sendable, Equatable {
    /// The client-independent name of the error, or `PROGRAM#CODE`; nil means that the load succeeded.
    public let error: String?
    /// What the command wrote of the content; nil: unknown.
    package var content: Content?
    /// When the command began and when it had ended, in MonotonicClock nanoseconds; nil: unknown.
    package var time: ClosedRange<UInt64>?
    /// What a person is told beside an error, such as the last line of standard error; nil: nothing.
    package var message: String?

    package init(
        error: String?, content: Content? = nil, time: ClosedRange<UInt64>? = nil, message: String? = nil
    ) {
        (self.error, self.content, self.time, self.message) = (error, content, time, message)
    }

    /// Bytes that a command wrote, of which the first ``limit`` are kept.
    package struct Content: Sendable, Equatable {
        /// All bytes, or the first ``limit``.
        package private(set) var bytes: [UInt8] = []
        package private(set) var byteCount = 0

        /// As many bytes as a line of a trace can hold in base64.
        private static let limit = 640 << 10

        package init() {}

        package mutating func append(_ more: borrowing Span<UInt8>) {
            byteCount += more.count
            let kept = more.extracting(first: max(0, Self.limit - bytes.count))
            for index in kept.indices { bytes.append(kept[index]) }
        }

        fileprivate var facts: [EventFact] {
            guard bytes.count == byteCount else { return [EventFact(.bytes, .integer(byteCount))] }
            let text = bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
            let body =
                text.map { EventFact(.body, .text($0)) } ?? EventFact(.bodyBase64, .text(Base64Text.encode(bytes)))
            return [EventFact(.bytes, .integer(byteCount)), body]
        }
    }

    /// The result as far as what came over the wire lets it be read; nil where it says nothing.
    ///
    /// A tool prints the fields of a reply to HEAD, and many keep the page of an error to themselves, so that the content
    /// is unknown then. Of a coding that the request did not ask for a tool need know nothing (RFC 9110 §12.5.3), and of
    /// a reply without content some exit with 1, since they have nothing to write.
    package func settled(by entries: [JournalEntry]) -> CommandResult? {
        guard let last = WireRecord(entries).exchanges.last(where: { !$0.isConnect }) else { return self }
        let codings = last.reply?.fields?.values(named: "Content-Encoding") ?? []
        if !codings.isEmpty, last.head.fields.values(named: "Accept-Encoding").isEmpty { return nil }
        if error?.hasSuffix("#1") == true, last.isServedWithoutContent { return nil }
        var settled = self
        if let remedy = Self.remedy(for: error, behind: last.status) {
            settled.message = [message, remedy].compactMap(\.self).joined(separator: "; ")
        }
        let isSuccess = last.status.map { 200..<300 ~= $0 } ?? true
        if last.head.hasMethod("HEAD") || !isSuccess && content?.byteCount == 0 { settled.content = nil }
        return settled
    }

    /// How a table of errors says that an exit code tells an error status alone; nil where the error has a name, or the
    /// status is none of an error.
    private static func remedy(for error: String?, behind status: Int?) -> String? {
        guard let error, let status, status >= 400, let mark = error.lastIndex(of: "#") else { return nil }
        let code = error[error.index(after: mark)...]
        return "where exit code \(code) only tells the status \(status), name it in a file, and say --errors FILE: "
            + "{ client: \(error[..<mark]), errors: { \(code): ok } }"
    }

    /// Why ``settled(by:)`` gives nothing, half a sentence.
    package var reasonUnsettled: String {
        error == nil
            ? "the reply had a coding, and the command asked for none"
            : "the reply had no content, or a coding for which the command did not ask, and its exit code need not tell a "
                + "failed load"
    }

    /// The facts that its `result` can have: never a status, which no command tells.
    package var reportedFacts: [FactKey] { [.error, .message] + (content == nil ? [] : [.bytes, .body, .bodyBase64]) }

    /// The trace of the command: the begin of its load, where the time is known, and the result.
    package var events: [TraceEvent] {
        func event(_ sequence: Int, _ name: EventName, at nanoseconds: UInt64?, _ facts: [EventFact]) -> TraceEvent {
            TraceEvent(
                sequence: sequence, time: nanoseconds.map { .monotonic($0) }, lane: .harness, task: 0, name: name,
                argument: nil, facts: EventFacts(facts))
        }
        var facts: [EventFact] = []
        if let error {
            facts.append(EventFact(.error, .text(error)))
            if let message { facts.append(EventFact(.message, .text(message))) }
        }
        let result = event(2, .result, at: time?.upperBound, facts + (content?.facts ?? []))
        return (time.map { [event(1, .resume, at: $0.lowerBound, [])] } ?? []) + [result]
    }
}

extension CaseEvidence {
    /// Evidence for a command: it has no callbacks, and its result has at most the end of the load and the content.
    static func ofCommand(_ entries: [JournalEntry], result: CommandResult?) -> CaseEvidence {
        var evidence = CaseEvidence(reportedLanes: [.harness], reportedFacts: [], journal: entries)
        guard let result = result?.settled(by: entries) else { return evidence }
        evidence.reportedFacts = Set(result.reportedFacts)
        evidence.events = result.events
        return evidence
    }
}
