internal import ProctorBase
internal import ProctorHTTP
internal import ProctorHTTP2
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorScenario
internal import ProctorServing

/// Carries a connection to an origin in the DATA of a stream (RFC 9113 §8.5); on the loop's thread only.
///
/// The connection has a socket of its own, whose other end is held here; so TLS, effects, FIN and RST are what they are
/// on a connection that a client opens. FIN of either side becomes the other's END_STREAM or FIN. RST becomes RST_STREAM
/// with CONNECT_ERROR, and RST_STREAM becomes RST.
final class StreamTunnel {
    private let stream: MultiplexedStream
    private let owner: HTTP2Connection
    /// The connection to the origin.
    private let inner: Connection
    /// The other end of its socket.
    private let far: Socket
    /// The task that carries what the client sends waits by it.
    private let pause: LoopPause
    /// Whether the origin has ended its half, and END_STREAM was sent.
    private var isEndSent = false
    /// Whether nothing serves the connection to the origin any more.
    private var isServed = false

    /// Bytes that are taken from the origin at once.
    private static let pieceByteCount = 16 << 10

    /// Hands the tunnel to its tasks.
    private final class Holder {
        var tunnel: StreamTunnel?
    }

    /// `inner` serves the `near` end.
    init(_ stream: MultiplexedStream, of owner: HTTP2Connection, to inner: Connection, far: Socket) {
        (self.stream, self.owner, self.inner, self.far) = (stream, owner, inner, far)
        pause = LoopPause(on: far.loop)
    }

    // MARK: Life

    /// Carries bytes both ways until both sides have ended, or one has failed.
    func run() async throws(ConnectionEnd) {
        let held = LoopBound(Holder(), on: far.loop)
        held.value.tunnel = self
        defer { held.value.tunnel = nil }
        await withDiscardingTaskGroup { group in
            group.addTask { await held.value.tunnel?.serve() }
            group.addTask { await held.value.tunnel?.carryToClient() }
            await carryToOrigin()
        }
        far.close()
        if let end = stream.end { throw end }
    }

    private func serve() async {
        await inner.serve()
        isServed = true
        pause.resume()
    }

    /// The stream has got bytes, or its end.
    func streamChanged() {
        if stream.end != nil, !far.isClosed { far.reset() }
        pause.resume()
    }

    /// The server stops: what the origin is asked already is answered.
    func stop() {
        inner.isStopping = true
        if inner.isIdle, !inner.leaveWebSocket() { inner.socket.cancel() }
    }

    /// The connection to the origin is lost (RFC 9113 §8.5).
    private func fail(_ code: ErrorCode) {
        guard stream.end == nil else { return }
        owner.reset(stream, code)
    }

    // MARK: Bytes

    private func carryToClient() async {
        do throws(ConnectionEnd) {
            while let bytes = try await bytesOfOrigin() { try await send(bytes) }
            if let end = stream.end { throw end }
            owner.sendContent([], endsStream: true, on: stream)
            isEndSent = true
            owner.flush()
            pause.resume()
        } catch {
            if case .timedOut = error { fail(.cancel) } else { fail(.connectError) }
        }
    }

    /// nil at FIN.
    private func bytesOfOrigin() async throws(ConnectionEnd) -> [UInt8]? {
        do throws(SocketError) {
            return try await far.read(upTo: Self.pieceByteCount) { $0.array }
        } catch {
            throw ConnectionEnd(error)
        }
    }

    /// Sends bytes within the client's windows.
    private func send(_ bytes: [UInt8]) async throws(ConnectionEnd) {
        var (content, buffer) = (ContentCursor(.bytes(bytes), bytes.indices), [UInt8]())
        while content.position < content.end {
            let sent = try stream.send(&content, upTo: content.end - content.position, ContentPart.plain, &buffer)
            if sent == nil { try await stream.awaitRoom() }
        }
        owner.flush()
    }

    private func carryToOrigin() async {
        do throws(SocketError) {
            while stream.end == nil {
                let bytes = stream.takeUnread()
                if !bytes.isEmpty {
                    // The origin decides when it reads, and the client's window waits with it.
                    try await far.write(bytes)
                    guard stream.end == nil else { return }
                    owner.credit(bytes.count, on: stream)
                    owner.flush()
                } else if stream.hasEnded {
                    return far.halfClose()
                } else {
                    guard await waitForClient() else { return }
                }
            }
        } catch {
            fail(.connectError)
        }
    }

    /// Waits until something comes; false where the client has nothing to say to an origin that has left.
    private func waitForClient() async -> Bool {
        let isOver = isServed && isEndSent
        let isChanged = await pause.wait(until: isOver ? Socket.deadline(within: owner.bounds.linger) : .max)
        return isChanged || !isOver
    }
}
