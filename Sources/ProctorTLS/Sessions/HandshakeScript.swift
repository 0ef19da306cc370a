/// What a server does on purpose in the middle of its handshake.
///
/// The socket still speaks raw bytes then; ``TLSSession/send(alert:)`` and ``TLSSession/spoil(_:)`` concern the next
/// record of the flight.
public protocol HandshakeScript: AnyObject {
    /// Called at each moment that the handshake comes to, once; everything before it has been handed to the system.
    ///
    /// Throws to end the handshake, by ``HandshakeFailure/ended`` as a rule; the caller of the handshake then closes.
    func reach(_ moment: HandshakeMoment, of session: TLSSession) async throws(HandshakeFailure)
}

/// Whom a client asks in the middle of a handshake, which waits for the answer.
///
/// On the loop's thread.
public protocol TLSClientQuestions: AnyObject {
    /// Whether to go on with the server, whatever the verdict says.
    func trust(_ verdict: TLSTrust) async -> Bool
    /// Whom to be for a server that asks for a certificate by these authorities (names in DER); nil goes on as nobody.
    func identity(authorities: [[UInt8]]) async -> ClientIdentity?
}
