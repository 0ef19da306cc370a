/// A mistake of a WebSocket on purpose (RFC 6455, RFC 7692), by the label of its breakage.
///
/// `faults.tsv` says what each does.
package enum WebSocketFault: String, Sendable, CaseIterable {
    // The opening handshake.
    case constantKey = "ws-constant-key"
    case otherVersion = "ws-other-version"
    case takesAnyAccept = "ws-takes-any-accept"
    case takesAnyUpgrade = "ws-takes-any-upgrade"
    case takesAnyProtocol = "ws-takes-any-protocol"
    case takesAnyExtension = "ws-takes-any-extension"
    case opensEarly = "ws-opens-early"
    case connectsUnasked = "ws-connects-unasked"

    // Frames that are sent.
    case noMask = "ws-no-mask"
    case constantMask = "ws-constant-mask"
    case longLengths = "ws-long-lengths"
    case splitsMessages = "ws-splits-messages"
    case noPong = "ws-no-pong"
    case emptyPong = "ws-empty-pong"
    case noCloseReply = "ws-no-close-reply"
    case sendsAfterClose = "ws-sends-after-close"
    case noClose = "ws-no-close"
    case failsSilently = "ws-fails-silently"

    // Frames that are received.
    case takesReservedBits = "ws-takes-reserved-bits"
    case takesUnknownOpcodes = "ws-takes-unknown-opcodes"
    case takesMaskedFrames = "ws-takes-masked-frames"
    case takesInvalidText = "ws-takes-invalid-text"
    case takesLongControlFrames = "ws-takes-long-control-frames"
    case takesFragmentedControlFrames = "ws-takes-fragmented-control-frames"
    case takesStrayContinuations = "ws-takes-stray-continuations"
    case takesAnyCloseCode = "ws-takes-any-close-code"
    case takesAnyLength = "ws-takes-any-length"
    case deliversFragments = "ws-delivers-fragments"
    case neverInflates = "ws-never-inflates"
    case forgetsKind = "ws-forgets-kind"
    case deliversAfterClose = "ws-delivers-after-close"
    case takesAnyEnd = "ws-takes-any-end"
}
