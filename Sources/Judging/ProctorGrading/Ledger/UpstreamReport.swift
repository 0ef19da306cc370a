package import ProctorBase
import ProctorDocument

/// What a client's project says about one cause of failures, as a person has looked it up.
package struct UpstreamReport: Sendable, Equatable {
    package var state: State
    /// The address of the issue; nil when the state is ``State/unreported``.
    package var issue: String?
    /// The day on which the issue was read: `2026-11-25`.
    package var date: String
    /// One sentence by the person who looked it up.
    package var says: String

    package init(state: State, issue: String?, date: String, says: String) {
        (self.state, self.issue, self.date, self.says) = (state, issue, date, says)
    }

    package enum State: String, Sendable, CaseIterable {
        case open
        /// Fixed in a later version of the client.
        case fixed
        /// Closed without a change.
        case closed
        /// No issue about it was found.
        case unreported

        /// The words for reports.
        package var words: String {
            switch self {
            case .open: "reported"
            case .fixed: "reported, and fixed in a later version"
            case .closed: "reported, and closed without a change"
            case .unreported: "no upstream report"
            }
        }
    }

    /// `reported: https://example.org/1 (2026-11-25)`.
    package var text: String { "\(state.words)\(issue.map { ": \($0)" } ?? "") (\(date))" }

    /// Whether the text is a day: `2026-11-25`.
    static func isDay(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2], parts.joined().utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
            let month = Int(parts[1]), let day = Int(parts[2])
        else { return false }
        return 1...12 ~= month && 1...31 ~= day
    }
}

extension Ledger {
    /// A cause of failures, with what the client's project says about it.
    package struct KnownCause: Sendable, Equatable {
        package let cause: FailureCause
        package let report: UpstreamReport
        package let location: SourceLocation

        /// Whether the entry is about the cause; an entry without ` · ` is about every cause of its kind.
        func covers(_ other: FailureCause) -> Bool { cause.covers(other) }
    }

    /// The entry with this key, or else the entry for its kind.
    package func upstream(of cause: FailureCause) -> UpstreamReport? {
        (upstream.first { $0.cause == cause } ?? upstream.first { $0.covers(cause) })?.report
    }

    /// A sentence for each entry of `upstream` whose cause none of the failures has.
    package func unmet(by causes: Set<FailureCause>) -> [String] {
        upstream.filter { known in !causes.contains { known.covers($0) } }.map {
            "\($0.location): no failure has the cause \(quoted($0.cause.key)) that upstream names"
        }
    }
}
