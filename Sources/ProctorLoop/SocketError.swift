public import ProctorBase

/// Why a socket operation did not come to its end.
public enum SocketError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The system refused; a reset by the peer is `ECONNRESET` or `EPIPE` in here.
    case failed(CallFailure)
    /// What the bytes go through can't go on: the peer broke TLS, or says that we did; one sentence.
    case layerFailed(String)
    /// The deadline of the wait passed.
    case timedOut
    /// ``Socket/cancel()`` was called.
    case cancelled

    /// The system's sentence, or which of our bounds ended the wait.
    public var description: String {
        switch self {
        case .failed(let failure): failure.description
        case .layerFailed(let sentence): sentence
        case .timedOut: "timed out"
        case .cancelled: "cancelled"
        }
    }
}
