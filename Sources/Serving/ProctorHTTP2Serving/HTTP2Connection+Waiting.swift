internal import ProctorBase
internal import ProctorHTTP
internal import ProctorHTTP2
internal import ProctorLoop
internal import ProctorServing

/// How replies of HTTP/2 get room that wait without tasks.
extension HTTP2Connection {
    /// Room of the output that is left to replies with tasks, where there are any.
    private static let reservedByteCount = 32 << 10
    /// How often the output is filled before others get the loop.
    private static let fillsOfATurn = 2

    func lack(of stream: MultiplexedStream) -> RoomLack {
        let overhead = stream.shape.overhead
        if stream.share <= overhead { return .turn }
        guard let window = state.sendWindow(of: stream.id), window.size > overhead else { return .window }
        // As long as that of the connection is shut or shorter than the padding of a frame, nothing is tried.
        if state.sendWindow.size > 0, state.sendWindow.size <= overhead { return .window }
        return .room
    }

    func requireHope(for lack: RoomLack, on stream: MultiplexedStream) throws(ConnectionEnd) {
        // What only the client can bring about does not come any more.
        if input.hasEnded, output.room > stream.shape.overhead, lack != .turn { throw .peerClosed }
    }

    /// Each wait for input ends at the deadline.
    func didExpectProgress() {}

    func didStartBehindWait() { wakeReader() }

    var queuedByteCount: Int { output.byteCount }

    /// Sends what is pending and what replies have for it, as far as the system takes it at once.
    func sendOut() {
        noteRepeated()
        output.flush()
        for _ in 0..<Self.fillsOfATurn where output.isEmpty && canContinue {
            continueReplies()
            output.flush()
        }
        if output.isEmpty, canContinue { output.requestWriter() }
    }

    var hasRoomForWaiting: Bool { output.room > reserve }

    var canContinue: Bool {
        waitingReplies.wantRoom && hasRoomForWaiting && (state.sendWindow.size > 0 || input.hasEnded)
    }

    private var reserve: Int { streams.count > waitingReplies.count ? Self.reservedByteCount : FrameShape.mostOverhead }
}
