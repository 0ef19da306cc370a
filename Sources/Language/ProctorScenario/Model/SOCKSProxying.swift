package import ProctorJournal

/// What a module hands over of SOCKS.
package struct SOCKSProxying: Sendable {
    package static let slot = PartSlot<SOCKSProxying>("SOCKS")

    package let open: @Sendable (SOCKSProgram) -> any SOCKSOpening

    package init(open: @escaping @Sendable (SOCKSProgram) -> any SOCKSOpening) { self.open = open }
}

/// What is said on a connection to a proxy of SOCKS before its tunnel; knows no socket.
package protocol SOCKSOpening {
    /// Stores bytes that the client has sent.
    mutating func store(_ bytes: [UInt8])
    /// What is to be done next; after ``SOCKSStep/tunnel(authority:rest:)`` and ``SOCKSStep/close`` nothing is.
    mutating func nextStep() -> SOCKSStep
    /// What is wrong where the client sends no more.
    mutating func finish() -> SOCKSNote?
    /// The bytes of the reply that says what a status says of a CONNECT, in the version of the request.
    func reply(ofStatus status: Int) -> [UInt8]
}

/// One thing that the server does for a proxy of SOCKS.
package enum SOCKSStep: Sendable {
    /// Reads more bytes of the client.
    case receive
    case write([UInt8])
    /// Sends bytes of the fixture with the effects between them; `place` has them in the journal.
    case send([BodyPiece], place: String)
    case note(SOCKSNote)
    /// Closes the connection.
    case close
    /// Begins the tunnel to an authority, as for a CONNECT (RFC 9110 §9.3.6); the rest are bytes behind the request.
    case tunnel(authority: [UInt8], rest: [UInt8])
}
