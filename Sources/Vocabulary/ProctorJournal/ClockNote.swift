/// The run's clock was set, moved, stopped or let go on.
public struct ClockNote: Sendable, Equatable {
    /// What it shows from then on, in seconds since 1970.
    package let unixSeconds: Int
    /// Whether it stands still.
    package let isFrozen: Bool
    package let cause: Cause

    package enum Cause: String, Sendable, CaseIterable {
        /// The scenario's `clock`, when the run began or was reset.
        case scenario
        /// An effect of a reply or a connection.
        case effect
        /// A call of the control API.
        case call
    }

    package init(unixSeconds: Int, isFrozen: Bool, by cause: Cause) {
        (self.unixSeconds, self.isFrozen, self.cause) = (unixSeconds, isFrozen, cause)
    }
}
