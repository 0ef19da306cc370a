internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorScenario

/// A connection to a proxy of SOCKS before its tunnel; on the loop's thread only.
///
/// The request becomes a CONNECT of HTTP/1.1, which the exchanges of the proxy answer like any other.
package final class SOCKSConnection {
    private var opening: any SOCKSOpening
    /// Owns this object.
    private unowned let connection: Connection
    /// MonotonicClock nanoseconds by which all has to be said; nil before the first byte.
    private var deadline: UInt64?

    init(_ opening: any SOCKSOpening, _ connection: Connection) {
        (self.opening, self.connection) = (opening, connection)
    }

    /// Returns when a request for CONNECT has come, which the connection's input then has.
    func run() async throws(ConnectionEnd) {
        opening.store(Array(connection.input.buffer.unread))
        connection.input.replaceKept(with: [])
        while true {
            switch opening.nextStep() {
            case .receive: try await receive()
            case .write(let bytes): try await connection.output.write(bytes)
            case .send(let pieces, let place): try await send(pieces, at: place)
            case .note(let note): connection.journals.append(.socks(note))
            case .close: throw .serverCloses
            case .tunnel(let authority, let rest):
                let head = Array("CONNECT ".utf8) + authority + Array(" HTTP/1.1\r\nHost: ".utf8) + authority
                connection.input.read((head + Array("\r\n\r\n".utf8)).span, until: .head)
                connection.input.store(rest.span)
                return
            }
        }
    }

    /// The bytes of the reply that says what a page with this status says of a CONNECT.
    func reply(ofStatus status: Int) -> [UInt8] { opening.reply(ofStatus: status) }

    private func receive() async throws(ConnectionEnd) {
        let bounds = connection.bounds
        let now = MonotonicClock.nanoseconds
        let limit = deadline.map { $0 > now ? $0 - now : 0 } ?? bounds.idle
        var isOpen: Void?
        do throws(SocketError) {
            isOpen = try await connection.socket.read(within: limit) { bytes in
                var received: [UInt8] = []
                received.reserveCapacity(bytes.count)
                for index in bytes.indices { received.append(bytes[index]) }
                opening.store(received)
            }
        } catch {
            throw ConnectionEnd(error)
        }
        if deadline == nil { deadline = MonotonicClock.nanoseconds &+ bounds.head }
        guard isOpen == nil else { return }
        if let note = opening.finish() { connection.journals.append(.socks(note)) }
        throw .peerClosed
    }

    /// Sends bytes of the fixture with the effects between them.
    private func send(_ pieces: [BodyPiece], at place: String) async throws(ConnectionEnd) {
        for piece in pieces {
            let action: Effect.Action
            switch piece {
            case .bytes(let source): action = connection.bound(.send(source))
            case .effect(let effect):
                action = connection.bound(effect)
                connection.journals.append(.effectPlayed(action.row.played(at: place)))
            }
            var cursor = ReplyCursor()
            try await cursor.perform(action, on: connection)
            if connection.output.isHalfClosed {
                try await connection.late.awaitPeer()
                throw .serverEnded(.closed)
            }
        }
    }
}
