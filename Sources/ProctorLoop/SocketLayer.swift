/// What stands between a ``Socket`` and those who use it, as TLS does: they see plaintext, the peer sees records.
///
/// Loop thread only. Nothing here waits; the socket does, and asks again.
public protocol SocketLayer: AnyObject {
    /// Fills some of `room` with plaintext, taking what it needs by ``Socket/receiveAtOnce(into:)``.
    ///
    /// Never `moved(0)`. It may want to receive while the system still has bytes: polling tells at once.
    func read(into room: UnsafeMutableRawBufferPointer, from socket: Socket) -> LayerOutcome
    /// Turns some of the plaintext into bytes that stand in the layer's queue; the queue is bounded, and
    /// `wantsToSend` says that it is full.
    func write(_ bytes: UnsafeRawBufferPointer, to socket: Socket) -> LayerOutcome
    /// Hands the queue to the system by ``Socket/sendAtOnce(_:)`` as far as it takes it; 0, or the `errno` of a failure
    /// other than that it would block, after which the queue is empty.
    func flush(to socket: Socket) -> Int32
    /// Bytes in the queue.
    var unsentByteCount: Int { get }
    /// Puts a close_notify alert into the queue; once, and only where the peer can still receive it.
    func sendCloseNotify()
    /// Whether a read would give plaintext, an end or a failure; takes in what is not meant for the reader.
    func hasInput(from socket: Socket) -> Bool
}

/// How one try of a ``SocketLayer`` came out.
public enum LayerOutcome: Sendable, Equatable {
    /// So many bytes of plaintext, at least one.
    case moved(Int)
    /// The peer has ended its stream, orderly or not.
    case ended
    /// Nothing goes on before bytes come, or the loop's other work has had its turn.
    case wantsToReceive
    /// Nothing goes on before the system takes bytes.
    case wantsToSend
    /// A system call on the socket failed; the socket knows the error.
    case broken
    /// The peer, or the layer itself, has done what can't be gone on with: one sentence.
    case failed(String)
}
