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

    typealias EndedConnection = (connection: Int, party: JournalEvent.Party, how: JournalEvent.Ending)

    static let downstreamEnded: Event<EndedConnection> = Event("downstreamEnded") {
        Key("downstream", .number, \.connection)
        Key("by", .word, \.party)
        Key("how", .word, \.how)
    } make: {
        .downstream(DownstreamNote(connection: $0, .ended(by: $1, how: $2)))
    }

    static let downstreamMissed: Event<(connection: Int, awaited: String, reason: String)> = Event("downstreamMissed") {
        Key("downstream", .number, \.connection)
        Key("of", .text, \.awaited)
        Key("reason", .text, \.reason)
    } make: {
        .downstream(DownstreamNote(connection: $0, .missed(awaited: $1, reason: $2)))
    }
}
