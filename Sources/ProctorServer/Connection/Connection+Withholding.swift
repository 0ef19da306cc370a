internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorTrace

/// Content that a client may keep back: it has asked for 100 (Continue) and was answered without it (RFC 9110 §10.1.1).
extension Connection {
    /// Whether nothing says yet that the content of the current request will come.
    ///
    /// Bytes that came with the head are content: who sends them has not waited for a reply.
    var mayBeWithheld: Bool {
        guard let head = request.head, head.expectsContinue, !request.wasContinued else { return false }
        return request.hasUnreadContent && request.contentByteCount == 0 && unfinished.isEmpty
            && pendingStart == pending.count
    }

    /// Waits, behind the reply, for what comes next, and tells whether it is another request in place of the content.
    ///
    /// Then the journal says so, and the reader stands before that request. The client's end, or its silence, says the
    /// same.
    func isWithheld(_ log: RequestLog) async throws(ConnectionEnd) -> Bool {
        let method = request.head?.methodBytes ?? []
        while true {
            switch RequestStart.finding(pending[pendingStart...], after: method) {
            case .other: return false
            case .request:
                noteWithheldContent(log)
                reader = endpoint.reader(bounds.request)
                return true
            case .undecided:
                do throws(ConnectionEnd) {
                    try await awaitMore()
                } catch {
                    // What began like a request and is none has come as content.
                    if pendingStart < pending.count { return false }
                    noteWithheldContent(log)
                    throw error
                }
            }
        }
    }

    private func awaitMore() async throws(ConnectionEnd) {
        request.isAwaited = true
        defer { request.isAwaited = false }
        let isOpen: Void?
        do throws(SocketError) {
            isOpen = try await socket.read(within: bounds.idle) { keep($0) }
        } catch {
            throw ConnectionEnd(error)
        }
        guard isOpen == nil else { return }
        throw .peerClosed
    }

    private func noteWithheldContent(_ log: RequestLog) {
        request.isWithheld = true
        log.append(.requestBody(request.body))
    }
}
