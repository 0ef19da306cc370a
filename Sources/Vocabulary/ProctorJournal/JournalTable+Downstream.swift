import ProctorBase
import ProctorHTTP

// What a client that sends given bytes did at its own end.
extension JournalTable {
    static let downstreamOpened: Event<(connection: Int, peer: String)> = Event("downstreamOpened") {
        Key("downstream", .number, \.connection)
        Key("peer", .text, \.peer)
    } make: {
        .downstream(DownstreamNote(connection: $0, .opened(peer: $1)))
    }

    typealias SentBytes = (connection: Int, bytes: [UInt8], byteCount: Int, method: String?)

    static let downstreamSent: Event<SentBytes> = Event("downstreamSent") {
        Key("downstream", .number, \.connection)
        Key(bytes: "bytes", \.bytes)
        Key("byteCount", .number, \.byteCount)
        Key("method", .text, ifAny: \.method)
    } make: {
        .downstream(DownstreamNote(connection: $0, .sent($1, byteCount: $2, method: $3)))
    }

    static let downstreamReceived: Event<(connection: Int, bytes: [UInt8], byteCount: Int)> = Event(
        "downstreamReceived"
    ) {
        Key("downstream", .number, \.connection)
        Key(bytes: "bytes", \.bytes)
        Key("byteCount", .number, \.byteCount)
    } make: {
        .downstream(DownstreamNote(connection: $0, .received($1, byteCount: $2)))
    }

    static let downstreamSaid: Event<(connection: Int, part: DownstreamNote.Part)> = Event("downstreamSaid") {
        Key("downstream", .number, \.connection)
        Key("by", .word, \.part.party)
        Key("what", .word, \.part.what)
        Key("stream", .number, \.part.stream)
        Key("fields", .fieldPairs, ifAny: { $0.part.fields.isEmpty ? nil : $0.part.fields })
        Key(bytes: "bytes", ifAny: { $0.part.bytes.isEmpty ? nil : $0.part.bytes })
        Key("byteCount", .number, ifAny: { $0.part.byteCount > 0 ? $0.part.byteCount : nil })
        Key("ends", ifTrue: \.part.endsStream)
        Key("code", .text, ifAny: \.part.code)
    } make: {
        let part = DownstreamNote.Part(
            by: $1, $2, on: $3, fields: $4 ?? [], bytes: $5 ?? [], byteCount: $6 ?? 0, endsStream: $7, code: $8)
        return .downstream(DownstreamNote(connection: $0, .said(part)))
    }

    typealias EndedConnection = (connection: Int, party: JournalEvent.Party, how: JournalEvent.Ending)

    static let downstreamEnded: Event<EndedConnection> = Event("downstreamEnded") {
        Key("downstream", .number, \.connection)
        Key("by", .word, \.party)
        Key("how", .word, \.how)
    } make: {
        .downstream(DownstreamNote(connection: $0, .ended(by: $1, how: $2)))
    }

    typealias Between = (connection: Int, name: String, requestVia: [[UInt8]], replyVia: [[UInt8]])

    static let downstreamBetween: Event<Between> = Event("downstreamBetween") {
        Key("downstream", .number, \.connection)
        Key("name", .text, \.name)
        Key("requestVia", .list(.bytes), \.requestVia)
        Key("replyVia", .list(.bytes), \.replyVia)
    } make: {
        .downstream(DownstreamNote(connection: $0, .stoodBetween(name: $1, requestVia: $2, replyVia: $3)))
    }

    static let downstreamMissed: Event<(connection: Int, awaited: String, reason: String)> = Event("downstreamMissed") {
        Key("downstream", .number, \.connection)
        Key("of", .text, \.awaited)
        Key("reason", .text, \.reason)
    } make: {
        .downstream(DownstreamNote(connection: $0, .missed(awaited: $1, reason: $2)))
    }
}

extension JournalType where Value == [HeaderField] {
    /// Each field is a list of its name and its value, pseudo-fields with them.
    fileprivate static var fieldPairs: Self {
        JournalType(
            words: "list of name and value",
            write: { fields, json in
                json.open("[")
                for field in fields { json.fieldLine(field.name.span, field.value.span) }
                json.close("]")
            },
            read: { tree, key throws(LineFault) in
                try JournalFields.fieldLines(tree, key).map { HeaderField($0.name, $0.value) }
            })
    }
}
