internal import ProctorBase

/// Changes which calls a shape makes of its delegate; for clients that are broken on purpose.
package protocol CallFilter<Call> {
    associatedtype Call: Sendable

    /// What is made in place of one call; on the loop's thread, in the order of the calls.
    mutating func filter(_ call: Call) -> [PlacedCall<Call>]
}

/// A call, and where it is made.
package struct PlacedCall<Call: Sendable>: Sendable {
    /// What the delegate is told.
    package var call: Call
    /// On a thread that is not the delegate's.
    package var isElsewhere: Bool
    /// To the session's delegate, although the task has one of its own; other shapes know no such thing.
    package var isForSession: Bool
    /// Closed by the answer to the call; sessions alone know such a thing.
    package var asking: OpenQuestion?
    /// The call is made only as long as this is open; sessions alone know such a thing.
    package var during: OpenQuestion?

    /// Where it belongs, if nothing else is said.
    package init(
        _ call: Call, isElsewhere: Bool = false, isForSession: Bool = false, asking: OpenQuestion? = nil,
        during: OpenQuestion? = nil
    ) {
        self.call = call
        self.isElsewhere = isElsewhere
        self.isForSession = isForSession
        self.asking = asking
        self.during = during
    }
}

/// A question of a delegate, by which a filter makes a call only while nobody has answered.
///
/// Most delegates answer before they return, so that whoever speaks after the question speaks after its answer.
package final class OpenQuestion: Sendable {
    private struct State {
        var isAnswered = false
        var wasUsed = false
    }
    private let state = Locked(State())

    /// Of a question that is about to be asked.
    package init() {}

    /// Whether a call was made while it was open.
    package var wasUsed: Bool { state.withLock { $0.wasUsed } }

    func close() { state.withLock { $0.isAnswered = true } }

    /// Whether a call may be made now, which is then taken to be made.
    func use() -> Bool {
        state.withLock { state in
            if !state.isAnswered { state.wasUsed = true }
            return !state.isAnswered
        }
    }
}
