internal import ProctorBase
internal import ProctorGrading
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorScenario

/// What came back to a client that sends given bytes: the facts `got[N].…`, in the order in which the heads came.
struct SeenReplies: FactGatherer {
    private var connections: [Int: DownstreamConnection] = [:]
    /// What was awaited and did not come.
    private var missed: [String] = []

    var all: [GotReply] {
        connections.values.flatMap(\.wholeReplies).sorted {
            ($0.sequence, $0.connection) < ($1.sequence, $1.connection)
        }
    }

    static let group = FactGroup.got

    static let words = GatheredWords(
        owner: "reply $ that the client got", of: .reply, counted: "answer", "came to the client", wrong: "$ is wrong")

    static let facts: [GatheredFact<GotReply>] = [
        GatheredFact("status", "the status of $", .number) { Measurement($0.head?.status) },
        GatheredFact("reason", "the reason phrase of $") { $0.head.map { .text($0.reason) } ?? .absent },
        GatheredFact("version", "the version of $") { Measurement($0.head?.version.text) },
        GatheredFact("connection", "the connection of $", .number) { Measurement($0.connection) },
        // As they came, the status line first.
        GatheredFact("head", "the lines of $", .list) { .list($0.head.map { Self.lines(of: $0.bytes) } ?? []) },
        GatheredFact(
            "headers.NAME", "the field NAME of $", .list,
            ofName: { reply, name in
                Measurement(ofValues: reply.head.map { Self.values($0.fields, name) } ?? [])
            }),
        // Of a list that may stand in several lines (RFC 9110 §5.3).
        GatheredFact(
            "first.NAME", "the first member of the field NAME of $",
            ofName: { reply, name in
                let line = reply.head.flatMap { Self.values($0.fields, name).first }
                let member = line?.split(separator: UInt8(ascii: ",")).first
                return member.map { .text($0.filter { $0 != 0x09 }) } ?? .absent
            }),
        GatheredFact("age", "the Age of $ in seconds", .number) { reply in
            let line = reply.head.flatMap { Self.values($0.fields, "Age").first }
            return Measurement(line.flatMap { Int(String(decoding: $0, as: UTF8.self)) })
        },
        GatheredFact("interim", "the interim replies before $", .list) {
            .list($0.interim.map { Array("\($0.status)".utf8) })
        },
        GatheredFact(
            "interim.headers.NAME", "the field NAME of the interim replies before $", .list,
            ofName: { reply, name in
                Measurement(ofValues: reply.interim.flatMap { Self.values($0.fields, name) })
            }),
        GatheredFact("body", "the content of $") { .text($0.content) },
        GatheredFact("body.length", "the bytes of the content of $", .number) { Measurement($0.content.count) },
        GatheredFact(
            "framing", "how the content of $ ends",
            .word(FactWords("framing", of: "a reply", ["none", "length", "chunked", "close", "tunnel"]))
        ) { Measurement($0.head?.framing.word) },
        GatheredFact("extensions", "the chunk extensions of $", .list) { .list($0.extensions) },
        GatheredFact(
            "trailers.NAME", "the trailer field NAME of $", .list,
            ofName: { reply, name in
                Measurement(ofValues: reply.trailers.map { Self.values($0, name) } ?? [])
            }),
        // Whether its end came, as its framing says.
        GatheredFact("whole", "that $ is whole", .flag) { Measurement($0.isComplete) },
        GatheredFact(
            "end", "how the connection ended behind $",
            .word(FactWords("end", of: "a connection", ["open", "closed", "reset"]))
        ) { Measurement($0.end.map { $0 == .reset ? "reset" : "closed" } ?? "open") },
        // Of a stream of HTTP/2 (RFC 9113 §5.4.2).
        GatheredFact("reset", "the error code with which the stream of $ was reset") {
            $0.reset.map { .text(Array($0.utf8)) } ?? .absent
        },
        GatheredFact(
            "wire", "the request at the server that $ answers", .number,
            inRecord: { reply, record in
                Measurement(reply.answering(in: record)?.number)
            }),
        GatheredFact(
            "own", "that $ is of the intermediary itself", .flag,
            inRecord: { reply, record in
                Measurement(reply.answering(in: record) == nil)
            }),
        GatheredFact(
            "tries", "how often the request of $ came to the server", .number,
            inRecord: { reply, record in
                Measurement(reply.tries(in: record).count)
            }),
        GatheredFact(
            "request.changes", "what was changed of the request of $", .list,
            inRecord: { reply, record in
                reply.requestChanges(in: record)
            }),
        // The version in which the last one that stands between got it (RFC 9110 §7.6.3).
        GatheredFact(
            "request.via", "the version in the last Via of the request of $",
            inRecord: { reply, record in
                let request = reply.answering(in: record) ?? reply.tries(in: record).last
                let line = request.flatMap { Self.values($0.head.fields, "Via").last }
                return line?.split(separator: UInt8(ascii: ",")).last.map { .text(Self.version(of: $0)) } ?? .absent
            }),
        GatheredFact("changes", "what was changed of $", .list, inRecord: { $0.changes(in: $1) }),
        GatheredFact(
            "violations", "the violations of $",
            .kinds(FactWords("violation", of: "a reply", kinds))
        ) { reply in
            let kinds = reply.violations.map(\.kind.rawValue) + reply.streamViolations
            return kinds.isEmpty ? .absent : Measurement(ofList: kinds)
        },
    ]

    /// The kinds of violations of HTTP/1.1, and those of HTTP/2 with other names.
    private static var kinds: [String] {
        let first = TableCells.kinds(of: "http1-violations")
        let known = Set(first)
        return first + TableCells.kinds(of: "http2-violations").filter { !known.contains($0) }
    }

    static let factsOfRun: [GatheredFact<SeenReplies>] = [
        GatheredFact("count", "the number of replies that the client got", .number) { Measurement($0.all.count) },
        // The statuses of interim replies that no final one followed.
        GatheredFact("interim", "the interim replies without a final one", .list) { seen in
            .list(
                seen.connections.keys.sorted().flatMap { seen.connections[$0]?.leftInterim ?? [] }.map {
                    Array("\($0.status)".utf8)
                })
        },
        // Of HTTP/2 (RFC 9113 §6.8).
        GatheredFact("goaway", "the error code of GOAWAY, as the client got it") { seen in
            let codes = seen.connections.keys.sorted().compactMap { seen.connections[$0]?.goAway }
            return codes.last.map { .text(Array($0.utf8)) } ?? .absent
        },
        GatheredFact("missed", "what the client awaited in vain", .list) { Measurement(ofList: $0.missed) },
    ]

    mutating func read(_ entry: JournalEntry, on connection: Int?, of request: Int?) {
        guard case .downstream(let note) = entry.event else { return }
        if case .missed(let awaited, _) = note.event { missed.append(awaited) }
        connections[note.connection, default: DownstreamConnection(note.connection)].read(note, at: entry.sequence)
    }

    func sequence(of reply: GotReply, in record: WireRecord) -> UInt64? { reply.sequence }

    func faults(of reply: GotReply, in record: WireRecord) -> [ListedFault] { [] }

    private static func values(_ section: FieldSection, _ name: String) -> [[UInt8]] {
        section.values(named: Array(name.utf8)).map { Array($0) }
    }

    /// `1.1` of `1.1 proxy` and of `HTTP/1.1 proxy`.
    private static func version(of member: ArraySlice<UInt8>) -> [UInt8] {
        let word = member.drop { $0 == 0x20 || $0 == 0x09 }.prefix { $0 != 0x20 && $0 != 0x09 }
        return Array(word.split(separator: UInt8(ascii: "/")).last ?? [])
    }

    /// Without the empty line at its end.
    private static func lines(of head: [UInt8]) -> [[UInt8]] {
        head.split(separator: 0x0A).map { line in Array(line.last == 0x0D ? line.dropLast() : line) }.filter {
            !$0.isEmpty
        }
    }
}

extension GotReply {
    /// The requests at the server that bear the mark of its request, in order.
    func tries(in record: WireRecord) -> [SeenExchange] {
        guard let mark = request?.mark else { return [] }
        return record.exchanges.filter { Mark($0.head).bytes == mark }
    }

    /// The one whose reply this is; nil: no reply of the server has its status, so that it is the intermediary's own.
    func answering(in record: WireRecord) -> SeenExchange? {
        tries(in: record).last { $0.reply != nil && $0.reply?.status == head?.status }
    }

    func requestChanges(in record: WireRecord) -> Measurement {
        guard let request, let sent = request.head else { return .notKept("its request can't be read") }
        guard let came = answering(in: record) ?? tries(in: record).last else {
            return Measurement(ofList: ["never came"])
        }
        var changes: [String] = []
        func compare(_ what: String, _ one: [UInt8], _ other: [UInt8]) {
            guard one != other else { return }
            changes.append("\(what) \(EscapedText.escape(one, limit: 100)) -> \(EscapedText.escape(other, limit: 100))")
        }
        compare("method", Array(sent.methodBytes), Array(came.head.methodBytes))
        compare("target", Mark.originForm(sent.target), Mark.originForm(came.head.target))
        changes += HandedOn.ofRequests.changes(from: sent.fields, to: came.head.fields)
        if let content = came.content, request.content != content.kept || !content.isComplete {
            changes.append("content of \(request.content.count) bytes -> \(content.byteCount)")
        }
        return Measurement(ofList: changes)
    }

    func changes(in record: WireRecord) -> Measurement {
        guard let head else { return .notKept("it can't be read") }
        guard let exchange = answering(in: record), let sent = exchange.reply, let fields = sent.fields else {
            return Measurement(ofList: ["a reply of its own, \(head.status)"])
        }
        var changes = HandedOn.ofReplies.changes(from: fields, to: head.fields)
        if let coded = sent.codedContent ?? sent.content, head.framing != .none, coded.kept.count == coded.byteCount,
            coded.kept != content
        {
            changes.append("content of \(coded.byteCount) bytes -> \(content.count)")
        }
        return Measurement(ofList: changes)
    }
}

extension ReplyFraming {
    fileprivate var word: String {
        switch self {
        case .none: "none"
        case .length: "length"
        case .chunked: "chunked"
        case .untilClose: "close"
        case .tunnel: "tunnel"
        case .stream: "none"
        }
    }
}
