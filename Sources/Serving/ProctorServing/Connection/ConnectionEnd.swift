package import ProctorJournal
package import ProctorLoop
package import ProctorReplies

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Why a connection's conversation is over; thrown through the layers and handled in ``Connection/serve()``.
package enum ConnectionEnd: Error {
    case peerClosed
    /// The peer sent RST, or a system call on the connection failed.
    case peerReset
    /// The end of a stream of HTTP/2 alone: RST_STREAM was sent or received.
    case streamReset
    /// The end of a stream of HTTP/2 alone: an effect has ended it.
    case streamEnded
    /// A time limit of the server passed.
    case timedOut
    case stopped
    /// The peer's bytes are malformed, and the peer got a refusal.
    case refused
    /// The server closes in order: FIN, then it reads until the peer has everything.
    case serverCloses
    /// The tunnel has ended; its own connection has noted the end.
    case tunnelEnded
    /// An effect has closed or reset the connection.
    case serverEnded(JournalEvent.Ending)
    /// TLS can't continue; the reason, as a sentence.
    case insecure(String)
    /// The reply's content can't be read; the reason, as half a sentence.
    case sourceFailed(String)
    /// The reply can't be made, and nothing of it was sent; the reason, as a sentence without a subject.
    case unanswerable(String)

    package init(_ error: SocketError) {
        switch error {
        case .layerFailed(let sentence): self = .insecure(sentence)
        case .timedOut: self = .timedOut
        case .cancelled: self = .stopped
        case .failed: self = .peerReset
        }
    }

    package init(_ failure: ReplyFailure) {
        switch failure {
        case .sourceFailed(let reason): self = .sourceFailed(reason)
        case .unanswerable(let reason): self = .unanswerable(reason)
        }
    }

    /// What a part of a reply comes to, or the end of its connection.
    @inline(__always)
    package static func rethrow<Value>(_ body: () throws(ReplyFailure) -> Value) throws(ConnectionEnd) -> Value {
        do throws(ReplyFailure) {
            return try body()
        } catch {
            throw ConnectionEnd(error)
        }
    }

    /// Whether the peer has left, or has ended the stream.
    package var isOfPeer: Bool {
        switch self {
        case .peerClosed, .peerReset, .streamReset: true
        case .streamEnded, .timedOut, .stopped, .refused, .serverCloses, .tunnelEnded, .serverEnded, .insecure,
            .sourceFailed, .unanswerable:
            false
        }
    }

    /// Whether the server reads on after its FIN, so that the peer receives the last bytes.
    package var readsOn: Bool {
        switch self {
        case .serverCloses, .refused, .sourceFailed, .insecure, .unanswerable: true
        case .peerClosed, .peerReset, .streamReset, .streamEnded, .timedOut, .stopped, .serverEnded, .tunnelEnded: false
        }
    }

    /// Whether FIN is sent before the socket is closed; TLS also sends close_notify with it (RFC 8446 §6.1).
    func sendsFIN(throughTLS: Bool) -> Bool {
        switch self {
        case .serverCloses, .refused, .sourceFailed, .insecure, .unanswerable: true
        case .peerClosed, .timedOut, .stopped: throughTLS
        case .peerReset, .streamReset, .streamEnded, .serverEnded, .tunnelEnded: false
        }
    }

    /// Why a reply was cut off, as half a sentence for the journal; nil for an intended end.
    var failureReason: String? {
        switch self {
        case .peerClosed: "the client closed the connection"
        case .peerReset: "the client reset the connection"
        case .streamReset: "the stream was reset"
        case .timedOut: "the client took nothing for too long"
        case .stopped: "the server was stopped"
        case .sourceFailed(let reason), .insecure(let reason), .unanswerable(let reason): reason
        case .refused, .serverCloses, .streamEnded, .serverEnded, .tunnelEnded: nil
        }
    }

    /// What the journal says of a reply of which so many bytes went out.
    package func replyEvent(status: Int?, sentByteCount: Int) -> JournalEvent {
        guard let failureReason else { return .replySent(status: status, byteCount: sentByteCount) }
        return .replyAborted(sentByteCount: sentByteCount, reason: failureReason, client: ofClient)
    }

    /// How the client has ended a reply; nil where it has not.
    var ofClient: JournalEvent.ClientEnd? {
        switch self {
        case .peerClosed: .left
        case .peerReset, .streamReset: .reset
        default: nil
        }
    }

    /// Why a reply that waited for content of its request was cut off, as half a sentence; nil for an intended end.
    var reasonOfReading: String? {
        switch self {
        case .refused: "the request's content is malformed"
        case .timedOut: "the client sent nothing for too long"
        default: failureReason
        }
    }

    /// The journal's event; nil where the end is already noted.
    package var event: JournalEvent? {
        switch self {
        case .tunnelEnded, .streamReset, .streamEnded: nil
        case .peerClosed: .connectionClosed(by: .client, how: .closed)
        case .peerReset: .connectionClosed(by: .client, how: .reset)
        case .insecure: .connectionClosed(by: .server, how: .refused)
        case .timedOut: .connectionClosed(by: .server, how: .timedOut)
        case .stopped: .connectionClosed(by: .server, how: .stopped)
        case .refused: .connectionClosed(by: .server, how: .refused)
        case .serverCloses, .sourceFailed, .unanswerable: .connectionClosed(by: .server, how: .closed)
        case .serverEnded(let how): .connectionClosed(by: .server, how: how)
        }
    }
}

extension Socket {
    /// Ends the connection after a cut record or an alert: nothing follows, not even close_notify.
    func endWithoutNotify() throws(ConnectionEnd) -> Never {
        sendsCloseNotify = false
        throw .serverCloses
    }
}
