package import ProctorHTTP
package import ProctorJournal

/// The field section of a request, as HTTP/2 or HTTP/3 has read it.
package protocol ReadHead {
    var check: FieldSectionCheck { get }
    var readFields: [HeaderField] { get }
    /// Whether it means the same to the letter; arrays of one buffer are equal at once.
    func isWritten(like other: Self) -> Bool
    /// Whether a copy costs nothing, so that the newest one is kept, with which the next one is often identical.
    static var isObject: Bool { get }
}

extension ReadHead {
    package static var isObject: Bool { false }
}

/// The last request of a connection in the forms that are made of it, since most requests of a client are written like
/// the one before.
package struct RepeatedHeads<Block: ReadHead> {
    package let version: HTTPVersion
    /// Whether the requests are sent to a proxy, so that their targets name scheme and authority too.
    package let isOfProxy: Bool
    private var block: Block?
    private var head: RequestHead?
    private var headEndsStream = false
    private var note: FieldBlockNote?

    package init(of version: HTTPVersion, isOfProxy: Bool) {
        (self.version, self.isOfProxy) = (version, isOfProxy)
    }

    /// The head of a request on its stream; `endsStream`: the client has ended its half with it.
    package mutating func head(of block: Block, on number: UInt32, endsStream: Bool) -> RequestHead {
        remember(block)
        if let head, headEndsStream == endsStream { return RequestHead(head, onStream: number) }
        let check = block.check
        let isConnect = check.method == Array("CONNECT".utf8)
        let made = RequestHead(
            RequestHead.ControlData(
                method: check.method ?? [], path: isOfProxy ? check.targetAtProxy : check.path,
                authority: check.authority, protocolName: isConnect ? check.protocolName : nil,
                endsStream: endsStream || isConnect, contentLength: check.contentLength, stream: number,
                version: version),
            fields: block.readFields.filter { !$0.isPseudo }.map { (name: $0.name, value: $0.value) })
        (head, headEndsStream) = (made, endsStream)
        return made
    }

    /// The journal's note of a field block of the client, which `make` writes where the last block was another.
    package mutating func blockNote(of block: Block, on number: UInt32, _ make: () -> FieldBlockNote) -> FieldBlockNote
    {
        remember(block)
        var made = note ?? make()
        if note == nil { note = made }
        made.stream = number
        return made
    }

    private mutating func remember(_ new: Block) {
        if let block, block.isWritten(like: new) {
            if Block.isObject { self.block = new }
            return
        }
        self = RepeatedHeads(of: version, isOfProxy: isOfProxy)
        block = new
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
