package import ProctorTrace

/// How often each event has come, for the moments at which a step acts.
package struct MomentCounts: Sendable {
    private var counts: [EventName: Int] = [:]

    /// None so far.
    package init() {}

    /// Counts one more; what is given back tells whether a moment is now.
    package mutating func count(_ event: EventName) -> @Sendable (Assignment.Moment?) -> Bool {
        let count = counts[event, default: 0] + 1
        counts[event] = count
        return { $0?.event == event.rawValue && $0?.count == count }
    }
}
