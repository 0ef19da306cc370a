internal import ProctorBase
internal import ProctorHTTP
internal import ProctorHTTP2
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorScenario
internal import ProctorServing

/// What the client's frames mean for the server.
extension HTTP2Connection {
    /// `payload` is that of the frame, of which some events name a range.
    func handle(_ event: ConnectionEvent, _ payload: [UInt8]) {
        switch event {
        case .head, .trailers: break
        default: writeNotes()
        }
        switch event {
        case .head(let number, let block): open(number, block)
        case .data(let number, let range, let flow, let endsStream):
            guard let stream = streams[number] else { return }
            // Padding counts, and no request has it.
            if flow > range.count { credit(flow - range.count, on: stream) }
            if !range.isEmpty { stream.didReceive(payload[range]) }
            if endsStream { stream.didEnd() }
        case .trailers(let number, let block):
            journalBlock(block, on: number)
            guard let stream = streams[number] else { return }
            stream.didEnd(with: block.section.fields.section)
        case .reset(let number, _): didReset(number)
        case .settings(let settings):
            blocks.follow(settings)
            if behaviour.acknowledges.contains(.settings) { send(.settingsAck) }
            // The windows of all streams may have moved.
            waitingReplies.wantRoom = true
            wakeStreams()
        case .ping(let opaque): if behaviour.acknowledges.contains(.ping) { send(.ping(opaque, isAck: true)) }
        case .window(stream: 0, _):
            waitingReplies.wantRoom = true
            wakeStreams()
        case .window(let number, _):
            guard let stream = streams[number] else { return }
            stream.wake()
            continueReply(on: stream)
        case .violation(let violation): judge(violation)
        case .settingsAcknowledged: input.reader.maximumPayloadByteCount = Int(state.ours.maxFrameSize)
        // The entry of the frame says all that there is to say.
        case .pingAcknowledged, .goAway, .priority, .priorityUpdate, .push, .unknown: break
        }
    }

    /// Notes a field block of the client, which is the last one from here on.
    private func journalBlock(_ block: ConnectionEvent.FieldBlock, on number: UInt32) {
        if block !== lastBlock {
            if lastBlock?.isWritten(like: block) != true { heads.forget() }
            // With the newest one the next is often identical.
            lastBlock = block
        }
        notes.append(.fieldBlock(heads.blockNote(on: number) { FieldBlockNote(block, by: .client, stream: number) }))
        writeNotes()
    }

    /// A request; one that is not answered, since its stream was refused, is noted alone.
    private func open(_ number: UInt32, _ block: ConnectionEvent.FieldBlock) {
        journalBlock(block, on: number)
        guard state.isOpen(number) else { return }
        guard streams.isEmpty || bounds.usage.openStreamCount < bounds.streamCount else { return turnAway(number) }
        let head = heads.head(on: number, endsStream: block.endsStream) { (block.check, block.section.fields) }
        let stream = MultiplexedStream(
            UInt64(number), of: self, on: connection, head: head, hasEnded: block.endsStream, arrival: takeArrival())
        streams[number] = stream
        stream.answerRequest(head)
    }

    /// Refuses a stream, since the server has as many as it may have; the first one of a connection never is.
    private func turnAway(_ number: UInt32) {
        send(.resetStream(number, .refusedStream))
        journals.append(.turnedAway(TurnedAway(.streams, limit: bounds.streamCount, stream: number)))
    }
}

extension ConnectionEvent.FieldBlock {
    /// Whether it means the same to the letter; arrays of one buffer are equal at once.
    fileprivate func isWritten(like other: ConnectionEvent.FieldBlock) -> Bool {
        endsStream == other.endsStream && frameCount == other.frameCount && blockByteCount == other.blockByteCount
            && check.kind == other.check.kind && section.items == other.section.items
            && section.fields == other.section.fields
    }
}
