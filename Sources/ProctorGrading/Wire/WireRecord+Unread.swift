import ProctorTrace

extension WireRecord {
    /// Whether the client reset every connection that carried a request, although no reply was meant to break there.
    ///
    /// The system of a client sends RST for a socket that is closed with bytes which nobody has read (RFC 9293 §3.6.1).
    /// Replies with bytes that a client need not read, raw ones and those that an effect cuts, say nothing of it.
    var leavesRepliesUnread: Bool {
        let used = connections.filter { !$0.requests.isEmpty }
        return !used.isEmpty
            && used.allSatisfy { connection in
                guard let end = connection.end, end.by == .client, end.how == .reset else { return false }
                return connection.requests.allSatisfy { isPlain(requests[$0]) }
            }
    }

    private func isPlain(_ request: SeenRequest) -> Bool {
        guard !request.isReplyCut else { return false }
        guard let reply = request.reply else { return true }
        return reply.content != nil
    }
}
