internal import ProctorScenario
internal import ProctorTLS

/// Plays a connection's effects at the moments of its handshake; loop thread only.
final class HandshakePlay: HandshakeScript {
    private let connection: Connection
    /// The last that was reached.
    private(set) var moment: HandshakeMoment?
    /// How an effect has ended the connection.
    private(set) var end: ConnectionEnd?

    init(_ connection: Connection) {
        self.connection = connection
    }

    func reach(_ moment: HandshakeMoment, of session: TLSSession) async throws(HandshakeFailure) {
        self.moment = moment
        if moment == .end { connection.noteSecured(by: session) }
        guard let position = ConnectionEffect.HandshakePosition(rawValue: moment.rawValue) else { return }
        do throws(ConnectionEnd) {
            try await connection.playScript(at: .handshake(position), in: session)
        } catch {
            end = error
            throw .ended
        }
    }
}
