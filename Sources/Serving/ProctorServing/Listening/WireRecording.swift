package import ProctorJournal
package import ProctorLoop

/// Has a run note every byte that it sends, at ports that are known before.
package struct WireRecording: Sendable {
    package let tape = WireTape()
    /// The port of the first origin on 127.0.0.1; each further listener has the next one.
    package let firstPort: UInt16

    package init(firstPort: UInt16) { self.firstPort = firstPort }

    /// Notes what the socket sends from now on; on its loop's thread.
    package func start(_ socket: Socket) {
        socket.tap = Tap(tape: tape, peer: socket.peer.description, local: socket.local.description)
    }

    private final class Tap: SocketTap {
        private let tape: WireTape
        private let peer: String
        private let local: String

        init(tape: WireTape, peer: String, local: String) {
            (self.tape, self.peer, self.local) = (tape, peer, local)
        }

        func didSend(_ bytes: ArraySlice<UInt8>) { record(.sent(Array(bytes))) }
        func didHalfClose(sendingCloseNotify: Bool) { record(.halfClosed(closeNotify: sendingCloseNotify)) }
        func didClose(byReset: Bool) { record(byReset ? .reset : .closed) }

        private func record(_ event: WireTape.Event) { tape.append(event, peer: peer, local: local) }
    }
}
