internal import ProctorBase
internal import ProctorHTTP
internal import ProctorHTTP3
internal import ProctorJournal
internal import ProctorQUICLink
internal import ProctorServing

/// What the journals say of frames and field sections.
///
/// A frame of ours, and the end of a reply, stand there once packets have had them: what a reset drops was not sent.
extension HTTP3Connection {
    func noteFrames(_ bytes: [UInt8], on stream: UInt64, _ ends: Bool) {
        guard journals.takesFrames else { return }
        var events = JournalEvents()
        frames.read(bytes.span, on: stream, ends: ends, by: .client) { events.append(.frame($0)) }
        journals.appendFrames(&events)
    }

    /// Keeps what there is to say of bytes that are queued now.
    func noteQueuedFrames(_ bytes: [UInt8], on stream: UInt64, _ ends: Bool) {
        guard journals.takesFrames else { return }
        let end = link.progress(of: stream)?.queued
        frames.read(bytes.span, on: stream, ends: ends, by: .server) { keepNote($0, on: stream, upTo: end) }
    }

    /// Keeps what there is to say of one frame of DATA that is queued whole; false where its bytes have to be read.
    func noteQueuedData(_ byteCount: Int, behindHead headByteCount: Int, on stream: UInt64, _ ends: Bool) -> Bool {
        guard journals.takesFrames else { return true }
        let end = link.progress(of: stream)?.queued
        return frames.noteData(byteCount, behindHead: headByteCount, on: stream, ends: ends) {
            keepNote($0, on: stream, upTo: end)
        }
    }

    /// Nothing is queued where `end` is nil: the connection is over.
    private func keepNote(_ frame: consuming FrameNote, on stream: UInt64, upTo end: Int?) {
        if let end { unsent.append(UnsentNotes.Note(stream: stream, end: end, event: .frame(frame))) }
    }

    func keepEnd(_ end: JournalEvent, of stream: MultiplexedStream, _ log: RequestLog) -> Bool {
        guard let progress = link.progress(of: stream.number), progress.sent < progress.queued else { return false }
        unsent.append(UnsentNotes.Note(stream: stream.number, end: progress.queued, log: log, event: end))
        return true
    }

    func didSend(on link: any QUICLink, at time: UInt64) {
        guard !unsent.isEmpty else { return }
        var events = JournalEvents()
        unsent.takeSent({ link.progress(of: $0) }) { note in
            guard let log = note.log else { return events.append(note.event) }
            journals.appendFrames(&events, at: time)
            log.append(note.event)
        }
        journals.appendFrames(&events, at: time)
    }

    func didDrop(_ number: UInt64, at progress: SendingProgress, on link: any QUICLink) {
        let byteCount = progress.queuedByteCount - progress.sentByteCount
        streams[number]?.untakenByteCount += byteCount
        let reason = link.end.map { reasonOfEnd($0) } ?? .streamReset
        unsent.takeAll(of: number, at: progress) { note, isSent in
            switch (note.log, note.event) {
            case (nil, let frame): if isSent { journals.appendFrame(frame) }
            case (let log?, .replySent(let status, let sentByteCount)) where !isSent:
                log.append(reason.replyEvent(status: status, sentByteCount: max(0, sentByteCount - byteCount)))
            case (let log?, let end): log.append(end)
            }
        }
    }

    /// Notes a frame of QUIC that ends one direction of a stream.
    func noteEnd(_ type: String, _ code: HTTP3Code, of stream: UInt64, by party: JournalEvent.Party) {
        journals.appendFrame(
            .frame(
                FrameNote(
                    by: party, type: type, stream: UInt32(clamping: stream), byteCount: 0, offset: 0,
                    detail: .code(code.description), isOfHTTP3: true)))
    }

    func noteClose(_ close: QUICClose, by party: JournalEvent.Party) {
        let code =
            close.isOfApplication
            ? HTTP3Code(rawValue: close.code).description : "0x\(String(close.code, radix: 16))"
        journals.appendFrame(
            .frame(
                FrameNote(
                    by: party, type: "CONNECTION_CLOSE", byteCount: close.reason.count, offset: 0,
                    detail: .close(
                        code: code, isOfTransport: !close.isOfApplication,
                        reason: Array(close.reason.prefix(FrameNote.keptByteLimit))), isOfHTTP3: true)))
    }
}

// MARK: - Field sections

extension HTTP3Connection {
    /// Notes a field section of the client, which is the last one from here on.
    func journalBlock(_ block: HTTP3Event.FieldBlock, on number: UInt64) {
        if lastBlock?.isWritten(like: block) != true { heads.forget() }
        // With the newest one the next is often identical.
        lastBlock = block
        guard journals.takesFrames else { return }
        let stream = UInt32(clamping: number)
        journals.appendFrame(
            .fieldBlock(heads.blockNote(on: stream) { FieldBlockNote(block, stream: stream) }))
    }
}

extension HTTP3Event.FieldBlock {
    /// Whether it means the same to the letter; arrays of one buffer are equal at once.
    fileprivate func isWritten(like other: HTTP3Event.FieldBlock) -> Bool {
        self === other
            || check.kind == other.check.kind && byteCount == other.byteCount && section == other.section
    }
}

extension FieldBlockNote {
    /// A section of the client.
    init(_ block: HTTP3Event.FieldBlock, stream: UInt32) {
        let items = zip(block.section.fields, block.section.lines).prefix(Self.itemLimit)
        self.init(
            by: .client, stream: stream, kind: block.check.kind, frameCount: 1, byteCount: block.byteCount,
            itemCount: block.section.fieldCount, items: items.map { .field(Field($0, $1)) })
    }
}

extension FieldBlockNote.Field {
    fileprivate init(_ field: HeaderField, _ line: FieldRepresentation) {
        switch line {
        case .indexed(let place): self.init(field.name, field.value, .indexed, index: place.inStaticTable)
        case .named(let place, _, let isNever):
            self.init(
                field.name, field.value, isNever ? .neverIndexed : .withoutIndexing, index: place.inStaticTable)
        case .literal(_, _, let isNever):
            self.init(field.name, field.value, isNever ? .neverIndexed : .withoutIndexing)
        }
    }
}

extension FieldRepresentation.Reference {
    /// nil in the dynamic table, whose places move.
    fileprivate var inStaticTable: Int? { if case .ofStatic(let index) = self { index } else { nil } }
}
