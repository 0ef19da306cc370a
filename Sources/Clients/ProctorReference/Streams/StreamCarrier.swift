internal import ProctorBase
internal import ProctorLoop

/// Copies the bytes of a tunnel between a proxy's stream and a socket of this process (RFC 9113 §8.5); loop thread
/// only.
///
/// It ends when both directions have ended, or one was reset, and then releases the stream.
final class StreamCarrier: Sendable {
    private let stream: SharedStream
    /// The socket whose other end belongs to the transfer.
    private let far: Socket
    private let loopState: LoopBound<State>

    private final class State {
        /// Whether the transfer's end sends no more bytes.
        var hasSentAll = false
        var isLost = false
    }

    /// The most bytes that are copied at once.
    private static let pieceByteCount = 16 << 10

    init(_ stream: SharedStream, _ far: Socket) {
        (self.stream, self.far) = (stream, far)
        loopState = LoopBound(State(), on: far.loop)
    }

    private var state: State { loopState.value }

    func run() async {
        async let sent: Void = carryToProxy()
        await carryFromProxy()
        await sent
        stream.release()
        far.close()
    }

    private func carryToProxy() async {
        do throws(SocketError) {
            while let bytes = try await far.read(upTo: Self.pieceByteCount, { $0.array }) {
                var sent = 0
                while sent < bytes.count {
                    guard let count = await stream.writeSome(bytes, from: sent) else { return }
                    sent += count
                }
            }
            stream.finish()
            state.hasSentAll = true
        } catch {
            state.isLost = true
        }
        stream.wake()
    }

    private func carryFromProxy() async {
        var arrival = Arrival()
        while !state.isLost {
            guard await stream.waitForArrival(within: state.hasSentAll ? ConnectionPool.closingTime : .max) else {
                break
            }
            if stream.move(into: &arrival) != nil { break }
            let content = arrival.takeContent()
            if !content.isEmpty {
                do throws(SocketError) {
                    try await far.write(content)
                } catch {
                    break
                }
            }
            if arrival.isComplete { return far.halfClose() }
        }
        far.reset()
    }
}

extension ConnectionPool {
    /// Makes a connection to the origin from a stream on which the proxy has made a tunnel.
    func carry(
        over stream: SharedStream, for request: PoolRequest
    ) async throws(LoadError) -> PooledConnection {
        let (near, far) = try await makePair(for: "the tunnel to \(request.origin)")
        let carrier = StreamCarrier(stream, far)
        // The task ends when either end of the tunnel ends.
        Task(executorPreference: loop) { await carrier.run() }
        guard case .connection(let connection) = fill(placeOf: request, with: near, nil) else {
            near.close()
            throw LoadError(.cannotConnect, "a tunnel to \(request.origin) can't be a stream before it is secured")
        }
        return connection
    }
}
