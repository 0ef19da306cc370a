extension RequestReader {
    /// Leaves the content of the current request unread: the next byte is one of the next head.
    ///
    /// Only for a client that asked whether to send its content, was answered with a final status, and so keeps it
    /// (RFC 9110 §10.1.1). Does nothing between requests, and nothing after a refusal.
    public mutating func leaveContent() {
        guard state == .content else { return }
        pending = []
        state = .head
        position = 0
    }
}
