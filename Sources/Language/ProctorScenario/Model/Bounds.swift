import ProctorCoding

/// Bounds of one fixture that more than one message names.
package enum Bounds {
    package static let origins = 64
    package static let connectionEffects = 1000
    package static let exchanges = 1000
    /// Guards with a name and without.
    package static let guards = 64
    package static let replies = 1000
    package static let cases = 200
    package static let steps = 100
    /// The most times that a program starts the client again.
    package static let launches = 8
    package static let facts = 1000
    package static let fields = 1000
    /// The most bytes of a generated field value.
    package static let fieldByteCount = 16 << 20
    package static let interim = 1000
    package static let effects = 1000
    package static let chunks = 65_536
    package static let slices = 65_536
    /// The most codings of a reply.
    package static let codings = EncodingChain.depthBound
    package static let parts = 1000
    /// The most bytes of the text after `contains`, in the content of a request.
    package static let containedByteCount = 65_536
    package static let answers = 1000
    /// The most values of a form or a query that a client encodes.
    package static let values = 1000
    /// The most acts before one step.
    package static let actsByHand = 100
    /// The most notes of a response that is to be stored.
    package static let notes = 100
    package static let protocolCalls = 1000
    /// The most acts of a conversation over a WebSocket, and the most messages of one act.
    package static let messages = 1000
    /// The most acts of a step that sends given bytes, and the most connections of it.
    package static let byteActs = 200, byteConnections = 16
    /// The most bytes of a message that a client sends over a WebSocket.
    package static let messageByteCount = 1 << 20
    /// The most bytes of the reason in a Close frame, behind its code (RFC 6455 §5.5).
    package static let closeReason = 123
    package static let specs = 100
    package static let demands = 20
    package static let times = 1...1_000_000
    /// Indexes of steps.
    package static let stepIndexes = 0...(steps - 1)
    /// Bytes of content that a client's source tells or gives.
    package static let sourceBytes = 0...(32 << 20)
    /// Decoded bytes that a client's limit permits.
    package static let decodedBytes = 1...(1 << 30)
    /// The most names in one `when` or `sets`.
    package static let states = 64
    package static let libraries = 16
    /// The numbers that `add` may add to a value of the state.
    package static let added = -1_000_000_000_000...1_000_000_000_000
    package static let status = 100...999
    package static let bodyByteCount = 1 << 40
    package static let waitNanoseconds = 600_000_000_000
    /// The greatest index of a connection, request or step.
    package static let index = 0...999_999
}
