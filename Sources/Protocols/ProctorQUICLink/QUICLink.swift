package import ProctorBase
package import ProctorLoop
package import ProctorQUICWire
package import ProctorTLS
package import ProctorTLSWire

/// What CONNECTION_CLOSE says (RFC 9000 §19.19).
package struct QUICClose: Sendable, Equatable {
    /// Whether the code is one of HTTP/3, or of another protocol above QUIC.
    package var isOfApplication: Bool
    package var code: UInt64
    package var reason: [UInt8]

    package init(isOfApplication: Bool, code: UInt64, reason: [UInt8]) {
        (self.isOfApplication, self.code, self.reason) = (isOfApplication, code, reason)
    }

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
    /// The peer knows nothing of the connection any more, as a stateless reset says (RFC 9000 §10.3).
    case resetByPeer
    /// Nothing came for the idle timeout of either end (RFC 9000 §10.1).
    case idle
    /// The handshake took too long.
    case handshakeTimeout
    /// The server has no version of ours (RFC 9000 §6.2).
    case noCommonVersion
    /// Without a word to the peer.
    case dropped
}

/// What happened on a connection; the handler gets events in their order.
package enum QUICEvent: Sendable, Equatable {
    /// The whole ClientHello has come: the owner calls ``QUICLink/beginHandshake(_:)`` or ``QUICLink/refuse(alert:reason:)``, now or
    /// later.
    indirect case helloReceived(ClientHello)
    /// The server has shown a certificate: the owner calls ``QUICLink/answerTrust(_:)``, now or later.
    indirect case asksForTrust(TLSTrust)
    /// The server asks for a certificate: the owner calls ``QUICLink/answerIdentity(_:)``, now or later; the names of authorities
    /// are in DER.
    case asksForIdentity([[UInt8]])
    indirect case handshakeCompleted(QUICAgreement)
    /// Bytes of a stream in their order; `ends` tells that FIN is behind them.
    case received(stream: UInt64, [UInt8], ends: Bool)
    case reset(stream: UInt64, code: UInt64)
    /// STOP_SENDING: the peer reads no more of what we send on the stream.
    case stopped(stream: UInt64, code: UInt64)
    /// The peer has acknowledged bytes.
    case acknowledged(stream: UInt64)
    /// The peer has given the stream a larger window.
    case windowGrown(stream: UInt64)
    /// Streams have room again that ``QUICLink/room(on:)`` had not for what others had queued, or that
    /// ``QUICLink/awaitRoom()`` asks for.
    case hasRoom
    /// Both directions are over.
    case streamClosed(stream: UInt64)
    /// The server permits more streams than before (RFC 9000 §19.11).
    case streamsPermitted
    /// Nothing has come or gone for a second: what the connection needs only while it is used was given back.
    case rested
    indirect case ended(QUICEnd)
}

/// What a handshake has agreed on.
package struct QUICAgreement: Sendable, Equatable {
    package let applicationProtocol: String?
    /// nil if the client named none.
    package let serverName: String?
    /// `TLS_AES_128_GCM_SHA256`.
    package let cipherSuite: String
    /// `x25519`; nil if it is not known.
    package let group: String?

    package init(applicationProtocol: String?, serverName: String?, cipherSuite: String, group: String?) {
        (self.applicationProtocol, self.serverName, self.cipherSuite) = (applicationProtocol, serverName, cipherSuite)
        self.group = group
    }
}

/// How far one stream is queued, and how far packets have had it.
package struct SendingProgress: Sendable, Equatable {
    package var queuedByteCount: Int
    package var sentByteCount: Int
    /// Whether FIN is queued, and whether it was sent.
    package var ends: Bool
    package var hasSentEnd: Bool

    package init(queuedByteCount: Int, sentByteCount: Int, ends: Bool, hasSentEnd: Bool) {
        (self.queuedByteCount, self.sentByteCount) = (queuedByteCount, sentByteCount)
        (self.ends, self.hasSentEnd) = (ends, hasSentEnd)
    }

    /// Counts with FIN as one byte more.
    package var queued: Int { queuedByteCount + (ends ? 1 : 0) }
    package var sent: Int { sentByteCount + (hasSentEnd ? 1 : 0) }
}

/// The owner of what happens on a connection; called on its loop, never from within a call of ``QUICLink``.
package protocol QUICConnectionHandler: AnyObject {
    func receive(_ event: QUICEvent, on connection: any QUICLink)
    /// The datagrams that had come are read; what is queued now is sent with all that they gave rise to.
    func didReadDatagrams(on connection: any QUICLink)
    /// Packets have had what could be sent; called also within ``QUICLink/flush()``, and asks for counts alone.
    ///
    /// `time` is from before the first of them went out, in MonotonicClock nanoseconds.
    func didSend(on connection: any QUICLink, at time: UInt64)
    /// What waits on a stream is not sent any more; called as ``didSend(on:)`` is.
    func didDrop(_ stream: UInt64, at progress: SendingProgress, on connection: any QUICLink)
}

extension QUICLink {
    /// Queues bytes, and FIN behind them.
    package func send(_ bytes: [UInt8], on stream: UInt64, ends: Bool) { send(bytes, [], on: stream, ends: ends) }
}

extension QUICConnectionHandler {
    package func didReadDatagrams(on connection: any QUICLink) {}
    package func didSend(on connection: any QUICLink, at time: UInt64) {}
    package func didDrop(_ stream: UInt64, at progress: SendingProgress, on connection: any QUICLink) {}
}

/// One connection of QUIC, either end, whichever library has it; loop thread only.
///
/// Calls queue what is to be sent; ``flush()`` sends it.
package protocol QUICLink: AnyObject {
    /// Counted by the endpoint, from 1.
    var number: Int { get }
    /// Where the peer's packets come from.
    var peer: SocketAddress { get }
    /// nil while the connection goes on.
    var end: QUICEnd? { get }
    /// When a datagram of the peer came last, in nanoseconds of ``MonotonicClock``.
    var heardAt: UInt64 { get }

    /// Goes on with the handshake, with this certificate; called once by a server, behind ``QUICEvent/helloReceived(_:)``.
    func beginHandshake(_ context: QUICServerContext)
    /// Ends the handshake by an alert (RFC 9001 §4.8).
    func refuse(alert: UInt8, reason: String)
    /// Goes on with a client's handshake, behind ``QUICEvent/asksForTrust(_:)``.
    func answerTrust(_ isTrusted: Bool)
    /// Goes on with a client's handshake, behind ``QUICEvent/asksForIdentity(_:)``; nil shows no certificate.
    func answerIdentity(_ identity: ClientIdentity?)
    /// Opens a stream for a request; nil if the peer permits none.
    func openRequestStream() -> UInt64?
    /// How many streams for requests the peer permits besides those that were opened.
    var requestStreamsLeft: Int { get }
    /// Whether PING keeps the connection from its idle timeout (RFC 9000 §10.1.2).
    func keepAlive(_ isWanted: Bool)
    /// Opens a unidirectional stream; nil if the peer permits none.
    func openStream() -> UInt64?
    /// Queues bytes of a frame, its head and its content, and FIN behind them.
    func send(_ head: [UInt8], _ content: ArraySlice<UInt8>, on stream: UInt64, ends: Bool)
    /// Bytes of a stream that wait or are not acknowledged.
    func byteCount(on stream: UInt64) -> Int
    /// Bytes of a stream that no packet has had yet.
    func unsentByteCount(on stream: UInt64) -> Int
    /// How far a stream was queued and sent; nil where nothing waits, and nothing is unacknowledged.
    func progress(of stream: UInt64) -> SendingProgress?
    /// Bytes that may be queued on the stream now, so that little waits in memory: no more than the peer's windows take, and
    /// 64 KiB of all streams.
    func room(on stream: UInt64) -> Int
    /// Bytes that may be queued now on all streams together, whatever their own windows take.
    var room: Int { get }
    /// Lets the next ``flush()`` that leaves room, or ``QUICEvent/hasRoom``, tell of it, though there may be some now.
    func awaitRoom()
    /// Lets the peer send as many bytes more on the stream and the connection: all that comes counts until then (RFC 9000
    /// §4.1).
    func credit(_ byteCount: Int, on stream: UInt64)
    /// Sends RESET_STREAM, and drops what waits on the stream.
    func reset(_ stream: UInt64, code: UInt64)
    /// Sends STOP_SENDING.
    func stop(_ stream: UInt64, code: UInt64)
    /// Sends all that congestion control and the peer's windows permit now.
    ///
    /// Returns true where streams have room again that ``room(on:)`` had not for what others had queued, or that
    /// ``awaitRoom()`` asks for.
    @discardableResult
    func flush() -> Bool
    /// Sends CONNECTION_CLOSE; nothing is sent or read after it but the same again (RFC 9000 §10.2.1).
    func close(_ close: QUICClose)
    /// Ends the connection without a word to the peer.
    func drop()
    /// Ends the connection as an end does that knows nothing of it any more: by a stateless reset, and one for each packet that
    /// still comes (RFC 9000 §10.3). A peer that was told no token learns nothing.
    func abort()
}

/// Connections of QUIC at one UDP port, of a server or of a client; safe from any thread.
package protocol QUICPort: Sendable {
    var address: SocketAddress { get }
    /// Serves until ``stop(_:)``, or until the task is cancelled; then all connections are dropped.
    ///
    /// A client's port is served until its connection is over.
    func serve() async
    /// Closes each connection with this code, and ends ``serve()``.
    func stop(_ close: QUICClose)
    /// Closes the port before it is served; loop thread only.
    func close()
}

/// A library of QUIC, which is handed from above to the server, and to the client.
package protocol QUICTransport: Sendable {
    /// Binds at once; loop thread only. `accept` gets each new connection, before its handshake, and gives the owner of its
    /// events.
    func open(
        on loop: EventLoop, at address: SocketAddress, limits: QUICLimits,
        accept: @escaping @Sendable (any QUICLink) -> any QUICConnectionHandler
    ) throws(CallFailure) -> any QUICPort

    /// Sends the first packet of a client's connection, from a UDP port of its own; loop thread only.
    ///
    /// `host` is what the certificate must name. Nothing else happens before the caller runs ``QUICPort/serve()``.
    func dial(
        on loop: EventLoop, to server: SocketAddress, host: String, context: QUICClientContext, limits: QUICLimits,
        handler: any QUICConnectionHandler
    ) throws(CallFailure) -> (port: any QUICPort, link: any QUICLink)
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
    /// How each new address is validated before its connection costs memory (RFC 9000 §8.1.2); nil: while ``handshakes`` are
    /// not under way, none is.
    package var retry: Retry?
    /// With so many handshakes under way, each new address is validated too: those who make up addresses then cost
    /// nothing.
    package var handshakes = 100
    /// With so many under way, first packets are not answered at all, whatever their address has shown; a client sends its own
    /// again (RFC 9002 §6.2).
    package var mostHandshakes = 256
    /// Nanoseconds that a token of Retry is good for.
    package var tokenLifetime: UInt64 = 10_000_000_000
    /// Called with each datagram that is dropped before a library gets it, and with what is left of one; on the loop's thread.
    package var didDrop: @Sendable (DatagramFault) -> Void = { _ in }

    /// The packets that ask for a token.
    package enum Retry: Sendable {
        case once
        /// A second one follows, with another token: a client drops it, since it takes one alone (RFC 9000 §17.2.5.2).
        case twice
        /// One before it that a client must drop, since its integrity tag is wrong (RFC 9000 §17.2.5.2).
        case unauthentic
    }

    package init() {}
}
