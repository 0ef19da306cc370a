public import ProctorTrace

/// A callback rule, and a way to break it.
public struct BrokenRule: Sendable {
    /// The rule that a trace of this client breaks, and no other.
    public let rule: RuleNumber
    /// What is done in its place.
    public var breakage: Breakage

    /// Breaks nothing before a hook is set; `letter` tells a second way to break a rule from the first.
    package init(_ rule: RuleNumber, letter: String = "", _ name: String, as shape: ReferenceShape = .session) {
        self.rule = rule
        breakage = Breakage("\(rule)\(letter)", name, as: shape)
    }
}
