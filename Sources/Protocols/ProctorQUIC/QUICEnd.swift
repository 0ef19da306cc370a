/// What CONNECTION_CLOSE says (RFC 9000 §19.19).
package struct QUICClose: Sendable, Equatable {
    /// Whether the code is one of HTTP/3, or of another protocol above QUIC.
    package var isOfApplication: Bool
    package var code: UInt64
    package var reason: [UInt8]

    package static func application(_ code: UInt64, reason: String = "") -> QUICClose {
        QUICClose(isOfApplication: true, code: code, reason: Array(reason.utf8))
    }

    package static func transport(_ code: UInt64, reason: String = "") -> QUICClose {
        QUICClose(isOfApplication: false, code: code, reason: Array(reason.utf8))
    }
}

/// How a connection ended.
package enum QUICEnd: Sendable, Equatable {
    case closedByPeer(QUICClose)
    case closedByUs(QUICClose)
    /// Nothing came for the idle timeout of either end (RFC 9000 §10.1).
    case idle
    /// The handshake took too long.
    case handshakeTimeout
    /// Without a word to the peer.
    case dropped
}

/// What happened on a connection; the handler gets events in their order.
package enum QUICEvent: Sendable, Equatable {
    case handshakeCompleted(applicationProtocol: String?, serverName: String?)
    /// Bytes of a stream in their order; `ends` tells that FIN is behind them.
    case received(stream: UInt64, [UInt8], ends: Bool)
    case reset(stream: UInt64, code: UInt64)
    /// STOP_SENDING: the peer reads no more of what we send on the stream.
    case stopped(stream: UInt64, code: UInt64)
    /// The peer has acknowledged bytes, so that more may be queued.
    case acknowledged(stream: UInt64)
    /// Both directions are over.
    case streamClosed(stream: UInt64)
    case ended(QUICEnd)
}

/// The owner of what happens on a connection; called on its loop, never from within a call of ``QUICConnection``.
package protocol QUICConnectionHandler: AnyObject {
    func receive(_ event: QUICEvent, on connection: QUICConnection)
}

/// What an endpoint permits.
package struct QUICLimits: Sendable {
    /// Connections at a time; packets of further ones are not answered.
    package var connections = 1_000
    /// Streams that the peer may have open at a time (RFC 9000 §4.6).
    package var bidirectionalStreams: UInt64 = 100
    package var unidirectionalStreams: UInt64 = 16
    /// Bytes that the peer may send on a connection and on a stream before we have read (RFC 9000 §4.1).
    package var connectionWindow: UInt64 = 1 << 20
    package var streamWindow: UInt64 = 256 << 10
    /// Nanoseconds.
    package var idleTimeout: UInt64 = 30_000_000_000
    package var handshakeTimeout: UInt64 = 10_000_000_000
    /// Whether each new address is validated by Retry before its connection costs memory (RFC 9000 §8.1.2).
    package var validatesAddresses = false
    /// With so many handshakes under way, each new address is validated too: those who make up addresses then cost
    /// nothing.
    package var handshakes = 100
    /// Nanoseconds that a token of Retry is good for.
    package var tokenLifetime: UInt64 = 10_000_000_000

    package init() {}
}
