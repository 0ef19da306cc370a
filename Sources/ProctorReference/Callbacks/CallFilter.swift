internal import ProctorBase

/// Changes which calls a shape makes; for clients that are broken on purpose.
package protocol CallFilter: Sendable {
    /// What is made in place of one call; on the loop's thread, in the order of the calls.
    mutating func filter(_ call: DelegateCall) -> [PlacedCall]
}

/// The calls of one load before they are made: the one place where a filter changes them.
struct FilteredCalls {
    private var filter: (any CallFilter)?

    /// nil leaves every call as it is.
    init(_ filter: (any CallFilter)?) { self.filter = filter }

    /// Whether calls may be made elsewhere than where they belong.
    var areFiltered: Bool { filter != nil }

    /// What is made in place of one call.
    mutating func calls(for call: DelegateCall) -> [PlacedCall] { filter?.filter(call) ?? [PlacedCall(call)] }
}

/// A call, and where it is made.
package struct PlacedCall: Sendable {
    /// What is told or asked.
    package var call: DelegateCall
    /// On a thread that is not the delegate's.
    package var isElsewhere: Bool
    /// To the session's delegate too, although the task has one of its own; sessions alone know such a thing.
    package var isForSession: Bool
    /// Closed by the answer to the call; sessions alone know such a thing.
    package var asking: OpenQuestion?
    /// The call is made only as long as this is open; sessions alone know such a thing.
    package var during: OpenQuestion?

    /// Where the call belongs, if nothing else is said.
    package init(
        _ call: DelegateCall, isElsewhere: Bool = false, isForSession: Bool = false,
        asking: OpenQuestion? = nil, during: OpenQuestion? = nil
    ) {
        self.call = call
        self.isElsewhere = isElsewhere
        self.isForSession = isForSession
        self.asking = asking
        self.during = during
    }
}

/// A question of a delegate, by which a filter makes a call only while the question has no answer.
///
/// Most delegates answer before they return, so that a call after the question comes after its answer.
package final class OpenQuestion: Sendable {
    private struct State {
        var isAnswered = false
        var wasUsed = false
    }
    private let state = Locked(State())

    /// Of a question that is about to be asked.
    package init() {}

    /// Whether a call was made while the question was open.
    package var wasUsed: Bool { state.withLock { $0.wasUsed } }

    func close() { state.withLock { $0.isAnswered = true } }

    /// Whether a call may be made now; true also notes that it is made.
    func use() -> Bool {
        state.withLock { state in
            if !state.isAnswered { state.wasUsed = true }
            return !state.isAnswered
        }
    }
}
