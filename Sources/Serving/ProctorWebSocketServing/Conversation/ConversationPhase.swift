internal import ProctorServing

/// Where a conversation stands, and what its task has to do.
extension WebSocketConversation {
    enum Phase {
        /// The present turn begins.
        case turn
        /// Something must come.
        case expecting
        case echoing
        /// A script does its next step.
        case scripting
        /// A script waits for a message: with a limit of its own, or as long as a client may be silent.
        case receiving, listening
        /// A script waits for a moment, and messages are kept for it meanwhile.
        case pausing
        /// All turns are over.
        case resting

        /// Whether the turn says how long the wait for the client is.
        var hasOwnLimit: Bool { self == .expecting || self == .receiving || self == .pausing }
    }

    enum Step {
        /// For bytes of the client.
        case wait
        /// Something has to happen before bytes can be read.
        case giveTurn
        /// Others have their turn.
        case yield
        case apart(() async throws(ConnectionEnd) -> Void)
    }
}
