import ProctorImport

/// One change of one reply of a fixture.
package struct Mutation: Sendable {
    /// The reply: the exchange, and the turn where it has several replies.
    struct Site: Sendable, Equatable {
        let exchange: Int
        let turn: Int?
    }

    let site: Site
    /// What kind of change it is, as the table of mutations calls it.
    package let kind: String
    /// What it does, half a sentence.
    package let text: String
    let apply: @Sendable (inout ReplyTree) -> Void
}

/// A kind of mutation.
struct MutationKind: Sendable {
    let name: String
    /// What to do to the reply; nil where it has no place for it.
    let make: @Sendable (ReplyTree, inout Draws) -> Step?

    struct Step {
        let text: String
        let apply: @Sendable (inout ReplyTree) -> Void
    }

    init(_ name: String, _ make: @escaping @Sendable (ReplyTree, inout Draws) -> Step?) {
        (self.name, self.make) = (name, make)
    }

    /// All of them; a name stands in records, and stays.
    static let all = ofStatusLines + ofFields + ofContent + ofBytes
}
