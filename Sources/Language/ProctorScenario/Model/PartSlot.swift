internal import ProctorBase

/// The place where a module above the core puts the functions by which the core checks and serves a part of a scenario.
///
/// Filled once, before the first scenario is read (`ServerModules.register()`); safe from any thread. It is looked up where a scenario
/// is read or compiled and where a run begins, and never for each request.
package final class PartSlot<Part: Sendable>: Sendable {
    /// As messages name what is missing: "the server of DNS".
    package let noun: String
    private let content = Locked<Part?>(nil)

    package init(_ noun: String) { self.noun = noun }

    package func register(_ part: Part) { content.withLock { $0 = part } }

    /// nil: no module of the program has registered it.
    package var part: Part? { content.withLock { $0 } }

    /// What is missing, as a sentence; nil: nothing is.
    package var missing: String? { part == nil ? "\(noun) is not in this program" : nil }
}

/// What is said of a part that is not in the program.
package enum MissingPart {
    package static let remedy = "leave it out, or have the program built with the module"

    /// `SOCKS is not in this program`.
    package static func sentence(_ noun: String) -> String { "\(noun) is not in this program" }
}
