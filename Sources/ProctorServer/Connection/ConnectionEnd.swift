internal import ProctorJournal
internal import ProctorLoop

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Why a connection's conversation is over; thrown through the layers and handled in one place.
enum ConnectionEnd: Error {
    /// The peer sent FIN.
    case peerClosed
    /// The peer sent RST, or the connection failed in another way.
    case peerReset
    /// One of the server's time limits passed.
    case timedOut
    /// The run or the server ends.
    case stopped
    /// The peer's bytes could not be read, and the peer was told so.
    case refused
    /// The server is done and closes in order: FIN, then it reads on until the peer has everything.
    case oursInOrder
    /// The connection became one of another origin, whose end is noted already.
    case tunnelEnded
    /// Closed or reset already, by an effect.
    case oursDone(JournalEvent.Ending)
    /// TLS can't go on: why, as a sentence.
    case insecure(String)
    /// What the reply promised can't be sent; why, as half a sentence.
    case sourceFailed(String)

    init(_ error: SocketError) {
        switch error {
        case .layerFailed(let sentence): self = .insecure(sentence)
        case .timedOut: self = .timedOut
        case .cancelled: self = .stopped
        case .failed: self = .peerReset
        }
    }

    /// How the journal tells it; nil where that is done.
    var event: JournalEvent? {
        switch self {
        case .tunnelEnded: nil
        case .peerClosed: .connectionClosed(by: .client, how: .closed)
        case .peerReset: .connectionClosed(by: .client, how: .reset)
        case .insecure: .connectionClosed(by: .server, how: .refused)
        case .timedOut: .connectionClosed(by: .server, how: .timedOut)
        case .stopped: .connectionClosed(by: .server, how: .stopped)
        case .refused: .connectionClosed(by: .server, how: .refused)
        case .oursInOrder, .sourceFailed: .connectionClosed(by: .server, how: .closed)
        case .oursDone(let how): .connectionClosed(by: .server, how: how)
        }
    }
}
