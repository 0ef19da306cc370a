import ProctorBase
import ProctorHTTP

extension ReaderRunner {
    static let http: [String: DataReader] = [
        // What a server reads. Words: `ends` (the connection ends behind it), `anything`, and limits by name.
        "request": .pieces(trailing: [Array("GET /next HTTP/1.1\r\nHost: next\r\n\r\n".utf8), [0, 0x16, 0xFF]]) {
            pieces, block in
            let limits = RequestLimits(
                fieldLineByteCount: try block.number(of: "line-limit") ?? 32 << 10,
                fieldCount: try block.number(of: "field-limit") ?? 200,
                headByteCount: try block.number(of: "head-limit") ?? 64 << 10)
            var reader = RequestReader(limits: limits, acceptsAnything: block.has("anything"))
            return try MessageLines.read(&reader, pieces, ends: block.has("ends"))
        },
        // What a client reads that has sent requests of these methods: `reply to GET,HEAD`.
        "reply": .pieces(trailing: [Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8), [0, 0x16, 0xFF]]) {
            pieces, block in
            var reader = ReplyReader(limits: ReplyLimits())
            for method in (block.value(of: "to") ?? "GET").split(separator: ",") {
                reader.expectReply(to: Array(method.utf8))
            }
            return try MessageLines.read(&reader, pieces, ends: block.has("ends"))
        },
    ]
}

/// A reader of either direction, as a page sees it.
protocol MessageReading {
    associatedtype Head: Equatable & Sendable
    mutating func next(_ input: Span<UInt8>, at offset: inout Int) -> MessageEvent<Head>?
    mutating func finish() -> MessageEvent<Head>?
    static func lines(_ head: Head) -> [String]
}

extension RequestReader: MessageReading {
    static func lines(_ head: RequestHead) -> [String] {
        var words = [
            "head \(ByteText.inLine(head.methodBytes)) \(ByteText.inLine(head.target)) \(head.version)", "\(head.form)",
        ]
        words.append("\(head.framing)")
        if !head.keepsConnection { words.append("close") }
        if head.expectsContinue { words.append("expects 100") }
        return [words.joined(separator: ", ")] + MessageLines.fields(head.fields)
            + head.violations.map(MessageLines.violation)
    }
}

extension ReplyReader: MessageReading {
    static func lines(_ head: ReplyHead) -> [String] {
        var words = ["head \(head.status) \(ByteText.inLine(head.reason)) \(head.version)", "\(head.framing)"]
        if !head.keepsConnection { words.append("close") }
        return [words.joined(separator: ", ")] + MessageLines.fields(head.fields)
            + head.violations.map(MessageLines.violation)
    }
}

/// Events of messages as lines, without reference to how the input was cut.
enum MessageLines {
    static func read<Reader: MessageReading>(_ reader: inout Reader, _ pieces: [[UInt8]], ends: Bool) throws -> [String]
    {
        var lines: [String] = []
        var content: [UInt8] = []
        func flush() {
            if !content.isEmpty { lines.append("content " + ByteText.inLine(content)) }
            content = []
        }
        func add(_ event: MessageEvent<Reader.Head>, of input: [UInt8]) {
            if case .content(let range) = event {
                content += input[range]
                return
            }
            flush()
            switch event {
            case .head(let head): lines += Reader.lines(head)
            case .content: break
            case .chunk(let byteCount, let extensions):
                lines.append("chunk \(byteCount)" + (extensions.isEmpty ? "" : " " + ByteText.inLine(extensions)))
            case .trailers(let fields): lines += fieldLines(fields, named: "trailer")
            case .violation(let found): lines.append(violation(found))
            case .end: lines.append("end")
            case .refused(let found): lines.append("refused " + place(found))
            }
        }
        for piece in pieces {
            var offset = 0
            while let event = reader.next(piece.span, at: &offset) { add(event, of: piece) }
        }
        while ends, let event = reader.finish() { add(event, of: []) }
        flush()
        return lines
    }

    static func fields(_ fields: FieldSection) -> [String] { fieldLines(fields, named: "field") }

    private static func fieldLines(_ fields: FieldSection, named word: String) -> [String] {
        fields.map { "\(word) \(ByteText.inLine($0.name)): \(ByteText.inLine($0.value))" }
    }

    static func violation(_ violation: Violation) -> String { "violation " + place(violation) }

    /// `missing-host at 16 (RFC 9112 §3.2)`.
    static func place(_ violation: Violation) -> String {
        "\(violation.kind.rawValue) at \(violation.offset) (\(violation.section))"
    }
}
