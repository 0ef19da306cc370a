internal import ProctorHTTP
internal import ProctorHTTP2
internal import ProctorJournal

/// The last request of a connection in the forms that are made of it, since most requests of a client are written like
/// the one before.
struct RepeatedHeads {
    private var block: ConnectionEvent.FieldBlock?
    private var head: RequestHead?
    private var note: FieldBlockNote?

    /// The head of a request on its stream.
    mutating func head(of block: ConnectionEvent.FieldBlock, on number: UInt32) -> RequestHead {
        remember(block)
        if let head { return RequestHead(head, onStream: number) }
        let check = block.check
        let made = RequestHead(
            RequestHead.ControlData(
                method: check.method ?? [], path: check.path, authority: check.authority,
                endsStream: block.endsStream, contentLength: check.contentLength, stream: number),
            fields: block.section.fields.filter { !$0.isPseudo }.map { (name: $0.name, value: $0.value) })
        head = made
        return made
    }

    /// The journal's note of a field block of the client.
    mutating func note(of block: ConnectionEvent.FieldBlock, on number: UInt32) -> FieldBlockNote {
        remember(block)
        var made = note ?? FieldBlockNote(block, by: .client, stream: number)
        if note == nil { note = made }
        made.stream = number
        return made
    }

    private mutating func remember(_ new: ConnectionEvent.FieldBlock) {
        if let block, block.isWritten(like: new) { return }
        self = RepeatedHeads()
        block = new
    }
}

extension ConnectionEvent.FieldBlock {
    /// Arrays of one buffer are equal at once.
    fileprivate func isWritten(like other: Self) -> Bool {
        endsStream == other.endsStream && frameCount == other.frameCount && blockByteCount == other.blockByteCount
            && check.kind == other.check.kind && section.items == other.section.items
            && section.fields == other.section.fields
    }
}
