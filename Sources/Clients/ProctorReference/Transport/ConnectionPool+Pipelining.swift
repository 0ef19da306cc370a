internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// Pipelining (RFC 9112 §9.3.2): a request that waits for a connection is sent on it before its turn to read has come.
///
/// It goes on waiting, and is granted the connection when the replies before its own are read. Where the connection is
/// lost, it is granted another one like any that waits, and is sent again.
extension ConnectionPool {
    /// The most requests that are sent ahead on one connection.
    private static let depth = 10

    /// Sends waiting requests on a connection whose transfer has sent its own, in the order in which they wait.
    func sendAhead(on connection: PooledConnection) {
        let state = connection.state
        guard limits.pipelines, state.takesRequestsAhead, let group = groups[connection.destination],
            group.mayPipeline(on: connection)
        else { return }
        for request in group.waiting where !request.isGranted && !state.ahead.contains(where: { $0 === request }) {
            guard state.ahead.count < Self.depth, let bytes = (request.asker as? Transfer)?.bytesToSendAhead else {
                return
            }
            let count = connection.socket.writeAtOnce(bytes)
            guard count == bytes.count else {
                // The rest of a request can't follow from here.
                if count > 0 { state.isAheadBroken = true }
                state.takesRequestsAhead = false
                return
            }
            state.ahead.append(request)
        }
    }

    /// Sends a request that has just begun to wait.
    func sendAhead(_ group: ConnectionGroup) {
        guard limits.pipelines, let connection = group.connections.first(where: { !$0.isIdle }) else { return }
        sendAhead(on: connection)
    }

    /// A request that was sent ahead waits no more: its reply would be taken for that of the next one.
    func noteWithdrawn(_ request: PoolRequest, in group: ConnectionGroup) {
        for connection in group.connections where connection.state.ahead.contains(where: { $0 === request }) {
            connection.state.isAheadBroken = true
        }
    }
}

extension ConnectionGroup {
    /// Behind a pipeline that was lost, the first request on the next connection has its reply before another follows.
    fileprivate func mayPipeline(on connection: PooledConnection) -> Bool {
        if hasLostPipeline, !connection.isReused { return false }
        hasLostPipeline = false
        return true
    }
}

extension Transfer {
    /// Whether bytes came behind the reply that belong to no reply of a request that was sent ahead.
    func hasUnaskedBytes(on connection: PooledConnection) -> Bool {
        state.arrival.hasSurplus && connection.state.ahead.isEmpty
    }

    /// The whole request; nil where it can't be sent before its turn: it is not safe, has content, or needs more of a
    /// connection than to be written.
    var bytesToSendAhead: [UInt8]? {
        guard !isOver, isSafe, upgrade == nil, fault == nil, !connectionRequest.wantsNew,
            connectionRequest.destination.tunnelProxy == nil, case .none = request.body, let prepared = try? prepare(),
            !prepared.head.asksToClose, !prepared.head.expectsContinue
        else { return nil }
        return prepared.head.bytes
    }

    /// Whether the method is safe, so that the request can be sent again (RFC 9110 §9.2.1).
    var isSafe: Bool { RegisteredMethods.isSafe(request.method) }

    /// Lets waiting requests follow one that has gone out whole.
    func letOthersFollow() {
        guard let connection = state.connection, state.sending.isComplete, !state.sending.asksToClose, isSafe,
            fault == nil,
            upgrade == nil, !connection.needsTunnel
        else { return }
        connection.state.takesRequestsAhead = true
        pool.sendAhead(on: connection)
    }
}
