import ProctorHTTP
import ProctorTrace

/// Writes a journal as a server would, one connection and request after the other.
struct JournalScript {
    private(set) var entries: [JournalEntry] = []
    private var sequence: UInt64
    private var nanoseconds: UInt64 = 1_000_000_000
    private var requestCount = 0

    struct Unreadable: Error {}

    init(firstSequence: UInt64 = 1) {
        sequence = firstSequence
    }

    mutating func add(_ event: JournalEvent, on connection: Int = 0, request: Int? = nil) {
        entries.append(
            JournalEntry(
                sequence: sequence, nanoseconds: nanoseconds, connection: connection, request: request, event: event))
        sequence += 1
    }

    mutating func open(_ connection: Int = 0, origin: String = "main") {
        add(
            .connectionOpened(origin: origin, peer: "127.0.0.1:5\(connection)", local: "127.0.0.1:8088"),
            on: connection)
    }

    mutating func close(
        _ connection: Int = 0, by party: JournalEvent.Party = .client, _ how: JournalEvent.Ending = .closed
    ) {
        add(.connectionClosed(by: party, how: how), on: connection)
    }

    mutating func wait(milliseconds: UInt64) {
        nanoseconds += milliseconds * 1_000_000
    }

    mutating func skip(_ count: UInt64) {
        sequence += count
    }

    /// A request with its head, its head's violations, its body and the exchange that answers it.
    @discardableResult
    mutating func request(
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

    /// A request, what guards said of it, and the status of its reply.
    mutating func guarded(
        _ line: String, on connection: Int = 0, fields: [String] = [], _ verdicts: GuardVerdict..., status: Int? = nil
    ) throws {
        let number = try request(line, on: connection, fields: ["Host: x"] + fields)
        for verdict in verdicts { add(.guarded(verdict), on: connection, request: number) }
        if let status { add(.replySent(status: status, byteCount: 90), on: connection, request: number) }
    }

    /// A request whose body arrived in chunks.
    mutating func chunkedRequest(
        _ line: String, fields: [String] = [], body: String, chunks: [Int], trailers: [String] = [],
        isComplete: Bool = true
    ) throws {
        let number = try request(line, fields: ["Host: x", "Transfer-Encoding: chunked"] + fields, body: nil)
        let content = Array(body.utf8)
        add(
            .requestBody(
                RequestBody(
                    kept: content, byteCount: content.count, isComplete: isComplete,
                    trailers: trailers.map { Array($0.utf8) }, chunks: chunks)),
            request: number)
    }

    /// The journal of one connection with these requests.
    static func of(_ lines: String..., after milliseconds: UInt64 = 0) throws -> [JournalEntry] {
        var script = JournalScript()
        script.wait(milliseconds: milliseconds)
        script.open()
        for line in lines { try script.request(line) }
        script.close()
        return script.entries
    }
}
