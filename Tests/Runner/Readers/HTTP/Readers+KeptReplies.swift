import ProctorBase
import ProctorHTTP
import ProctorHTTPClient

extension ReaderRunner {
    /// Kept replies, and several ranges of one.
    static let kept: [String: DataReader] = [
        // Fields of a reply: those that are kept.
        "kept-fields": .whole { input, block in
            try CachingLines.reply(Array("200 | ".utf8) + input, block).fields.map(CachingLines.text)
        },
        // `fields of a kept reply > fields of a 304`, which came at second N: `refreshed at 10100 asked 10099`.
        "refreshed": .whole { input, block in
            let parts = try Parts.exactly(2, input, by: " > ", block)
            var stored = try CachingLines.reply(Array("200 | ".utf8) + parts[0], block)
            let now = block.number(ofWord: "at") ?? 10_000
            stored.refresh(
                by: Parts.fields(parts[1]), requestedAt: block.number(ofWord: "asked") ?? now, receivedAt: now)
            let freshness = Freshness(of: stored)
            return stored.fields.map(CachingLines.text).sorted() + [
                "age \(freshness.age(at: now)) of \(freshness.lifetime)",
                (0...200).first { !freshness.isFresh(at: now + $0) }.map { "stale after \($0) s" } ?? "fresh",
            ]
        },
        // Kept replies, each as `SECONDS it came | fields`: which is chosen.
        "chosen": .whole { input, block in
            let replies = try Parts.of(input, by: " > ").map { part in
                let message = try CachingLines.Message(part, block)
                let time = try Parts.number(Array(message.words[0].utf8), block)
                guard
                    let reply = CachedReply(
                        status: 200, fields: message.fields, requestFields: [], requestedAt: 10_000, receivedAt: time)
                else { throw RowError(block.line, "such a reply is not kept") }
                return reply
            }
            return [CachedReply.select(replies, for: []).map(String.init) ?? "none"]
        },
        "cache-key": .whole { input, _ in [ByteText.inLine(CacheKey(try ClientURL(input)).bytes)] },
        // Values of Cache-Control: the argument of a directive, `directive of NAME`.
        "directive": .whole { input, block in
            let directives = CacheDirectives(Parts.of(input).map { HTTPField(name: "Cache-Control", bytes: $0) })
            let name = block.value(of: "of") ?? ""
            guard directives.contains(name) else { return ["absent"] }
            return [directives.argument(of: name).map { "\"\(ByteText.inLine($0))\"" } ?? "without an argument"]
        },
        // `0-4,5-9`: a body of several parts; `of N`, `type T`, `boundary B`.
        "multipart-ranges": .whole { input, block in try RangeLines.parts(input, block) },
        // `0-4 of 5`: a value of Content-Range.
        "written-range": .line { text in
            let words = text.split(separator: " ").map(String.init)
            guard let range = RangeLines.range(words[0]) else { return "-" }
            return ContentRange(range, of: Int(words.last ?? "")).map { ByteText.inLine($0.bytes) } ?? "-"
        },
    ]
}

private enum RangeLines {
    /// `5-9`, with the last byte; `5-4` is empty, and `-1-2` begins before the whole.
    static func range(_ text: String) -> Range<Int>? {
        guard let dash = text.dropFirst().firstIndex(of: "-"), let first = Int(text[..<dash]),
            let last = Int(text[dash...].dropFirst()), last >= first - 1
        else { return nil }
        return last == .max ? nil : first..<last + 1
    }

    static func parts(_ input: [UInt8], _ block: Block) throws -> [String] {
        let ranges = try Parts.text(input).split(separator: ",").map { text in
            guard let range = range(String(text)) else { throw RowError(block.line, "no range: \(text)") }
            return range
        }
        let length = try block.number(of: "of") ?? 10
        let boundary = try block.value(of: "boundary").map { try ByteText.bytes(inLine: $0, line: block.line) }
        let written = MultipartRanges(
            ranges, of: length, contentType: block.value(of: "type").map { Array($0.utf8) },
            boundary: boundary ?? Array("b".utf8))
        guard let written else { return ["can't be written"] }
        // The content is its own numbers, so that each part is told from others.
        let content = (0..<length).map { UInt8(truncatingIfNeeded: 0x30 + $0 % 75) }
        let body = written.parts.flatMap { $0.head + content[$0.range] } + written.end
        guard body.count == written.byteCount else {
            return ["it has \(body.count) bytes, and says \(written.byteCount)"]
        }
        guard let type = MediaType(written.contentType), let name = type.boundary,
            var reader = MultipartReader(boundary: name)
        else { return ["its type can't be read"] }
        var (read, seen): ([Range<Int>?], [UInt8]) = ([], [])
        var offset = 0
        while let event = reader.next(body.span, at: &offset) ?? reader.finish() {
            switch event {
            case .partBegan(let fields):
                read.append(fields.first(named: "Content-Range").flatMap { ContentRange(Array($0)) }?.range)
            case .content(let bytes): seen += bytes
            case .refused(let violation): return ["refused: \(violation)"]
            case .partEnded, .ended: break
            }
        }
        guard read == ranges, seen == ranges.flatMap({ content[$0] }) else { return ["it is read otherwise"] }
        return [ByteText.inLine(written.contentType), "\(body.count) bytes"]
            + written.parts.map { ByteText.inLine($0.head) } + [ByteText.inLine(written.end)]
    }
}
