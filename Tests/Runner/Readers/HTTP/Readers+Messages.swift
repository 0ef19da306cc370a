import ProctorBase
import ProctorHTTP

extension ReaderRunner {
    /// Messages of HTTP/1.
    static let messages: [String: DataReader] = [
        // What a server reads. Words: `ends` (the connection ends behind it), `anything`, and limits by name.
        "request": .pieces(
            trailing: [Array(MessageLines.nextRequest.utf8), [0, 0x16, 0xFF]],
            next: DataReader.Next(
                bytes: Array(MessageLines.nextRequest.utf8), words: { $0.words },
                lines: ["head GET /next HTTP/1.1, origin, none", "field Host: next", "end"]), isFuzzed: true
        ) { pieces, block in
            var reader = RequestReader(
                RequestRules(try MessageLimitWords.requestLimits(block)), acceptsAnything: block.has("anything"))
            return try MessageLines.read(&reader, pieces, block)
        },
        // What a client reads that has sent requests of these methods: `reply to GET,HEAD`.
        "reply": .pieces(
            trailing: [Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8), [0, 0x16, 0xFF]],
            next: DataReader.Next(
                bytes: Array("HTTP/1.1 299 Next\r\n\r\n".utf8), words: MessageLines.oneMoreMethod,
                lines: ["head 299 Next HTTP/1.1, none", "end"]), isFuzzed: true
        ) { pieces, block in
            var reader = ReplyReader(
                limits: try MessageLimitWords.replyLimits(block), undoesCodings: block.has("undoes-codings"))
            for method in MessageLines.methods(block) { reader.expectReply(to: Array(method.utf8)) }
            return try MessageLines.read(&reader, pieces, block)
        },
        // What a proxy hands on of a request.
        "forwarded": .whole { input, _ in
            let head = try RequestHead(parsing: input)
            let forwarded = head.forwarded
            var lines = MessageLines.rawFields(forwarded.fields)
            let isRest =
                forwarded.bytes == head.bytes && forwarded.keepsConnection == head.keepsConnection
                && forwarded.target == head.target && forwarded.methodBytes == head.methodBytes
                && forwarded.form == head.form
            if !isRest { lines.append("and something else differs") }
            if forwarded == head { lines.append("nothing goes") }
            return lines
        },
        // Path and query of a request's target.
        "target": .whole { input, _ in
            let head = try RequestHead(parsing: input)
            return [
                "path " + ByteText.optional(head.path), "query " + ByteText.optional(head.query),
            ]
        },
    ]
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
    }

    static func isSame(_ head: RequestHead, whenParsed input: [UInt8], _ block: Block) throws -> Bool {
        let start = input.dropFirst(head.precedingByteCount)
        guard start.starts(with: head.bytes), Array(head.target) == Array(head.targetBytes) else { return false }
        if block.has("anything") { return true }
        guard Array(head.method.utf8) == Array(head.methodBytes) else { return false }
        return try RequestHead(parsing: input, limits: MessageLimitWords.requestLimits(block)) == head
    }

    static func violations(of head: RequestHead) -> [Violation] { head.violations }
}

extension ReplyReader: MessageReading {
    static func lines(_ head: ReplyHead) -> [String] {
        var words = ["head \(head.status) \(ByteText.inLine(head.reason)) \(head.version)", "\(head.framing)"]
        if !head.keepsConnection { words.append("close") }
        return [words.joined(separator: ", ")] + MessageLines.fields(head.fields)
    }

    static func isSame(_ head: ReplyHead, whenParsed input: [UInt8], _ block: Block) throws -> Bool {
        let start = input.dropFirst(head.precedingByteCount)
        guard let method = MessageLines.methods(block).first, start.starts(with: head.bytes),
            Array(head.bytes[head.reasonRange]) == Array(head.reason),
            head.isInterim == (100..<200 ~= head.status && head.status != 101)
        else { return false }
        if block.has("undoes-codings") { return true }
        return try ReplyHead(
            parsing: input, replyingTo: Array(method.utf8),
            limits: MessageLimitWords.replyLimits(block)) == head
    }

    static func violations(of head: ReplyHead) -> [Violation] { head.violations }
}
