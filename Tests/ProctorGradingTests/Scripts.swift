import ProctorBase
import ProctorEvents
import ProctorHTTP
import ProctorJournal

/// Writes a journal as a server would, one connection and request after the other.
struct JournalScript {
    private(set) var entries: [JournalEntry] = []
    private var sequence: UInt64
    private var nanoseconds: UInt64 = 1_000_000_000
    private var requestCount = 0

    struct Unreadable: Error {}

    init(firstSequence: UInt64 = 1) { sequence = firstSequence }

    mutating func add(_ event: JournalEvent, on connection: Int = 0, request: Int? = nil) {
        entries.append(
            JournalEntry(
                sequence: sequence, nanoseconds: nanoseconds, connection: connection, request: request, event: event))
        sequence += 1
    }

    mutating func open(_ connection: Int = 0, origin: String = "main") {
        add(
            .connectionOpened(origin: origin, peer: "127.0.0.1:5\(connection)", local: "127.0.0.1:8088"), on: connection
        )
    }

    mutating func close(
        _ connection: Int = 0, by party: JournalEvent.Party = .client, _ how: JournalEvent.Ending = .closed
    ) { add(.connectionClosed(by: party, how: how), on: connection) }

    mutating func wait(milliseconds: UInt64) { nanoseconds += milliseconds * 1_000_000 }

    /// A request with its head, its head's violations, its body and the exchange that answers it.
    @discardableResult mutating func request(
        _ line: String, on connection: Int = 0, fields: [String] = ["Host: x"], body: String? = "", kept: Int = .max
    ) throws -> Int {
        let text = "\(line) HTTP/1.1\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n"
        var reader = RequestReader()
        var offset = 0
        let bytes = Array(text.utf8)
        guard case .head(let head) = reader.next(bytes.span, at: &offset) else { throw Unreadable() }
        let number = requestCount
        requestCount += 1
        add(.requestHead(head, target: head.target), on: connection, request: number)
        for violation in head.violations { add(.violation(violation), on: connection, request: number) }
        if let body {
            let content = Array(body.utf8)
            add(
                .requestBody(
                    RequestBody(
                        kept: Array(content.prefix(kept)), byteCount: content.count, isComplete: true, trailers: [])),
                on: connection, request: number)
        }
        return number
    }

    /// A script with one connection and these requests.
    static func opened(_ lines: String..., after milliseconds: UInt64 = 0) throws -> JournalScript {
        var script = opened(after: milliseconds)
        for line in lines { try script.request(line) }
        return script
    }

    static func opened(after milliseconds: UInt64 = 0) -> JournalScript {
        var script = JournalScript()
        script.wait(milliseconds: milliseconds)
        script.open()
        return script
    }

    /// The journal of one connection with these requests.
    static func requests(_ lines: String..., after milliseconds: UInt64 = 0) throws -> [JournalEntry] {
        var script = opened(after: milliseconds)
        for line in lines { try script.request(line) }
        script.close()
        return script.entries
    }
}

extension JournalScript {
    /// A request and all of its reply: the fields as they are given, the content as a client has it in the end.
    ///
    /// `coded` is the content with its codings; `content` nil means that it is unknown.
    @discardableResult mutating func exchange(
        _ line: String, on connection: Int = 0, fields: [String] = ["Host: h"], body: String? = nil, _ status: Int,
        reply replyFields: [String] = [], content: String? = "", coded: String? = nil, isCut: Bool = false
    ) throws -> Int {
        let number = try request(line, on: connection, fields: fields, body: body)
        let sent = content.map { SentContent(byteCount: $0.utf8.count, kept: Array($0.utf8)) }
        add(
            .replyBegun(
                SentReply(
                    status: status, fields: Self.section(replyFields), headByteCount: 20, content: sent,
                    codedContent: coded.map { SentContent(byteCount: $0.utf8.count, kept: Array($0.utf8)) })),
            on: connection, request: number)
        if isCut { add(.effectPlayed(PlayedEffect(action: "close", at: "body 3")), on: connection, request: number) }
        add(.replySent(status: status, byteCount: 20 + (content?.utf8.count ?? 0)), on: connection, request: number)
        wait(milliseconds: 10)
        return number
    }

    private static func section(_ lines: [String]) -> FieldSection {
        FieldSection(
            lines.map { line in
                let parts = line.split(separator: ":", maxSplits: 1)
                return (Array(parts[0].utf8), Array(parts[1].drop { $0 == " " }.utf8))
            })
    }
}

/// Writes a trace as a recorder would: tokens in order, each a millisecond after the one before.
///
/// `redirect(302)` is an event in the first lane that the vocabulary gives it, `session:challenge(basic)` one of another
/// lane, `protocolClient#2:data` one of an object, `[1]data` one of task 1, `/redirect(302)` the return of a callback,
/// and `+50` a wait of 50 ms. Facts stand behind: `data{n=5,mime=text/plain}`, with `␣` for a space and `⏎` for a line feed.
struct TraceScript {
    private(set) var events: [TraceEvent] = []
    private var nanoseconds: UInt64
    private let isMonotonic: Bool

    struct Unreadable: Error { let token: String }

    init(startingAt milliseconds: UInt64 = 0, isMonotonic: Bool = true) {
        nanoseconds = 1_000_000_000 + milliseconds * 1_000_000
        self.isMonotonic = isMonotonic
    }

    mutating func add(_ text: String) throws {
        for token in text.split(separator: " ") { try add(token: String(token)) }
    }

    private mutating func add(token: String) throws {
        var rest = token[...]
        if rest.hasPrefix("+"), let milliseconds = UInt64(rest.dropFirst()) {
            nanoseconds += milliseconds * 1_000_000
            return
        }
        var task = 0
        if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
            guard let number = Int(rest[rest.index(after: rest.startIndex)..<end]) else {
                throw Unreadable(token: token)
            }
            task = number
            rest = rest[rest.index(after: end)...]
        }
        var facts = EventFacts()
        if rest.last == "}", let start = rest.lastIndex(of: "{") {
            for pair in rest[rest.index(after: start)...].dropLast().split(separator: ",") {
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                guard parts.count == 2, let key = FactKey(rawValue: parts[0]) else { throw Unreadable(token: token) }
                let text = String(parts[1].map { $0 == "␣" ? " " : $0 == "⏎" ? "\n" : $0 })
                facts.append(EventFact(key, Int(text).map { .integer($0) } ?? .text(text)))
            }
            rest = rest[..<start]
        }
        var lane: Lane?
        var object: Int?
        if let colon = rest.firstIndex(of: ":") {
            let parts = rest[..<colon].split(separator: "#")
            if let named = parts.first.flatMap({ Lane(rawValue: String($0)) }) {
                lane = named
                object = parts.count == 2 ? Int(parts[1]) : nil
                rest = rest[rest.index(after: colon)...]
            }
        }
        let isExit = rest.hasPrefix("/")
        if isExit { rest.removeFirst() }
        let name = rest.prefix { $0 != "(" }
        let argument = name.count == rest.count ? nil : String(rest.dropFirst(name.count + 1).dropLast())
        guard let event = EventName(rawValue: String(name)), let kind = EventVocabulary.kind(named: String(name)),
            let home = lane ?? kind.lanes.first
        else { throw Unreadable(token: token) }
        nanoseconds += 1_000_000
        events.append(
            TraceEvent(
                sequence: events.count + 1,
                time: isMonotonic ? .monotonic(nanoseconds) : .elsewhere(Double(nanoseconds) / 1e6), lane: home,
                task: task, object: object, name: event, argument: argument, phase: isExit ? .exit : .enter,
                facts: facts))
    }

    /// The events of one text; each says its family where one is given.
    static func events(_ text: String, isMonotonic: Bool = true, family: CallbackFamily? = nil) throws -> [TraceEvent] {
        var script = TraceScript(isMonotonic: isMonotonic)
        try script.add(text)
        for index in script.events.indices where family != nil { script.events[index].family = family }
        return script.events
    }
}
