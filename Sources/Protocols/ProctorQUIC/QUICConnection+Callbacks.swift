internal import CNGTCP2
internal import ProctorBase
internal import ProctorLoop
package import ProctorQUICLink
internal import ProctorQUICWire
package import ProctorTLS
internal import ProctorTLSWire

// What callbacks of ngtcp2 and of the handshake tell.
extension QUICConnection {
    func receiveCrypto(_ bytes: [UInt8], at level: QUICLevel) -> Bool {
        if helloBytes != nil { return receiveHello(bytes, at: level) }
        guard let handshake else {
            // No client has anything to say behind the handshake, and no server anything but tickets.
            guard isClient, behindHandshake.read(bytes) else {
                handshakeFailure = (10, "a message of TLS came behind the handshake")
                return false
            }
            return true
        }
        return continueHandshake(handshake.receive(bytes, at: level))
    }

    /// Keeps the ClientHello, which has passed ``OpeningGuard``, until the owner has found a certificate.
    private func receiveHello(_ bytes: [UInt8], at level: QUICLevel) -> Bool {
        guard level == .initial, !isHelloWhole, let count = helloBytes?.count,
            count + bytes.count <= CryptoStream.mostBytes
        else {
            handshakeFailure = (10, "more than a ClientHello came before any reply")
            return false
        }
        helloBytes?.append(contentsOf: bytes)
        return true
    }

    package func beginHandshake(_ context: QUICServerContext) {
        guard let bytes = helloBytes.take(), unsafe conn != nil else { return }
        guard let handshake = QUICHandshake(context, owner: self) else { return drop() }
        self.handshake = handshake
        goOn(with: handshake.receive(bytes, at: .initial))
    }

    /// Handles an outcome that came outside of a call of ngtcp2.
    private func goOn(with outcome: QUICHandshake.Outcome) {
        guard continueHandshake(outcome) else { return fail(NGTCP2_ERR_CRYPTO) }
        deliverEvents()
        flush()
    }

    package func answerTrust(_ isTrusted: Bool) {
        if let handshake, isClient { goOn(with: handshake.answerTrust(isTrusted)) }
    }

    package func answerIdentity(_ identity: ClientIdentity?) {
        if let handshake, isClient { goOn(with: handshake.answerIdentity(identity)) }
    }

    /// Sends the ClientHello; called by ngtcp2.
    func startHandshake() -> Bool { handshake.map { continueHandshake($0.start()) } ?? false }

    package func refuse(alert: UInt8, reason: String) {
        close(.transport(0x100 | UInt64(alert), reason: reason))
    }

    private func continueHandshake(_ outcome: QUICHandshake.Outcome) -> Bool {
        guard let handshake, let conn = unsafe conn else { return false }
        switch outcome {
        case .goesOn: return true
        case .asksForTrust(let verdict):
            events.append(.asksForTrust(verdict))
            return true
        case .asksForIdentity(let authorities):
            events.append(.asksForIdentity(authorities))
            return true
        case .completed:
            unsafe ngtcp2_conn_handshake_completed(conn)
            endHandshake()
            events.append(.handshakeCompleted(handshake.agreement))
            // It holds half of the memory of a connection, and its keys are ngtcp2's now.
            self.handshake = nil
            restKeys()
            return true
        case .failed(let alert, let reason):
            handshakeFailure = (alert, reason)
            return false
        }
    }

    package func credit(_ byteCount: Int, on stream: UInt64) {
        guard byteCount > 0, let conn = unsafe conn else { return }
        // A stream that is over has no window; the connection's is for all of them.
        unsafe _ = ngtcp2_conn_extend_max_stream_offset(conn, Int64(stream), UInt64(byteCount))
        unsafe ngtcp2_conn_extend_max_offset(conn, UInt64(byteCount))
    }

    func acknowledge(_ stream: UInt64, upTo offset: Int) {
        outputs[stream]?.acknowledge(upTo: offset)
        events.append(.acknowledged(stream: stream))
    }

    func unblock(_ stream: UInt64) {
        if let output = outputs[stream] {
            output.isBlocked = false
            giveTurn(to: output)
        }
        events.append(.windowGrown(stream: stream))
    }

    func forgetStream(_ stream: UInt64) {
        dropOutput(stream)
        if !stopped.isEmpty { stopped.remove(stream) }
        events.append(.streamClosed(stream: stream))
        guard let conn = unsafe conn else { return }
        // Another one of the peer's may be opened in its place; the lowest bit tells which end has opened it.
        guard (stream & 1 == 0) != isClient else { return }
        if stream & 2 == 0 {
            unsafe ngtcp2_conn_extend_max_streams_bidi(conn, 1)
        } else {
            unsafe ngtcp2_conn_extend_max_streams_uni(conn, 1)
        }
    }

    func dropOutput(_ stream: UInt64) {
        guard let output = outputs.remove(stream) else { return }
        if output.hasUnsent { handler?.didDrop(stream, at: output.progress, on: self) }
        unsentByteCount -= output.unsentByteCount
        output.isDropped = true
        if newest === output { newest = nil }
        endpoint.keepOutput(output)
    }

    /// The peer reads no more of a stream; a second frame for it says nothing new.
    func noteStop(_ frame: StopFrame) {
        guard let conn = unsafe conn, !stopped.contains(frame.stream),
            unsafe ngtcp2_conn_set_stream_user_data(conn, Int64(frame.stream), nil) == 0
        else { return }
        stopped.insert(frame.stream)
        stops.append(frame)
    }
}
