import ProctorBase
import ProctorHTTP

/// A reader of either direction, as a page sees it.
protocol MessageReading {
    associatedtype Head: Equatable & Sendable
    mutating func next(_ input: Span<UInt8>, at offset: inout Int) -> MessageEvent<Head>?
    mutating func finish() -> MessageEvent<Head>?
    static func lines(_ head: Head) -> [String]
    static func violations(of head: Head) -> [Violation]
    /// Whether the head's parts agree with one another, and parsing it alone gives the same.
    static func isSame(_ head: Head, whenParsed input: [UInt8], _ block: Block) throws -> Bool
}

/// Events of messages as lines, without reference to how the input was cut.
enum MessageLines {
    static let nextRequest = "GET /next HTTP/1.1\r\nHost: next\r\n\r\n"

    /// Throws for what no reader may do, whatever it reads.
    static func read<Reader: MessageReading>(
        _ reader: inout Reader, _ pieces: [[UInt8]], _ block: Block
    ) throws -> [String] {
        var lines: [String] = []
        var content: [UInt8] = []
        let byteCount = pieces.reduce(0) { $0 + $1.count }
        var isRefused = false
        var hasHead = false
        func require(_ holds: Bool, _ what: String) throws {
            if !holds { throw RowError(block.line, what + "; pieces: " + pieces.map(ByteText.inLine).description) }
        }
        func flush() {
            if !content.isEmpty { lines.append("content " + ByteText.inLine(content)) }
            content = []
        }
        func add(_ event: MessageEvent<Reader.Head>, of input: [UInt8]) throws {
            try require(!isRefused, "something came behind a refusal")
            if case .content(let range) = event {
                try require(!range.isEmpty, "content without bytes")
                content += input[range]
                return
            }
            flush()
            var found: [Violation] = []
            switch event {
            case .head(let head):
                lines += Reader.lines(head)
                found = Reader.violations(of: head)
                if pieces.count == 1, !hasHead {
                    try require(
                        Reader.isSame(head, whenParsed: pieces[0], block), "the head differs from what parsing it gives"
                    )
                }
                hasHead = true
            case .content: break
            case .chunk(let byteCount, let extensions):
                lines.append("chunk \(byteCount)" + (extensions.isEmpty ? "" : " " + ByteText.inLine(extensions)))
            case .trailers(let fields): lines += fieldLines(fields, named: "trailer")
            case .violation(let violation): found = [violation]
            case .end: lines.append("end")
            case .refused(let violation):
                found = [violation]
                isRefused = true
            }
            for violation in found {
                try require(0...byteCount ~= violation.offset, "a violation outside of the input")
                try require(violation.isFatal == isRefused, "a violation is as grave as what is made of it")
                lines.append(line(violation, isRefused: isRefused, saying: block.has("sentences")))
            }
        }
        for (index, piece) in pieces.enumerated() {
            // What stands before a piece was read already.
            let leading = pieces.count == 1 ? 0 : index % 4
            let input = [UInt8](repeating: 0x21, count: leading) + piece
            var offset = leading
            while let event = reader.next(input.span, at: &offset) { try add(event, of: input) }
            try require(offset == input.count, "input is left")
        }
        while block.has("ends"), let event = reader.finish() { try add(event, of: []) }
        flush()
        return lines
    }

    static func fields(_ fields: FieldSection) -> [String] { fieldLines(fields, named: "field") }

    static func rawFields(_ fields: FieldSection) -> [String] { fields.map { ByteText.inLine($0.raw) } }

    private static func fieldLines(_ fields: FieldSection, named word: String) -> [String] {
        fields.map { "\(word) \(ByteText.inLine($0.name)): \(ByteText.inLine($0.value))" }
    }

    private static func line(_ violation: Violation, isRefused: Bool, saying: Bool) -> String {
        let line = (isRefused ? "refused " : "violation ") + place(violation)
        guard saying else { return line }
        let status = isRefused && violation.message == .request ? " \(violation.status)" : ""
        return line + status + ": " + violation.sentence
    }

    /// `missing-host at 16 (RFC 9112 §3.2)`.
    static func place(_ violation: Violation) -> String {
        "\(violation.kind.rawValue) at \(violation.offset) (\(violation.section))"
    }

    // MARK: Methods of replies

    static func methods(_ block: Block) -> [String] {
        let text = block.value(of: "to") ?? "GET"
        return text == "-" ? [] : text.split(separator: ",").map(String.init)
    }

    /// The words of a block that expects a reply to HEAD, too.
    static func oneMoreMethod(_ block: Block) -> [String] {
        let others = block.words.indices.filter {
            block.words[$0] != "to" && ($0 == 0 || block.words[$0 - 1] != "to")
        }
        return others.map { block.words[$0] } + ["to", (methods(block) + ["HEAD"]).joined(separator: ",")]
    }
}

/// Limits of readers as words: `field-line-limit 10`, and `all-limit 0` for all of them.
enum MessageLimitWords {
    private static let requests: [(String, any WritableKeyPath<RequestLimits, Int> & Sendable)] = [
        ("empty-line-limit", \.emptyLineCount), ("method-limit", \.methodByteCount),
        ("target-limit", \.targetByteCount), ("field-line-limit", \.fieldLineByteCount),
        ("field-limit", \.fieldCount), ("head-limit", \.headByteCount), ("chunk-line-limit", \.chunkLineByteCount),
        ("trailer-limit", \.trailerByteCount), ("content-limit", \.bodyByteCount),
    ]
    private static let replies: [(String, any WritableKeyPath<ReplyLimits, Int> & Sendable)] = [
        ("empty-line-limit", \.emptyLineCount), ("status-line-limit", \.statusLineByteCount),
        ("field-line-limit", \.fieldLineByteCount), ("field-limit", \.fieldCount), ("head-limit", \.headByteCount),
        ("interim-limit", \.interimCount), ("chunk-line-limit", \.chunkLineByteCount),
        ("trailer-limit", \.trailerByteCount), ("content-limit", \.bodyByteCount),
    ]

    static func requestLimits(_ block: Block) throws -> RequestLimits {
        try limits(RequestLimits(), by: requests, block)
    }

    static func replyLimits(_ block: Block) throws -> ReplyLimits { try limits(ReplyLimits(), by: replies, block) }

    private static func limits<Limits>(
        _ standard: Limits, by names: [(String, any WritableKeyPath<Limits, Int> & Sendable)], _ block: Block
    ) throws -> Limits {
        var limits = standard
        let all = try block.number(of: "all-limit")
        for (name, path) in names {
            if let value = try block.number(of: name) ?? all { limits[keyPath: path] = value }
        }
        return limits
    }
}
