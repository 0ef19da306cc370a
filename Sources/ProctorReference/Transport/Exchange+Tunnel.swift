internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// Before the request itself: the proxy is asked for a tunnel to its origin (RFC 9110 §9.3.6), and TLS is played in it.
extension Exchange {
    /// Nothing to do where there is a tunnel or no need of one; false where a reply is there that is read on from.
    func openTunnel() async throws(ExchangeEnd) -> Bool {
        guard let connection, connection.needsTunnel else { return true }
        let asked = try await askForTunnelRequest()
        tunnelRequest = asked
        tunnelCredential = asked.fields.first(named: "Proxy-Authorization")
        try await ask(asked, on: connection)
        let head = try await receiveTunnelHead()
        guard 200..<300 ~= head.status else {
            if fault == .takesRefusalForReply {
                tunnelRequest = nil
                return false
            }
            tell(.tunnelRefused(head))
            throw try await leaveRefusal(head)
        }
        try requireSilence(behind: head)
        tell(.tunnelOpened(head))
        try requireWanted()
        try await secure(connection)
        arrival = Arrival()
        tunnelRequest = nil
        lastActivity = MonotonicClock.nanoseconds
        return true
    }

    private func ask(_ asked: ClientRequest, on connection: PooledConnection) async throws(ExchangeEnd) {
        do throws(LoadError) {
            let nothing = try OutgoingBody(.none)
            sending = Sending(try OutgoingHead(asked, nothing, as: .authority, fault: fault), nothing)
        } catch {
            throw .failure(ExchangeFailure(error))
        }
        connection.reader.expectReply(to: Array(asked.method.utf8))
        sendAtOnce()
        guard !sending.isComplete else { return }
        do throws(SendingEnd) {
            try await sendStart(within: idleLimit)
            sending.isComplete = true
        } catch {
            // Reading tells what there is to tell.
            sending.isStopped = true
        }
    }

    /// The final head; interim ones are of no concern to anybody.
    private func receiveTunnelHead() async throws(ExchangeEnd) -> ReplyHead {
        while true {
            while arrival.takeInterim() != nil {}
            if let head = arrival.head { return head }
            try await readMore()
        }
    }

    /// The proxy has said its last word, and the origin can't say anything before this side does (RFC 8446 §2).
    private func requireSilence(behind head: ReplyHead) throws(ExchangeEnd) {
        guard arrival.contentByteCount > 0 else { return }
        throw failure(
            .secureConnectionFailed,
            "\(peer) sent \(arrival.contentByteCount) bytes behind its \(head.status) to \(subject); in a tunnel this "
                + "side speaks first (RFC 8446 §2), so they are nobody's")
    }

    private func leaveRefusal(_ head: ReplyHead) async throws(ExchangeEnd) -> ExchangeEnd {
        // What it says is of the proxy, and nobody's content (RFC 9110 §9.3.6).
        switch try await ask() {
        case .drain, .readOn: return await drain(head)
        case .abort: return .silence
        }
    }

    private func secure(_ connection: PooledConnection) async throws(ExchangeEnd) {
        switch await pool.secure(connection.socket, for: wish, within: { self.idleLimit }) {
        case .success(let secured):
            try requireWanted()
            connection.becomeTunnel(secured)
        case .failure(let error): throw isOver ? .silence : .failure(ExchangeFailure(error))
        }
    }

    private var idleLimit: UInt64 { host?.idleLimit ?? .max }
}
