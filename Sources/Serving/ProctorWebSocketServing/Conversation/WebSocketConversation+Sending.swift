internal import ProctorBase
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorServing

/// How what was written goes out.
extension WebSocketConversation {
    /// So many bytes wait for others before they go out.
    private static var heldByteLimit: Int { 64 << 10 }

    /// Lets go out what is enough for a write; a step where that waits.
    func flushBeyondBound() -> Step? {
        written.tail.isEmpty && written.bytes.count < Self.heldByteLimit ? nil : flush()
    }

    /// Before a frame of any length: nothing long is held.
    func flushBeforeLong() -> Step? { written.tail.isEmpty ? nil : flush() }

    /// Lets everything go out; a step where that waits, so that nothing is read of a client that reads nothing.
    func flush() -> Step? {
        guard written.byteCount > 0 else { return nil }
        if sentByteCount == 0, sendsAtOnce {
            sentByteCount = wire.sendAtOnce(written.bytes, written.tail)
            if sentByteCount == written.byteCount {
                didSend()
                return nil
            }
        }
        return .apart { () async throws(ConnectionEnd) in try await self.flushApart() }
    }

    func flushApart() async throws(ConnectionEnd) {
        guard written.byteCount > 0 else { return }
        let (bytes, tail) = (written.bytes, written.tail)
        let sentOfBytes = min(sentByteCount, bytes.count)
        let sentOfTail = sentByteCount - sentOfBytes
        try await sendByPlayer(bytes, from: sentOfBytes)
        try await sendByPlayer(tail, from: sentOfTail)
        didSend()
    }

    private func didSend() {
        let notes = written.notes
        written = WebSocketOutput.Written()
        sentByteCount = 0
        input.releaseMessage()
        noteSent(notes)
    }

    func noteSent(_ notes: [WebSocketFrameNote]) {
        for frame in notes { log.append(.webSocket(WebSocketNote(.frame(frame)))) }
    }

    // MARK: A client that leaves

    /// Throws `end`; what the client has sent before it left is read first.
    func readWhatCame(before end: ConnectionEnd) async throws(ConnectionEnd) -> Never {
        if end.isOfPeer { try await readToEnd() }
        throw end
    }

    /// Notes what comes and answers nothing; throws how the client ends, or returns after 16 MiB of content or 4,096
    /// frames, behind which the rest is noted as unread.
    private func readToEnd() async throws(ConnectionEnd) {
        var turnsLeft = 64
        while true {
            let buffer = received.buffer
            let bytes = buffer.bytes
            let (taken, found) = input.read(bytes.span.extracting(buffer.start..<bytes.count))
            received.consumeKept(taken)
            input.takeNotes { log.append(.webSocket(WebSocketNote(.frame($0)))) }
            switch found {
            case .violation(let violation)?: noteViolation(violation, code: nil)
            case .bound?: return
            case .arrival?: input.releaseMessage()
            case .whole(let note, _, _)?: log.append(.webSocket(WebSocketNote(.frame(note))))
            case .turnIsOver?:
                turnsLeft -= 1
                if turnsLeft == 0 { return }
                await wire.loop.yieldToOthers()
                input.beginTurn()
            case nil: try await wire.awaitBytes(within: wire.bounds.idle)
            }
        }
    }
}
