import Foundation
import ProctorEvents
import ProctorHTTP
import ProctorJournal

/// Writes a journal from short lines, an entry each, with numbers and times as a server would give them.
///
///     open                      connection 0, of origin main; `c1 open other` connection 1 of another
///     GET /a | Cookie: a=1      a request with `Host: x` and an empty body; other words behind `|`:
///                               `body: a=1`, `unread`, `kept: 4`, `chunks: 3,5`, `cut`, `trailer: X: y`, `host: none`
///     reply 200 | A: b | content: ok     the reply begins: `coded: xyz`, `of: 90000`, `head: 20`, `unknown`, `sha256: …`
///     sent 200 90               it is sent; `aborted 31: reason`, `effect close at body 3`, `exchange 0 turn 2`
///     missed 1: text; text      `violation bare-lf at 3`, with bytes behind it `violation plain-http at 0: GET`
///     closed by client          `closed by server: reset`
///     wait 50ms                 the clock goes on; `skip 3` leaves numbers out, `first 41` begins with one
///     frames > SETTINGS; < GOAWAY last 1     frames of HTTP/2, by ``JournalFrames``
///     ws opened; < text hi; > close 1000     what is on a WebSocket, by ``JournalSockets``
///     {"ev":"alert", …}         any other entry as a line of a journal's file, without number and time
///
/// `c1` and `r2` before a line say its connection, which is 0, and its request, which is the last one of the connection.
struct JournalScript {
    private(set) var entries: [JournalEntry] = []
    private var sequence: UInt64 = 1
    private var nanoseconds: UInt64 = 1_000_000_000
    private var requestCount = 0
    private var lastRequest: [Int: Int] = [:]

    mutating func add(_ text: String, at line: Int) throws {
        if text.hasPrefix("{") { return try addJSON(text, at: line) }
        var words = text.split(separator: " ", omittingEmptySubsequences: false)[...]
        let connection = Self.number("c", &words) ?? 0
        let request = Self.number("r", &words)
        let verb = words.first.map(String.init) ?? ""
        let rest = words.dropFirst().joined(separator: " ")
        func ofRequest(_ event: JournalEvent) -> (JournalEvent, Int?) { (event, request ?? lastRequest[connection]) }
        switch verb {
        case "wait":
            guard rest.hasSuffix("ms"), let pause = UInt64(rest.dropLast(2)) else {
                throw RowError(line, "expected a wait such as wait 50ms")
            }
            nanoseconds += pause * 1_000_000
        case "skip": sequence += UInt64(rest) ?? 0
        case "first": sequence = UInt64(rest) ?? 1
        case "open":
            let event = JournalEvent.connectionOpened(
                origin: rest.isEmpty ? "main" : rest, peer: "127.0.0.1:5\(connection)", local: "127.0.0.1:8088")
            add(event, connection, request)
        case "frames": for event in try JournalFrames.events(rest, at: line) { add(event, connection, request) }
        case "ws":
            for event in try JournalSockets.events(rest, at: line) {
                add(event, connection, request ?? lastRequest[connection])
            }
        case "closed": add(try Self.end(rest, line), connection, request)
        case "violation":
            let sides = rest.split(separator: ": ", maxSplits: 1).map(String.init)
            let parts = (sides.first ?? "").split(separator: " ")
            guard parts.count == 3, let kind = Violation.Kind(rawValue: String(parts[0])), let place = Int(parts[2])
            else { throw RowError(line, "expected a violation such as violation bare-lf at 3") }
            let detail = sides.count > 1 ? try ByteText.bytes(inLine: sides[1], line: line) : []
            add(.violation(Violation(kind, at: place, detail: detail)), connection, request)
        case _ where !verb.isEmpty && verb.allSatisfy { $0.isUppercase }:
            try addRequest(words.joined(separator: " "), connection, request, at: line)
        default:
            guard let event = try JournalWords.event(verb, rest, at: line) else {
                throw RowError(line, "\"\(verb)\" begins no line of a journal; write the entry as JSON: {\"ev\": …}")
            }
            let (entry, number) = ofRequest(event)
            add(entry, connection, number)
        }
    }

    private static func number(_ letter: Character, _ words: inout ArraySlice<Substring>) -> Int? {
        guard let word = words.first, word.first == letter, let number = Int(word.dropFirst()) else { return nil }
        words.removeFirst()
        return number
    }

    private mutating func add(_ event: JournalEvent, _ connection: Int?, _ request: Int?) {
        entries.append(
            JournalEntry(
                sequence: sequence, nanoseconds: nanoseconds, connection: connection, request: request, event: event))
        sequence += 1
    }

    /// A line of a journal's file, of connection 0 where it names none.
    private mutating func addJSON(_ text: String, at line: Int) throws {
        let start = "{\"seq\":\(sequence),\"ns\":\(nanoseconds),"
        let place = text.contains("\"connection\":") ? "" : "\"connection\":0,"
        let read: JournalLines
        do {
            read = try JournalLines(Array((start + place + text.dropFirst()).utf8), file: "journal")
        } catch { throw RowError(line, "\(error)") }
        guard let entry = read.entries.first else { throw RowError(line, "no entry of a journal has this \"ev\"") }
        add(entry.event, entry.connection, entry.request)
        if case .requestHead = entry.event, let connection = entry.connection, let request = entry.request {
            lastRequest[connection] = request
            requestCount = max(requestCount, request + 1)
        }
    }

    private static func end(_ text: String, _ line: Int) throws(RowError) -> JournalEvent {
        let words = text.split(separator: " ")
        guard words.count >= 2, words[0] == "by",
            let party = JournalEvent.Party(rawValue: String(words[1].filter { $0 != ":" })),
            let how = JournalEvent.Ending(rawValue: words.count > 2 ? String(words[2]) : "closed")
        else { throw RowError(line, "expected an end such as closed by client, closed by server: reset") }
        return .connectionClosed(by: party, how: how)
    }

    /// A request, what is wrong with its head, and the end of its content.
    private mutating func addRequest(_ text: String, _ connection: Int, _ request: Int?, at line: Int) throws {
        let parts = text.components(separatedBy: " | ")
        var fields: [String] = []
        var words: [String: String] = [:]
        var trailers: [[UInt8]] = []
        for part in parts.dropFirst() {
            let sides = part.split(separator: ": ", maxSplits: 1).map(String.init)
            switch sides[0] {
            case "body", "kept", "chunks", "host", "unread", "cut", "withheld", "stream", "authority", "lines":
                words[sides[0]] = sides.count > 1 ? sides[1] : ""
            case "trailer": trailers.append(try ByteText.bytes(inLine: String(part.dropFirst(9)), line: line))
            default: fields.append(part)
            }
        }
        if words["host"] == nil, !fields.contains(where: { $0.lowercased().hasPrefix("host:") }) {
            fields.insert("Host: x", at: 0)
        }
        let number = request ?? requestCount
        requestCount = max(requestCount, number + 1)
        lastRequest[connection] = number
        let head = try Self.head(parts[0], fields, words, line)
        add(.requestHead(head, target: head.target), connection, number)
        for violation in head.violations { add(.violation(violation), connection, number) }
        guard words["unread"] == nil else { return }
        let content = try ByteText.bytes(inLine: words["body"] ?? "", line: line)
        let kept = words["kept"].flatMap { Int($0) } ?? content.count
        let chunks = words["chunks"].map { $0.split(separator: ",").compactMap { Int($0) } }
        let isWithheld = words["withheld"] != nil
        add(
            .requestBody(
                RequestBody(
                    kept: Array(content.prefix(kept)), byteCount: content.count,
                    isComplete: words["cut"] == nil && !isWithheld, trailers: trailers, chunks: chunks ?? [],
                    chunkLines: words["lines"].map { $0.split(separator: ",").map { Array($0.utf8) } } ?? [],
                    isWithheld: isWithheld)), connection, number)
    }

    private static func head(
        _ line: String, _ fields: [String], _ words: [String: String], _ number: Int
    ) throws -> RequestHead {
        if let stream = words["stream"].flatMap({ UInt32($0) }) {
            let sides = line.split(separator: " ")
            return RequestHead(
                RequestHead.ControlData(
                    method: Array(sides[0].utf8), path: Array(sides[1].utf8),
                    authority: Array((words["authority"] ?? "a.example").utf8), endsStream: true, contentLength: nil,
                    stream: stream), fields: [])
        }
        var bytes = try ByteText.bytes(inLine: line, line: number) + Array(" HTTP/1.1\r\n".utf8)
        for field in fields { bytes += try ByteText.bytes(inLine: field, line: number) + [0x0D, 0x0A] }
        bytes += [0x0D, 0x0A]
        var reader = RequestReader()
        var offset = 0
        guard case .head(let head)? = reader.next(bytes.span, at: &offset) else {
            throw RowError(number, "a server refuses this head; write the entry as JSON")
        }
        return head
    }
}
