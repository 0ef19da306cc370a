internal import ProctorGrading

/// What is judged of a client that sends given bytes through an intermediary: the facts `got[N]`.
package enum Downstream {
    /// Hands them over, for the fixtures and the journals that this process reads from then on; safe from any thread, and again.
    package static func register() { FactGatherers.register(SeenReplies.self) }
}
