import ProctorBase

/// A value of a run's state that was set, changed or removed.
public struct StateChange: Sendable, Equatable {
    package let name: [UInt8]
    /// The new value; nil where it was removed.
    package let value: [UInt8]?
    package let cause: Cause

    package enum Cause: String, Sendable, CaseIterable {
        /// The reply that was chosen.
        case reply
        /// A call of the control API.
        case call
    }

    package init(_ name: [UInt8], value: [UInt8]?, by cause: Cause) {
        (self.name, self.value, self.cause) = (name, value, cause)
    }
}

/// A change of the state that is not possible: none of the reply's changes was made, and the request got no reply of
/// the scenario.
public struct StateRefusal: Error, Sendable, Equatable {
    package let name: [UInt8]
    /// What is wrong, with the bound where there is one: `the value has 70000 bytes; at most 65536 are permitted`.
    package let reason: String

    package init(_ name: [UInt8], reason: String) {
        (self.name, self.reason) = (name, reason)
    }

    package var sentence: String {
        "the state \"\(EscapedText.escape(name, limit: 200))\" can't be changed: \(reason)"
    }
}
