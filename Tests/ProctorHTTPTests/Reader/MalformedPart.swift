import Testing

@testable import ProctorHTTP

/// What is wrong in requests and in replies alike: field lines, or what comes behind a head, marked as `Marked` says.
///
/// Each row stands in both corpora, within a head of each direction.
struct MalformedPart: Sendable {
    let name: String
    let marked: String
    let kinds: [Violation.Kind]
    let limit: Limit?
    /// Whether the peer leaves after the last byte.
    let thenEnds: Bool

    /// A limit that both directions have.
    enum Limit: Sendable {
        case content(Int), chunkLine(Int), trailers(Int), fieldLine(Int), fieldCount(Int)
    }

    init(
        _ name: String, _ marked: String, finds kinds: Violation.Kind..., limit: Limit? = nil, thenEnds: Bool = false
    ) {
        self.name = name
        self.marked = marked
        self.kinds = kinds
        self.limit = limit
        self.thenEnds = thenEnds
    }
}

extension MessageLimits {
    func with(_ limit: MalformedPart.Limit?) -> Self {
        var limits = self
        switch limit {
        case .content(let most): limits.bodyByteCount = most
        case .chunkLine(let most): limits.chunkLineByteCount = most
        case .trailers(let most): limits.trailerByteCount = most
        case .fieldLine(let most): limits.fieldLineByteCount = most
        case .fieldCount(let most): limits.fieldCount = most
        case nil: break
        }
        return limits
    }
}

/// A message with something wrong, and what its reader makes of it.
protocol MalformedMessage: Sendable, CustomTestStringConvertible {
    associatedtype Head: ReadHead & Equatable & Sendable
    var name: String { get }
    var input: [UInt8] { get }
    var expected: [Marked.Expected] { get }
    /// Whether the peer leaves after the last byte.
    var thenEnds: Bool { get }
    /// Verified, however the input is cut.
    var events: [Seen<Head>] { get }
}

extension MalformedMessage {
    var testDescription: String { name }

    func expectDiagnosis(of message: MessageKind) throws {
        let events = events
        let found = events.flatMap(\.violations)
        #expect(found.places == expected)
        #expect(found.allSatisfy { $0.message == message })
        let isRefused = found.contains(where: \.isFatal)
        #expect(events.contains(where: \.isRefusal) == isRefused)
        if isRefused {
            let last = try #require(events.last)
            #expect(last.isRefusal, "a refusal is the last event")
        } else if !thenEnds {
            #expect(events.last == .end, "what can be read over is read to its end")
        }
    }

    func expectSentences(without words: [String] = []) {
        for violation in events.flatMap(\.violations) {
            let sentence = violation.sentence
            #expect(sentence.count > 15)
            #expect(sentence.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
            #expect(!(["the ? bytes", "than ? "] + words).contains { sentence.contains($0) })
            #expect(violation.description.contains(violation.section))
        }
    }
}

/// A message as long as one of its limits, which is `atLimit` as it is and one less in `belowLimit`.
struct LimitRow<Limits: Sendable>: Sendable, CustomTestStringConvertible {
    let name: String
    let input: [UInt8]
    let atLimit: Limits
    let belowLimit: Limits
    let kind: Violation.Kind

    init(
        _ name: String, _ input: String, of limits: Limits, limit: WritableKeyPath<Limits, Int>, most: Int,
        kind: Violation.Kind
    ) {
        self.name = name
        self.input = bytes(input)
        var limits = limits
        limits[keyPath: limit] = most
        atLimit = limits
        limits[keyPath: limit] = most - 1
        belowLimit = limits
        self.kind = kind
    }

    var testDescription: String { name }
}

extension MalformedPart {
    /// Field lines, without the end of the last one.
    static let fieldLines: [MalformedPart] = [
        .init("CR in a value", "X: a▸\rb", finds: .bareCR),
        .init("CR at the end of a value", "X: a▸\r", finds: .bareCR),
        .init("CR before a name", "▸\rX: a", finds: .bareCR),
        .init("CR in a name", "X▸\rY: a", finds: .bareCR),
        .init("CR in a line without colon", "X▸\rY", finds: .bareCR),
        .init("CR alone in a line", "▸\r", finds: .bareCR),
        .init("a line without colon", "▸nonsense", finds: .missingColon),
        .init("a line without colon but with spaces", "▸X y", finds: .missingColon),
        .init("a line that begins with a colon", "▸: value", finds: .emptyFieldName),
        .init("a colon alone", "▸:", finds: .emptyFieldName),
        .init("a space in the name", "X▸ Y: z", finds: .badFieldName),
        .init("a space in the name and before the colon", "X▸ Y : z", finds: .badFieldName),
        .init("a NUL in the name", "X▸\u{00}: z", finds: .badFieldName),
        .init("a control character in the name", "▸\u{01}X: z", finds: .badFieldName),
        .init("a vertical tab before the colon", "X▸\u{0B}: z", finds: .badFieldName),
        .init("a slash in the name", "X▸/Y: z", finds: .illegalCharacterInFieldName),
        .init("parentheses in the name", "X▸(Y): z", finds: .illegalCharacterInFieldName),
        .init("an at sign first in the name", "▸@X: z", finds: .illegalCharacterInFieldName),
        .init("UTF-8 in the name", "▸\u{C3}\u{89}tat: z", finds: .illegalCharacterInFieldName),
        .init("quotes around the name", "▸\"X\": z", finds: .illegalCharacterInFieldName),
        .init("equals instead of a colon, and a colon later", "X▸=http://a", finds: .illegalCharacterInFieldName),
        .init("a NUL in a value", "X: a▸\u{00}b", finds: .nulInFieldValue),
        .init("a NUL as the value", "X:▸\u{00}", finds: .nulInFieldValue),
        .init("a control character in a value", "X: a▸\u{01}b", finds: .controlInFieldValue),
        .init("an escape sequence in a value", "X: ▸\u{1B}[31mred\u{1B}[0m", finds: .controlInFieldValue),
        .init("DEL in a value", "X: ▸\u{7F}", finds: .controlInFieldValue),
        .init("a vertical tab in a value", "X: a▸\u{0B}", finds: .controlInFieldValue),
        .init(
            "control characters in two values", "X: ▸\u{01}\r\nY: ▸\u{02}\u{03}", finds: .controlInFieldValue,
            .controlInFieldValue),
        .init("a folded value", "X: a\r\n▸ b", finds: .obsFold),
        .init("a value folded by a tab", "X: a\r\n▸\tb", finds: .obsFold),
        .init("a value folded twice", "X: a\r\n▸ b\r\n▸ c", finds: .obsFold, .obsFold),
        .init("a fold before the value", "X:\r\n▸ a", finds: .obsFold),
        .init("a fold with nothing in it", "X: a\r\n▸ ", finds: .obsFold),
        .init("a fold ended by LF", "X: a▸\n▸ b▸\nY: z", finds: .bareLF, .obsFold, .bareLF),
        .init("a fold that looks like a field", "X: a\r\n▸ Y: z", finds: .obsFold),
        .init("a NUL in a fold", "X: a\r\n ▸\u{00}", finds: .nulInFieldValue),
        .init("CR in a fold", "X: a\r\n ▸\rb", finds: .bareCR),
        .init("two Content-Type", "Content-Type: a/b\r\n▸Content-Type: c/d", finds: .duplicateField),
    ]

    /// Field lines about the connection.
    static let connections: [MalformedPart] = [
        .init("an empty element in Connection", "Connection: close,▸, x", finds: .emptyListElement),
        .init("an empty Connection", "Connection:▸", finds: .emptyListElement),
        .init("a Connection option in quotes", "Connection: ▸\"close\"", finds: .badConnectionOption),
        .init("a Connection option with a space", "Connection: ▸keep alive", finds: .badConnectionOption),
        .init("Upgrade without its option", "▸Upgrade: h2c", finds: .upgradeWithoutConnection),
    ]

    /// Field lines of a message's framing, which has no other.
    static let framings: [MalformedPart] = [
        .init("a length of letters", "Content-Length: ▸five", finds: .badContentLength),
        .init("an empty length", "Content-Length:▸", finds: .badContentLength),
        .init("a negative length", "Content-Length: ▸-1", finds: .badContentLength),
        .init("a length with a plus sign", "Content-Length: ▸+1", finds: .badContentLength),
        .init("a hexadecimal length", "Content-Length: ▸0x10", finds: .badContentLength),
        .init("a length with a fraction", "Content-Length: ▸1.0", finds: .badContentLength),
        .init("a length with a space inside", "Content-Length: ▸1 0", finds: .badContentLength),
        .init("a length with a unit", "Content-Length: ▸10 bytes", finds: .badContentLength),
        .init("a list of lengths with an empty element", "Content-Length: ▸5,", finds: .badContentLength),
        .init("a length in quotes", "Content-Length: ▸\"5\"", finds: .badContentLength),
        .init("two lengths that differ", "Content-Length: 1\r\nContent-Length: ▸2", finds: .differingContentLengths),
        .init("a list of lengths that differ", "Content-Length: 1, ▸2", finds: .differingContentLengths),
        .init("a length over Int", "Content-Length: ▸9223372036854775808", finds: .contentTooLarge),
        .init(
            "a length of a hundred digits", "Content-Length: ▸" + String(repeating: "9", count: 100),
            finds: .contentTooLarge),
        .init("chunks and a bad length", "Transfer-Encoding: chunked\r\nContent-Length: ▸x", finds: .badContentLength),
        .init("an empty Transfer-Encoding", "▸Transfer-Encoding:", finds: .badTransferEncoding),
        .init("chunked with a parameter", "Transfer-Encoding: ▸chunked;a=b", finds: .badTransferEncoding),
        .init("chunked in quotes", "Transfer-Encoding: ▸\"chunked\"", finds: .badTransferEncoding),
        .init("two codings without comma", "Transfer-Encoding: ▸gzip chunked", finds: .badTransferEncoding),
        .init(
            "chunked with a vertical tab", "Transfer-Encoding: ▸▸\u{0B}chunked", finds: .controlInFieldValue,
            .badTransferEncoding),
        .init("gzip before chunked", "Transfer-Encoding: ▸gzip, chunked", finds: .unsupportedTransferCoding),
        .init("identity before chunked", "Transfer-Encoding: ▸identity, chunked", finds: .unsupportedTransferCoding),
        .init(
            "a coding of two lines", "Transfer-Encoding: ▸deflate;q=1\r\nTransfer-Encoding: chunked",
            finds: .unsupportedTransferCoding),
        .init("chunked twice in a list", "Transfer-Encoding: chunked, ▸chunked", finds: .chunkedTwice),
        .init(
            "chunked twice in two lines", "Transfer-Encoding: chunked\r\nTransfer-Encoding: ▸chunked",
            finds: .chunkedTwice),
    ]
}

extension MalformedPart {
    /// What comes behind a head that promises chunks.
    static let chunks: [MalformedPart] = [
        .init("no chunk size", "▸\r\n0\r\n\r\n", finds: .badChunkSize),
        .init("content without a chunk size", "▸hello", finds: .badChunkSize),
        .init("a letter beyond F behind the size", "5▸g\r\nhello\r\n0\r\n\r\n", finds: .badChunkSize),
        .init("a hexadecimal prefix", "0▸x5\r\nhello\r\n0\r\n\r\n", finds: .badChunkSize),
        .init("a negative size", "▸-1\r\n\r\n", finds: .badChunkSize),
        .init("a size with a plus sign", "▸+5\r\nhello\r\n0\r\n\r\n", finds: .badChunkSize),
        .init("a space before the size", "▸ 5\r\nhello\r\n0\r\n\r\n", finds: .badChunkSize),
        .init("LF where a size belongs", "▸\n", finds: .badChunkSize),
        .init("a size of 64 bits", "800000000000000▸0\r\n", finds: .chunkSizeOverflow),
        .init("a size of 65 bits", "FFFFFFFFFFFFFFF▸F0\r\n", finds: .chunkSizeOverflow),
        .init("sizes that add up to more than Int", "1\r\nx\r\n▸7FFFFFFFFFFFFFFF\r\n", finds: .contentTooLarge),
        .init("chunks over the limit", "5\r\nhello\r\n▸6\r\n", finds: .contentTooLarge, limit: .content(10)),
        .init("a chunk line over the limit", "5;ab▸c\r\n", finds: .chunkLineTooLong, limit: .chunkLine(4)),
        .init("a size of many zeros", "00000▸5\r\nhello\r\n", finds: .chunkLineTooLong, limit: .chunkLine(5)),
        .init("LF ends the size", "5▸\nhello\r\n0\r\n\r\n", finds: .bareLFInChunkLine),
        .init("LF ends the extension", "5;a▸\nhello\r\n0\r\n\r\n", finds: .bareLFInChunkLine),
        .init("CR inside a chunk line", "5▸\r;a\r\nhello\r\n0\r\n\r\n", finds: .bareCR),
        .init("two CR behind the size", "5▸\r\r\nhello\r\n0\r\n\r\n", finds: .bareCR),
        .init("a space behind the size", "5▸ \r\nhello\r\n0\r\n\r\n", finds: .whitespaceInChunkLine),
        .init("a tab behind the last size", "0▸\t\r\n\r\n", finds: .whitespaceInChunkLine),
        .init("a space before an extension", "1▸ ;a\r\nx\r\n0\r\n\r\n", finds: .whitespaceInChunkLine),
        .init("spaces around an extension's value", "1;a▸ = b\r\nx\r\n0\r\n\r\n", finds: .whitespaceInChunkLine),
        .init("a NUL in an extension", "1;a▸\u{00}\r\nx\r\n0\r\n\r\n", finds: .controlInChunkLine),
        .init("a control character behind the size", "1;▸\u{01}\r\nx\r\n0\r\n\r\n", finds: .controlInChunkLine),
        .init("an extension without name", "1;▸\r\nx\r\n0\r\n\r\n", finds: .badChunkExtension),
        .init("an extension with a value but no name", "1;▸=b\r\nx\r\n0\r\n\r\n", finds: .badChunkExtension),
        .init("an extension with an empty value", "1;a=▸\r\nx\r\n0\r\n\r\n", finds: .badChunkExtension),
        .init("an unclosed quoted value", "1;a=▸\"b\r\nx\r\n0\r\n\r\n", finds: .badChunkExtension),
        .init("a byte behind a quoted value", "1;a=\"b\"▸c\r\nx\r\n0\r\n\r\n", finds: .badChunkExtension),
        .init(
            "an extension without semicolon", "1▸ ▸a\r\nx\r\n0\r\n\r\n", finds: .whitespaceInChunkLine,
            .badChunkExtension),
        .init("a bad extension of the last chunk", "0;▸@\r\n\r\n", finds: .badChunkExtension),
        .init("a chunk longer than its size", "4\r\nhell▸o\r\n0\r\n\r\n", finds: .missingCRLFAfterChunk),
        .init("a chunk shorter than its size", "6\r\nhello\r▸\n0\r\n\r\n", finds: .missingCRLFAfterChunk),
        .init("LF behind a chunk", "5\r\nhello▸\n0\r\n\r\n", finds: .missingCRLFAfterChunk),
        .init("CR without LF behind a chunk", "5\r\nhello\r▸0\r\n\r\n", finds: .missingCRLFAfterChunk),
        .init("the last chunk without a line behind", "0\r\n▸GET / HTTP/1.1\r\n\r\n", finds: .missingColon),
        .init("LF ends a trailer", "0\r\nX: y▸\n\r\n", finds: .bareLF),
        .init("LF ends the trailers", "0\r\n▸\n", finds: .bareLF),
        .init("a folded trailer", "0\r\nX: y\r\n▸ z\r\n\r\n", finds: .obsFold),
        .init("whitespace before the first trailer", "0\r\n▸ X: y\r\n\r\n", finds: .whitespaceBeforeFirstField),
        .init("a trailer with a space before its colon", "0\r\nX▸ : y\r\n\r\n", finds: .spaceBeforeColon),
        .init("a trailer with a NUL", "0\r\nX: ▸\u{00}\r\n\r\n", finds: .nulInFieldValue),
        .init("Content-Length as a trailer", "0\r\n▸Content-Length: 5\r\n\r\n", finds: .forbiddenTrailer),
        .init("Transfer-Encoding as a trailer", "0\r\n▸Transfer-Encoding: x\r\n\r\n", finds: .forbiddenTrailer),
        .init("Content-Type as a trailer", "1\r\nx\r\n0\r\n▸content-type: a/b\r\n\r\n", finds: .forbiddenTrailer),
        .init("Trailer as a trailer", "0\r\n▸Trailer: X\r\n\r\n", finds: .forbiddenTrailer),
        .init("trailers over the limit", "0\r\nX: yyyyyy▸y\r\n\r\n", finds: .trailersTooLarge, limit: .trailers(9)),
        .init(
            "a trailer line over the limit", "0\r\nX: 3456789012345678901234567▸8\r\n\r\n", finds: .fieldLineTooLong,
            limit: .fieldLine(28)),
        .init(
            "one trailer too many", "0\r\nA: 1\r\nB: 2\r\n▸C: 3\r\n\r\n", finds: .tooManyFields, limit: .fieldCount(2)),
    ]

    /// The same, up to where the peer leaves.
    static let endings: [MalformedPart] = [
        .init("the peer leaves before the first chunk", "▸", finds: .incompleteChunkedContent, thenEnds: true),
        .init("the peer leaves in a chunk size", "5▸", finds: .incompleteChunkedContent, thenEnds: true),
        .init("the peer leaves in a chunk", "5\r\nhell▸", finds: .incompleteChunkedContent, thenEnds: true),
        .init("the peer leaves behind a chunk", "5\r\nhello\r\n▸", finds: .incompleteChunkedContent, thenEnds: true),
        .init("the peer leaves behind the last chunk", "0\r\n▸", finds: .incompleteChunkedContent, thenEnds: true),
        .init("the peer leaves in a trailer", "0\r\nX: y▸", finds: .incompleteChunkedContent, thenEnds: true),
    ]
}
