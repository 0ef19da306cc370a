/// One thing that a ``WebSocketReader`` has read.
///
/// A frame of data: ``frame(_:offset:)``, ``messageBegan(_:isCompressed:)`` with the first one, ``content(_:)`` as it
/// comes, ``frameEnded``, and ``messageEnded`` behind the last one. A control frame: ``frame(_:offset:)``, then one of
/// ``close(_:reason:)``, ``ping(_:)`` and ``pong(_:)``, then ``frameEnded``. Violations stand where they are found.
package enum WebSocketEvent: Sendable, Equatable {
    /// A head, and where it begins: bytes from the first byte behind the handshake.
    case frame(WebSocketFrameHead, offset: Int)
    case messageBegan(MessageKind, isCompressed: Bool)
    /// Some bytes of the message, without mask and inflated; never empty.
    case content([UInt8])
    case frameEnded
    /// Not for a message of which something was left out.
    case messageEnded
    /// nil where the payload has no code.
    case close(CloseCode?, reason: [UInt8])
    case ping([UInt8])
    case pong([UInt8])
    case violation(WebSocketViolation)

    package enum MessageKind: String, Sendable, CaseIterable {
        case text, binary
    }
}

/// Bounds of a reader.
package struct WebSocketLimits: Sendable, Equatable {
    /// Bytes of one payload.
    package var frameByteCount = 16 << 20
    /// Bytes of one message, inflated.
    package var messageByteCount = 16 << 20
    /// Frames of one message.
    package var fragmentCount = 65_536

    package init() {}
}
