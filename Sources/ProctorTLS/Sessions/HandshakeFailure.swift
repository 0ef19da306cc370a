/// Why a handshake did not come to its end.
public enum HandshakeFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// TLS can't go on, by OpenSSL's reasons or by the peer's alert; one sentence.
    case failed(String)
    /// The client did not trust the server, and has told it so by an alert.
    case untrusted(TLSTrust)
    /// The peer ended the connection, or it broke, before the handshake was complete.
    case peerLeft
    /// The limit passed.
    case timedOut
    /// ``Socket/cancel()`` was called, or the socket was closed.
    case cancelled
    /// A ``HandshakeScript`` ended it, or a fault that was asked for.
    case ended

    /// One sentence without a full stop.
    public var description: String {
        switch self {
        case .failed(let sentence): sentence
        case .untrusted(let trust): "the server is not trusted: \(trust.reason)"
        case .peerLeft: "the peer left before the handshake was complete"
        case .timedOut: "the handshake was not complete in time"
        case .cancelled: "the handshake was cancelled"
        case .ended: "the handshake was ended on purpose"
        }
    }
}
