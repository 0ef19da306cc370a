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

    /// Where it belongs, if nothing else is said.
    package init(_ call: Call, isElsewhere: Bool = false, isForSession: Bool = false) {
        self.call = call
        self.isElsewhere = isElsewhere
        self.isForSession = isForSession
    }
}
