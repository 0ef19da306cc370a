internal import ProctorBase
internal import ProctorHTTP
internal import ProctorHTTP2
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorScenario
internal import ProctorServing

/// What the server sends.
extension HTTP2Connection {
    /// `statedByteCount` stands in its head in place of the length of its payload.
    func send(_ frame: Frame, statedByteCount: Int? = nil) {
        let read = ReadFrame(sent: frame, at: output.byteCount)
        state.willSend(read)
        output.append(frame, statedByteCount: statedByteCount)
        journalSentFrame(read)
    }

    /// Notes a frame of the client, or counts it among those like it.
    func journalFrame(_ read: ReadFrame) {
        guard !repeated.count(read, by: .client) else { return }
        keepRepeated()
        // It stands in one write with the field block that may come of it.
        notes.append(.frame(FrameNote(read, by: .client)))
    }

    /// Notes a frame of the server, the last one in the output, or counts it among those like it.
    private func journalSentFrame(_ read: ReadFrame) {
        let isCounted = repeated.count(read, by: .server)
        if !isCounted { noteRepeated() }
        output.keepNote(
            isCounted ? nil : .frame(FrameNote(read, by: .server)), of: read.frame.stream, from: read.offset)
    }

    /// Keeps notes of what was counted.
    private func keepRepeated() {
        guard !repeated.isEmpty else { return }
        for note in repeated.takeAll() {
            if note.party == .server {
                output.keepNote(.frame(note), of: note.stream, from: output.byteCount)
            } else {
                notes.append(.frame(note))
            }
        }
    }

    /// Notes what was counted.
    func noteRepeated() {
        keepRepeated()
        writeNotes()
    }

    /// Writes what is kept of the client's frames into the journals.
    func writeNotes() { journals.appendFrames(&notes) }

    /// Sends bytes as they are; the frames in them count.
    func sendRaw(_ bytes: [UInt8]) {
        var reader = FrameReader(expectsPreface: false, maximumPayloadByteCount: FrameLimits.largestMaximum)
        var position = 0
        let start = output.byteCount
        output.append(raw: bytes)
        while let item = reader.next(bytes.span, at: &position) {
            guard case .frame(let frame) = item else { continue }
            var note = FrameNote(frame, by: .server)
            note.offset += start
            output.keepNote(.frame(note), of: note.stream, from: note.offset)
            state.willSend(frame.frame)
        }
    }

    /// Sends a field block whose frames are lawful and stand together.
    func sendBlock(_ block: SentBlock) {
        for frame in block.frames { send(frame) }
        journalSentBlock(block.note)
    }

    /// Notes a field block of the server whose frames were sent.
    func journalSentBlock(_ block: FieldBlockNote) {
        output.keepNote(.fieldBlock(block), of: block.stream, from: output.byteCount)
    }

    /// Sends a field section in as many frames as its shape and the client's SETTINGS want.
    func sendSection(_ section: StreamSection, on stream: MultiplexedStream) throws(ConnectionEnd) {
        let shape = stream.shape
        guard shape.padding == nil, shape.blockByteCount == nil else {
            return sendBlock(try block(of: section, on: stream))
        }
        let (bytes, note) = try blocks.write(section.fields, as: section.kind, on: stream.id)
        guard bytes.count <= Int(state.peers.maxFrameSize) else {
            return sendBlock(block(bytes, note, endsStream: section.endsStream, on: stream))
        }
        let start = output.byteCount
        state.willSendHead(on: stream.id, endsStream: section.endsStream)
        output.appendHeaders(bytes, on: stream.id, endsStream: section.endsStream)
        repeated.endRunOfServer()
        noteRepeated()
        let usual = FrameNote.usual(
            .headers, section.endsStream ? [.endHeaders, .endStream] : .endHeaders, by: .server)
        output.keepNote(
            usual.map { .frame($0.placed(on: stream.id, byteCount: bytes.count, at: start)) }, of: stream.id,
            from: start)
        journalSentBlock(note)
    }

    /// The block of a field section, which is written now: its frames go out before any other block.
    func block(of section: StreamSection, on stream: MultiplexedStream) throws(ConnectionEnd) -> SentBlock {
        let (bytes, note) = try blocks.write(section.fields, as: section.kind, on: stream.id)
        return block(bytes, note, endsStream: section.endsStream, on: stream)
    }

    private func block(
        _ bytes: [UInt8], _ note: FieldBlockNote, endsStream: Bool, on stream: MultiplexedStream
    ) -> SentBlock {
        let shape = stream.shape
        let room = Int(state.peers.maxFrameSize) - shape.overhead
        return SentBlock(
            Frame.headers(
                dividing: bytes, on: stream.id, endsStream: endsStream,
                most: max(1, min(room, shape.blockByteCount ?? .max)), padding: shape.padding), note)
    }

    /// How many bytes of content may go out on the stream now.
    func room(on stream: MultiplexedStream) -> Int {
        guard let window = state.sendWindow(of: stream.id) else { return 0 }
        return max(0, min(window.size, state.sendWindow.size, output.room))
    }

    /// Sends a DATA frame with content that the windows and the client's SETTINGS have room for.
    func sendFrame(
        _ content: ArraySlice<UInt8>, endsStream: Bool, padding: UInt8?, on stream: MultiplexedStream
    ) {
        let frame = Frame.data(content, on: stream.id, endsStream: endsStream, padding: padding)
        let read = ReadFrame(sent: frame, at: output.byteCount)
        state.willSend(read)
        output.append(frame)
        if stream.isNoted(dataEndingStream: endsStream) {
            journalSentFrame(read)
        } else {
            output.keepNote(nil, of: stream.id, from: read.offset)
        }
    }

    /// Sends content that the windows have room for, in frames as long as the client takes.
    func sendContent(_ content: ArraySlice<UInt8>, endsStream: Bool, on stream: MultiplexedStream) {
        let most = Int(state.peers.maxFrameSize)
        var rest = content
        repeat {
            let payload = rest.prefix(most)
            rest = rest.dropFirst(most)
            let ends = endsStream && rest.isEmpty
            let start = output.byteCount
            let usual =
                stream.isNoted(dataEndingStream: ends)
                ? FrameNote.usual(.data, ends ? .endStream : [], by: .server) : nil
            state.willSendData(ofByteCount: payload.count, on: stream.id, endsStream: ends)
            output.appendData(payload, on: stream.id, endsStream: ends)
            if usual != nil { noteRepeated() }
            output.keepNote(
                usual.map { .frame($0.placed(on: stream.id, byteCount: payload.count, at: start)) }, of: stream.id,
                from: start)
        } while !rest.isEmpty
    }

    // MARK: Windows

    /// Lets the client send as many bytes more on the connection.
    func credit(_ byteCount: Int) {
        owed += byteCount
        guard owed >= Self.leastCredit, behaviour.updatesWindows else { return }
        send(.windowUpdate(UInt32(owed)))
        owed = 0
    }

    /// Lets the client send as many bytes more on the stream, unless it has ended its half.
    func credit(_ byteCount: Int, on stream: MultiplexedStream) {
        // A small window would be used up before that much is owed.
        let least = min(Self.leastCredit, Int(state.ours.initialWindowSize) / 4)
        guard behaviour.updatesWindows else { return }
        stream.owedByteCount += byteCount
        guard !stream.hasEnded, stream.end == nil, stream.owedByteCount >= max(1, least) else { return }
        send(.windowUpdate(UInt32(clamping: stream.owedByteCount), on: stream.id))
        stream.owedByteCount = 0
    }

    /// Smaller credits wait for others: a quarter of the window that holds unless SETTINGS say otherwise.
    private static let leastCredit = Int(FlowWindow.usual / 4)
}
