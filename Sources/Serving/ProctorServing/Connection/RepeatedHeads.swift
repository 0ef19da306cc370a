package import ProctorHTTP
package import ProctorJournal

/// What is made of the last field section of a connection, since most requests of a client are written like the one before.
///
/// Who reads the sections compares them, and forgets what was made of the last one where a section is another.
package struct RepeatedHeads {
    private let version: HTTPVersion
    /// Whether the requests are sent to a proxy, so that their targets name scheme and authority too.
    private let isOfProxy: Bool
    private var head: RequestHead?
    private var headEndsStream = false
    private var note: FieldBlockNote?

    package init(of version: HTTPVersion, isOfProxy: Bool) {
        (self.version, self.isOfProxy) = (version, isOfProxy)
    }

    package mutating func forget() { (head, note) = (nil, nil) }

    /// The head of a request on its stream, which `section` gives where none is known; `endsStream`: the client has ended its half
    /// with it.
    package mutating func head(
        on number: UInt32, endsStream: Bool, of section: () -> (check: FieldSectionCheck, fields: [HeaderField])
    ) -> RequestHead {
        if let head, headEndsStream == endsStream { return RequestHead(head, onStream: number) }
        let (check, fields) = section()
        let isConnect = check.method == Array("CONNECT".utf8)
        let made = RequestHead(
            RequestHead.ControlData(
                method: check.method ?? [], path: isOfProxy ? check.targetAtProxy : check.path,
                authority: check.authority, protocolName: isConnect ? check.protocolName : nil,
                endsStream: endsStream || isConnect, contentLength: check.contentLength, stream: number,
                version: version),
            fields: fields.filter { !$0.isPseudo }.map { (name: $0.name, value: $0.value) })
        (head, headEndsStream) = (made, endsStream)
        return made
    }

    /// The journal's note of a field block of the client, which `make` writes where none is known.
    package mutating func blockNote(on number: UInt32, _ make: () -> FieldBlockNote) -> FieldBlockNote {
        if let note { return note.placed(on: number) }
        let made = make()
        note = made
        return made
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
