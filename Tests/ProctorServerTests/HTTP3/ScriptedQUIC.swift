import ProctorBase
import ProctorLoop
import ProctorQUICLink
import ProctorTLS
import ProctorTLSWire
import Testing

/// A transport whose one connection does what a test says: what was queued is sent when the test wants it.
final class ScriptedQUIC: QUICTransport {
    private let accepting = Locked<(@Sendable (any QUICLink) -> any QUICConnectionHandler)?>(nil)
    private let place = Locked<(loop: EventLoop, address: SocketAddress)?>(nil)

    func open(
        on loop: EventLoop, at address: SocketAddress, limits: QUICLimits,
        accept: @escaping @Sendable (any QUICLink) -> any QUICConnectionHandler
    ) throws(CallFailure) -> any QUICPort {
        accepting.withLock { $0 = accept }
        place.withLock { $0 = (loop, address) }
        return Port(address: address)
    }

    func dial(
        on loop: EventLoop, to server: SocketAddress, host: String, context: QUICClientContext, limits: QUICLimits,
        handler: any QUICConnectionHandler
    ) throws(CallFailure) -> (port: any QUICPort, link: any QUICLink) {
        preconditionFailure("a server dials nobody")
    }

    /// Plays a connection on the loop's thread, from the end of its handshake on.
    func connect(_ play: @escaping @Sendable (ScriptedLink) -> Void) async throws {
        let (loop, address) = try #require(place.withLock { $0 })
        let accept = try #require(accepting.withLock { $0 })
        await withCheckedContinuation { continuation in
            loop.submit {
                let link = ScriptedLink(peer: address)
                let handler = accept(link)
                link.handler = handler
                handler.receive(
                    .handshakeCompleted(
                        QUICAgreement(
                            applicationProtocol: "h3", serverName: nil, cipherSuite: "TLS_AES_128_GCM_SHA256",
                            group: nil)), on: link)
                play(link)
                continuation.resume()
            }
        }
    }

    private final class Port: QUICPort {
        let address: SocketAddress
        private let (stopped, stopping) = AsyncStream<Void>.makeStream()

        init(address: SocketAddress) { self.address = address }

        func serve() async { for await _ in stopped {} }
        func stop(_ close: QUICClose) { stopping.finish() }
        func close() { stopping.finish() }
    }
}

/// A connection that counts what was queued on each stream, and drops it where a stream is reset; loop thread only.
final class ScriptedLink: QUICLink {
    var handler: (any QUICConnectionHandler)?
    private var streams: [UInt64: SendingProgress] = [:]
    private var newest: UInt64 = 3

    let number = 1
    let peer: SocketAddress
    private(set) var end: QUICEnd?
    let heardAt: UInt64 = 0

    init(peer: SocketAddress) { self.peer = peer }

    /// Packets have had so many bytes more of what is queued on a stream; all of it where `byteCount` is nil.
    func sendOut(_ stream: UInt64, _ byteCount: Int? = nil) {
        guard var progress = streams[stream] else { return }
        progress.sentByteCount = byteCount.map { progress.sentByteCount + $0 } ?? progress.queuedByteCount
        progress.hasSentEnd = progress.ends && byteCount == nil
        streams[stream] = progress
        handler?.didSend(on: self, at: MonotonicClock.nanoseconds)
    }

    func drop(_ stream: UInt64) {
        guard let progress = streams.removeValue(forKey: stream), progress.sent < progress.queued else { return }
        handler?.didDrop(stream, at: progress, on: self)
    }

    func finish(_ end: QUICEnd) {
        guard self.end == nil else { return }
        self.end = end
        for stream in streams.keys.sorted() { drop(stream) }
        handler?.receive(.ended(end), on: self)
        handler = nil
    }

    func send(_ head: [UInt8], _ content: ArraySlice<UInt8>, on stream: UInt64, ends: Bool) {
        var progress =
            streams[stream]
            ?? SendingProgress(queuedByteCount: 0, sentByteCount: 0, ends: false, hasSentEnd: false)
        progress.queuedByteCount += head.count + content.count
        progress.ends = progress.ends || ends
        streams[stream] = progress
    }

    func progress(of stream: UInt64) -> SendingProgress? { streams[stream] }
    func unsentByteCount(on stream: UInt64) -> Int {
        streams[stream].map { $0.queuedByteCount - $0.sentByteCount } ?? 0
    }
    func byteCount(on stream: UInt64) -> Int { unsentByteCount(on: stream) }
    func room(on stream: UInt64) -> Int { 64 << 10 }
    var room: Int { 64 << 10 }
    func reset(_ stream: UInt64, code: UInt64) { drop(stream) }
    func close(_ close: QUICClose) { finish(.closedByUs(close)) }
    func drop() { finish(.dropped) }
    func abort() { finish(.dropped) }

    func openStream() -> UInt64? {
        defer { newest += 4 }
        return newest
    }

    func flush() -> Bool { false }
    func stop(_ stream: UInt64, code: UInt64) {}
    func credit(_ byteCount: Int, on stream: UInt64) {}
    func awaitRoom() {}
    func beginHandshake(_ context: QUICServerContext) {}
    func refuse(alert: UInt8, reason: String) {}
    func answerTrust(_ isTrusted: Bool) {}
    func answerIdentity(_ identity: ClientIdentity?) {}
    func openRequestStream() -> UInt64? { nil }
    var requestStreamsLeft: Int { 0 }
    func keepAlive(_ isWanted: Bool) {}
}
