internal import ProctorHTTP
internal import ProctorHTTP2
internal import ProctorJournal

/// The last request of a connection in the forms that are made of it, since most requests of a client are written like
/// the one before.
struct RepeatedHeads {
    /// Whether the requests are sent to a proxy, so that their targets name scheme and authority too.
    private let isOfProxy: Bool
    private var block: ConnectionEvent.FieldBlock?
    private var head: RequestHead?
    private var note: FieldBlockNote?

    init(isOfProxy: Bool) { self.isOfProxy = isOfProxy }

    /// The head of a request on its stream.
    mutating func head(of block: ConnectionEvent.FieldBlock, on number: UInt32) -> RequestHead {
        remember(block)
        if let head { return RequestHead(head, onStream: number) }
        let check = block.check
        let isConnect = check.method == Array("CONNECT".utf8)
        let made = RequestHead(
            RequestHead.ControlData(
                method: check.method ?? [], path: isOfProxy ? check.targetAtProxy : check.path,
                authority: check.authority, protocolName: isConnect ? check.protocolName : nil,
                endsStream: block.endsStream || isConnect, contentLength: check.contentLength, stream: number),
            fields: block.section.fields.filter { !$0.isPseudo }.map { (name: $0.name, value: $0.value) })
        head = made
        return made
    }

    /// The journal's note of a field block of the client.
    mutating func blockNote(of block: ConnectionEvent.FieldBlock, on number: UInt32) -> FieldBlockNote {
        remember(block)
        var made = note ?? FieldBlockNote(block, by: .client, stream: number)
        if note == nil { note = made }
        made.stream = number
        return made
    }

    private mutating func remember(_ new: ConnectionEvent.FieldBlock) {
        if let block, block.isWritten(like: new) { return }
        self = RepeatedHeads(isOfProxy: isOfProxy)
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

extension FieldSectionCheck {
    /// The target in absolute-form, as a proxy of HTTP/1.1 has it (RFC 9112 §3.2.2); nil for a CONNECT that names an
    /// authority alone, and in origin-form where a part is missing or a CONNECT names a protocol (RFC 8441 §4).
    fileprivate var targetAtProxy: [UInt8]? {
        guard let path, let scheme, let authority, !authority.isEmpty, protocolName == nil else { return path }
        let base = scheme + Array("://".utf8) + authority
        // OPTIONS of the whole server has no path there (RFC 9112 §3.2.4).
        return path == [UInt8(ascii: "*")] ? base : base + path
    }
}
