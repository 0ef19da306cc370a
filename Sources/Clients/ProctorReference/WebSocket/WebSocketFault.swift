/// A mistake of a WebSocket, on purpose; each is one departure from RFC 6455 or RFC 7692.
package enum WebSocketFault: Sendable, Hashable, CaseIterable {
    // The opening handshake.
    /// Sends one key in every handshake.
    case constantKey
    /// Opens whatever Sec-WebSocket-Accept says.
    case takesAnyAccept
    /// Opens without Sec-WebSocket-Accept, Upgrade or Connection in the reply.
    case takesAnyUpgrade
    /// Opens with a protocol that was not offered.
    case takesAnyProtocol
    /// Opens with an extension that was not offered.
    case takesAnyExtension
    /// Says that it is open before the reply was judged.
    case opensEarly
    /// Asks for version 12.
    case otherVersion
    /// Sends an extended CONNECT where the server's SETTINGS do not permit it.
    case connectsUnasked

    // Frames that are sent.
    case noMask
    /// Masks every frame with the same key.
    case constantMask
    /// Sends the length of each payload in eight bytes.
    case longLengths
    /// Sends the fragments of a message with their own opcode in place of 0.
    case splitsMessages
    case noPong
    case emptyPong
    case noCloseReply
    /// Sends a message behind its Close frame.
    case sendsAfterClose
    /// Ends the connection without a Close frame where the program closes.
    case noClose
    /// Fails the connection without a Close frame.
    case failsSilently

    // Frames that are received.
    case takesReservedBits
    case takesUnknownOpcodes
    case takesMaskedFrames
    case takesInvalidText
    case takesLongControlFrames
    case takesFragmentedControlFrames
    case takesStrayContinuations
    case takesAnyCloseCode
    case takesAnyLength
    /// Delivers each fragment as a message.
    case deliversFragments
    /// Delivers compressed content as it came.
    case neverInflates
    /// Delivers every message as a binary one.
    case forgetsKind
    /// Delivers messages that come behind the server's Close frame.
    case deliversAfterClose
    /// Takes the end of the connection without a Close frame for a normal end.
    case takesAnyEnd
}
