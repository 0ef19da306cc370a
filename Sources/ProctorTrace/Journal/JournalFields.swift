import ProctorBase
import ProctorHTTP

/// The members of one journal line, typed.
struct JournalFields {
    private let members: [String: JSONTree]

    init(_ members: [String: JSONTree]) { self.members = members }

    /// nil for an event that this version does not know.
    func entry() throws(LineFault) -> JournalEntry? {
        let name = try text("ev")
        guard let event = try event(named: name) else { return nil }
        return JournalEntry(
            sequence: try unsigned("seq"), nanoseconds: try unsigned("ns"),
            connection: members["connection"] == nil ? nil : try integer("connection"),
            request: members["request"] == nil ? nil : try integer("request"), event: event)
    }

    private func event(named name: String) throws(LineFault) -> JournalEvent? {
        switch name {
        case "connectionOpened":
            .connectionOpened(origin: try text("origin"), peer: try text("peer"), local: try text("local"))
        case "requestHead": .requestHead(try head(), target: try bytes("target"))
        case "requestBody":
            .requestBody(
                RequestBody(
                    kept: try bytes("body"), byteCount: try integer("byteCount"), isComplete: try flag("isComplete"),
                    trailers: try list("trailers").map { tree throws(LineFault) in try Self.bytes(tree, "trailers") },
                    chunks: try chunks(), chunkLines: try chunkLines(),
                    isWithheld: has("isWithheld") ? try flag("isWithheld") : false))
        case "bytesReceived":
            .bytesReceived(
                ReceivedBytes(try choice("of"), kept: try bytes("bytes"), byteCount: try integer("byteCount")))
        case "bytesExpected": .bytesExpected(try expectedBytes())
        case "continueSent": .continueSent
        case "violation": .violation(try violation())
        case "exchangeChosen": .exchangeChosen(exchange: try integer("exchange"), turn: try integer("turn"))
        case "missed":
            .missed(
                Miss(
                    nearestExchange: members["nearestExchange"] == nil ? nil : try integer("nearestExchange"),
                    differences: try list("differences").map { tree throws(LineFault) in
                        String(decoding: try Self.bytes(tree, "differences"), as: UTF8.self)
                    }))
        case "guarded": .guarded(try verdict())
        case "effectPlayed": .effectPlayed(action: try text("action"), position: try text("position"))
        case "slicesKept": .slicesKept(count: try integer("count"), by: try choice("by"))
        case "syncPassed": .syncPassed(event: try text("event"), how: try choice("how"))
        case "replyBegun": .replyBegun(try sentReply())
        case "replySent":
            .replySent(
                status: members["status"] == nil ? nil : try integer("status"), byteCount: try integer("byteCount"))
        case "replyAborted":
            .replyAborted(sentByteCount: try integer("sentByteCount"), reason: try text("reason"))
        case "connectionClosed":
            .connectionClosed(by: try choice("by"), how: try choice("how"))
        case "boundReached": .boundReached(try bound())
        case "clientReached": .clientReached(event: try text("event"), task: try integer("task"))
        default: try otherEvent(named: name)
        }
    }

    private func otherEvent(named name: String) throws(LineFault) -> JournalEvent? {
        if let event = try tlsEvent(named: name) { return event }
        return try namingEvent(named: name)
    }

    /// Read again from its bytes by the server's own reader, whatever limits that server had and whatever it accepted.
    private func head() throws(LineFault) -> RequestHead {
        let bytes = try bytes("bytes")
        var reader = RequestReader(
            limits: RequestLimits(
                emptyLineCount: bytes.count, methodByteCount: bytes.count, targetByteCount: bytes.count,
                fieldLineByteCount: bytes.count, fieldCount: bytes.count, headByteCount: bytes.count),
            acceptsAnything: true)
        var offset = 0
        guard case .head(let head)? = reader.next(bytes.span, at: &offset) else {
            throw LineFault(0, "'bytes' of a requestHead hold no complete request head")
        }
        return head
    }

    private func violation() throws(LineFault) -> Violation {
        let name = try text("kind")
        guard let kind = Violation.Kind(rawValue: name) else {
            throw LineFault(0, "there is no violation of kind '\(EscapedText.of(name.utf8, limit: 60))'")
        }
        let wasFatal = has("isFatal") ? try flag("isFatal") : true
        let isReadOver = kind.isFatal(in: .request) && !wasFatal
        return Violation(kind, at: try integer("offset"), isReadOver: isReadOver)
    }

    private func verdict() throws(LineFault) -> GuardVerdict {
        GuardVerdict(
            guardName: try text("guard"), field: try text("field"), attempt: try integer("attempt"),
            scheme: try textIfAny("scheme"), user: try textIfAny("user"),
            nonceCount: try nonceCount(),
            outcome: try choice("outcome"), faults: try faults("faults"), remarks: try faults("remarks"))
    }

    private func faults(_ key: String) throws(LineFault) -> [CredentialFault] {
        try list(key).map { tree throws(LineFault) in
            guard case .object(let members) = tree else {
                throw LineFault(0, "an element of '\(key)' is an object with 'kind', 'sentence' and 'section'")
            }
            return try JournalFields(members).fault()
        }
    }

    private func fault() throws(LineFault) -> CredentialFault {
        let name = try text("kind")
        guard let kind = CredentialFault.Kind(rawValue: name) else {
            throw LineFault(0, "there is no fault of kind '\(EscapedText.of(name.utf8, limit: 60))'")
        }
        return CredentialFault(kind, try text("sentence"), section: try text("section"))
    }

    private func bound() throws(LineFault) -> ReachedBound {
        ReachedBound(
            try choice("of"), count: try integer("count"), guardName: try textIfAny("guard"),
            fault: try objectIfAny("fault")?.fault())
    }

    /// Eight hexadecimal digits on the wire (RFC 7616 §3.4).
    private func nonceCount() throws(LineFault) -> UInt32? {
        guard members["nonceCount"] != nil else { return nil }
        if let count = UInt32(exactly: try integer("nonceCount")) { return count }
        throw LineFault(0, "'nonceCount' is a whole number from 0 to \(UInt32.max)")
    }

    /// Journals of earlier versions tell none.
    private func chunks() throws(LineFault) -> [Int] {
        guard members["chunks"] != nil else { return [] }
        return try list("chunks").map { tree throws(LineFault) in try Self.integer(tree, "chunks") }
    }

    private func chunkLines() throws(LineFault) -> [[UInt8]] {
        guard members["chunkLines"] != nil else { return [] }
        return try list("chunkLines").map { tree throws(LineFault) in try Self.bytes(tree, "chunkLines") }
    }

    private func expectedBytes() throws(LineFault) -> ExpectedBytes {
        let outcome: ExpectedBytes.Outcome = try choice("how")
        guard outcome != .met else {
            return ExpectedBytes(
                byteCount: try integer("byteCount"), metByteCount: try integer("metByteCount"), outcome: .met)
        }
        return ExpectedBytes(
            byteCount: try integer("byteCount"), metByteCount: try integer("metByteCount"), outcome: outcome,
            wanted: has("wanted") || has("wantedBase64") ? try bytes("wanted") : nil, got: try bytes("got"))
    }

    // MARK: Members

    func member(_ key: String) throws(LineFault) -> JSONTree {
        if let member = members[key] { return member }
        throw LineFault(0, "an entry needs the key '\(key)'")
    }

    /// Numbers that a journal counts with; sums of them do not overflow.
    private static let largest = 1 << 53

    func integer(_ key: String) throws(LineFault) -> Int {
        try Self.integer(try member(key), key)
    }

    private static func integer(_ tree: JSONTree, _ key: String) throws(LineFault) -> Int {
        if case .number(let number) = tree, let value = number.integer, 0...largest ~= value { return value }
        throw LineFault(0, "'\(key)' is a whole number from 0 to \(largest)")
    }

    /// nil where the key is not there.
    func textIfAny(_ key: String) throws(LineFault) -> String? { members[key] == nil ? nil : try text(key) }

    private func unsigned(_ key: String) throws(LineFault) -> UInt64 {
        if case .number(let number) = try member(key), let value = number.unsigned { return value }
        throw LineFault(0, "'\(key)' is a whole number from 0 to \(UInt64.max)")
    }

    func flag(_ key: String) throws(LineFault) -> Bool {
        if case .flag(let value) = try member(key) { return value }
        throw LineFault(0, "'\(key)' is true or false")
    }

    func text(_ key: String) throws(LineFault) -> String {
        if case .text(let bytes) = try member(key) { return String(decoding: bytes, as: UTF8.self) }
        throw LineFault(0, "'\(key)' is a text")
    }

    /// Text under the key, or base64 under the key that ends in `Base64`.
    func bytes(_ key: String) throws(LineFault) -> [UInt8] {
        if case .text(let base64)? = members["\(key)Base64"] { return try Self.decoded(base64, key) }
        return try Self.bytes(try member(key), key)
    }

    /// An element of a list: text, or an object with base64.
    static func bytes(_ tree: JSONTree, _ key: String) throws(LineFault) -> [UInt8] {
        switch tree {
        case .text(let bytes): return bytes
        case .object(let members):
            if case .text(let base64)? = members["base64"] { return try decoded(base64, key) }
        case .number, .flag, .null, .list: break
        }
        throw LineFault(0, "'\(key)' is text, or an object with base64")
    }

    private static func decoded(_ base64: [UInt8], _ key: String) throws(LineFault) -> [UInt8] {
        do throws(EncodedTextError) {
            return try Base64Text.decode(base64)
        } catch {
            throw LineFault(0, "'\(key)': \(error.sentence)")
        }
    }

    func list(_ key: String) throws(LineFault) -> [JSONTree] {
        if case .list(let items) = try member(key) { return items }
        throw LineFault(0, "'\(key)' is a list")
    }

    func choice<Choice: RawRepresentable<String>>(_ key: String) throws(LineFault) -> Choice {
        let word = try text(key)
        if let choice = Choice(rawValue: word) { return choice }
        throw Self.unknown(word, key)
    }

    static func unknown(_ word: String, _ key: String) -> LineFault {
        LineFault(0, "'\(key)' is no '\(EscapedText.of(word.utf8, limit: 60))'")
    }

    func objectIfAny(_ key: String) throws(LineFault) -> JournalFields? {
        guard has(key) else { return nil }
        guard case .object(let members) = try member(key) else { throw LineFault(0, "'\(key)' is an object") }
        return JournalFields(members)
    }

    func has(_ key: String) -> Bool { members[key] != nil }

    func texts(_ key: String) throws(LineFault) -> [String] {
        try list(key).map { tree throws(LineFault) in
            guard case .text(let bytes) = tree else { throw LineFault(0, "'\(key)' is a list of texts") }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}
