/// What the core knows of the server of DNS of runs.
package struct NameServing: Sendable {
    package static let slot = PartSlot<NameServing>("the server of DNS")

    /// The kinds of what can be wrong with a question, as facts have them.
    package let violations: [String]

    package init(violations: [String]) { self.violations = violations }
}

/// How the server of DNS of a scenario replies.
package protocol NameServerProgram: Sendable {
    /// The origins whose addresses it says of a name, in the order of the file.
    var addresses: [(name: String, origins: [Int])] { get }
}
