internal import ProctorLoop
internal import ProctorTLS
import ProctorTLSWire

// Faults of TLS; where it is not spoken they do nothing, which the loader sees to.
extension Player {
    private var session: TLSSession? { handshaking ?? socket.layer as? TLSSession }

    /// A fatal alert behind everything that was sent, then FIN without close_notify.
    func alert(_ number: UInt8) async throws(ConnectionEnd) {
        guard let session else { return }
        if handshaking == nil { try await drain(session) }
        guard session.send(alert: number) else {
            throw .sourceFailed(
                "the alert \(number) can't be sent: the session has ended already, or its keys are not known")
        }
        try await drain(session)
        socket.sendsCloseNotify = false
        throw .oursInOrder
    }

    /// Once a handshake is complete close_notify stands before FIN, though the socket speaks raw bytes still.
    func sayGoodbyeBehindHandshake() async throws(ConnectionEnd) {
        guard let handshaking else { return }
        handshaking.sendCloseNotify()
        try await drain(handshaking)
    }

    /// The record that follows the last byte that was sent.
    func spoilNextRecord(_ fault: TLSRecordFault) async throws(ConnectionEnd) {
        guard let session else { return }
        // What stands in the queue in a handshake is the rest of its flight.
        if handshaking == nil { try await drain(session) }
        session.spoil(fault)
    }

    /// Waits until the system has taken what stands in the session's queue.
    private func drain(_ session: TLSSession) async throws(ConnectionEnd) {
        while true {
            guard session.flush(to: socket) == 0 else { throw .peerReset }
            guard session.unsentByteCount > 0 else { return }
            do throws(SocketError) {
                try await socket.waitToSend(within: bounds.progress)
            } catch {
                throw ConnectionEnd(error)
            }
        }
    }
}
