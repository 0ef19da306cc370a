package import ProctorBase
import ProctorDocument

/// What the project of a client knows of one cause of its failures, as far as a person has looked it up.
package struct UpstreamReport: Sendable, Equatable {
    package let state: State
    /// The address of the issue; nil where the cause is ``State/unreported``.
    package let issue: String?
    /// When it was read: `2026-11-25`.
    package let date: String
    /// One sentence of whoever looked it up.
    package let says: String

    package init(state: State, issue: String?, date: String, says: String) {
        self.state = state
        self.issue = issue
        self.date = date
        self.says = says
    }

    package enum State: String, Sendable, CaseIterable {
        case open
        /// A later version of the client does it otherwise.
        case fixed
        /// Closed without a change: the project keeps what it does.
        case closed
        /// No issue about it was found.
        case unreported

        /// For people.
        package var words: String {
            switch self {
            case .open: "reported"
            case .fixed: "reported, and fixed in a later version"
            case .closed: "reported, and closed without a change"
            case .unreported: "known and reported nowhere"
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
    /// A cause of failures with what its project knows of it.
    package struct KnownCause: Sendable, Equatable {
        package let cause: FailureCause
        package let report: UpstreamReport
        package let location: SourceLocation

        /// An entry without what stands behind ` · ` speaks of every cause of its kind.
        func covers(_ other: FailureCause) -> Bool { cause == other || cause.key == other.kind }
    }

    /// The entry of the very cause, or else that of its kind.
    package func upstream(of cause: FailureCause) -> UpstreamReport? {
        (upstream.first { $0.cause == cause } ?? upstream.first { $0.covers(cause) })?.report
    }

    /// A sentence for each entry of `upstream` whose cause no failure has.
    package func unmet(by causes: Set<FailureCause>) -> [String] {
        upstream.filter { known in !causes.contains { known.covers($0) } }.map {
            "\($0.location): no failure has the cause \(quoted($0.cause.key)) that upstream names"
        }
    }
}
