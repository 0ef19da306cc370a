import ProctorLoop

/// A layer one of whose directions waits for the other's bytes, as TLS does in the middle of a message of its own.
final class CrossingLayer: SocketLayer {
    enum Crossing {
        /// Nothing can be written before something has come.
        case writesNeedBytes
        /// Nothing can be read before the queue has gone.
        case readsNeedRoom
    }

    private let inner = MirrorLayer()
    private let crossing: Crossing
    private var hasReceived = false

    init(_ crossing: Crossing) {
        self.crossing = crossing
    }

    var unsentByteCount: Int { inner.unsentByteCount }

    func read(into room: UnsafeMutableRawBufferPointer, from socket: Socket) -> LayerOutcome {
        if crossing == .readsNeedRoom, inner.unsentByteCount > 0 { return .wantsToSend }
        let outcome = unsafe inner.read(into: room, from: socket)
        if case .moved = outcome { hasReceived = true }
        return outcome
    }

    func write(_ bytes: UnsafeRawBufferPointer, to socket: Socket) -> LayerOutcome {
        if crossing == .writesNeedBytes, !hasReceived {
            hasReceived = inner.hasInput(from: socket)
            guard hasReceived else { return .wantsToReceive }
        }
        return unsafe inner.write(bytes, to: socket)
    }

    func flush(to socket: Socket) -> Int32 { inner.flush(to: socket) }
    func sendCloseNotify() { inner.sendCloseNotify() }
    func hasInput(from socket: Socket) -> Bool { inner.hasInput(from: socket) }
}
