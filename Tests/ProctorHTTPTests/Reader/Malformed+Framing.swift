import ProctorHTTP

extension Malformed {
    static let framings: [Malformed] = [
        .field("a length of letters", "Content-Length: ▸five", .badContentLength),
        .field("an empty length", "Content-Length:▸", .badContentLength),
        .field("a negative length", "Content-Length: ▸-1", .badContentLength),
        .field("a length with a plus sign", "Content-Length: ▸+1", .badContentLength),
        .field("a hexadecimal length", "Content-Length: ▸0x10", .badContentLength),
        .field("a length with a fraction", "Content-Length: ▸1.0", .badContentLength),
        .field("a length with a space inside", "Content-Length: ▸1 0", .badContentLength),
        .field("a length with a unit", "Content-Length: ▸10 bytes", .badContentLength),
        .field("a list of lengths with an empty element", "Content-Length: ▸5,", .badContentLength),
        .field("a length in quotes", "Content-Length: ▸\"5\"", .badContentLength),
        .field("two lengths that differ", "Content-Length: 1\r\nContent-Length: ▸2", .differingContentLengths),
        .field("a list of lengths that differ", "Content-Length: 1, ▸2", .differingContentLengths),
        .init(
            "two lengths alike", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: ▸1\r\n\r\nx",
            .duplicateContentLength),
        .init(
            "a list of lengths alike", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, ▸1,▸01\r\n\r\nx",
            .duplicateContentLength, .duplicateContentLength),
        .field("a length over Int", "Content-Length: ▸9223372036854775808", .contentTooLarge),
        .field(
            "a length of a hundred digits", "Content-Length: ▸" + String(repeating: "9", count: 100), .contentTooLarge),
        .init(
            "a length over the limit", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ▸11\r\n\r\n", .contentTooLarge,
            limits: RequestLimits(bodyByteCount: 10)),
        .init(
            "length and chunks",
            "POST / HTTP/1.1\r\nHost: a\r\n▸Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            .contentLengthWithTransferEncoding),
        .init(
            "chunks and length",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n▸Content-Length: 0\r\n\r\n1\r\nx\r\n0\r\n\r\n",
            .contentLengthWithTransferEncoding),
        .field("chunks and a bad length", "Transfer-Encoding: chunked\r\nContent-Length: ▸x", .badContentLength),
        .field("an empty Transfer-Encoding", "▸Transfer-Encoding:", .badTransferEncoding),
        .field("chunked with a parameter", "Transfer-Encoding: ▸chunked;a=b", .badTransferEncoding),
        .field("chunked in quotes", "Transfer-Encoding: ▸\"chunked\"", .badTransferEncoding),
        .field("two codings without comma", "Transfer-Encoding: ▸gzip chunked", .badTransferEncoding),
        .field(
            "chunked with a vertical tab", "Transfer-Encoding: ▸▸\u{0B}chunked", .controlInFieldValue,
            .badTransferEncoding),
        .field("gzip before chunked", "Transfer-Encoding: ▸gzip, chunked", .unsupportedTransferCoding),
        .field("identity before chunked", "Transfer-Encoding: ▸identity, chunked", .unsupportedTransferCoding),
        .field(
            "a coding of two lines", "Transfer-Encoding: ▸deflate;q=1\r\nTransfer-Encoding: chunked",
            .unsupportedTransferCoding),
        .field("gzip alone", "Transfer-Encoding: ▸gzip", .chunkedNotFinal),
        .field("identity alone", "Transfer-Encoding: ▸identity", .chunkedNotFinal),
        .field("gzip behind chunked", "Transfer-Encoding: chunked, ▸gzip", .chunkedNotFinal),
        .field("a word that only begins like chunked", "Transfer-Encoding: ▸chunkedx", .chunkedNotFinal),
        .field(
            "a length of content in an unknown coding", "Content-Length: 1\r\nTransfer-Encoding: ▸x", .chunkedNotFinal),
        .field("chunked twice in a list", "Transfer-Encoding: chunked, ▸chunked", .chunkedTwice),
        .field(
            "chunked twice in two lines", "Transfer-Encoding: chunked\r\nTransfer-Encoding: ▸chunked", .chunkedTwice),
        .init(
            "chunks in HTTP/1.0", "POST / HTTP/1.0\r\n▸Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            .transferEncodingInHTTP10),
        .init(
            "an empty element before chunked",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: ▸,chunked\r\n\r\n0\r\n\r\n", .emptyListElement),
        .field("an empty element in Connection", "Connection: close,▸, x", .emptyListElement),
        .field("an empty Connection", "Connection:▸", .emptyListElement),
        .field("a Connection option in quotes", "Connection: ▸\"close\"", .badConnectionOption),
        .field("a Connection option with a space", "Connection: ▸keep alive", .badConnectionOption),
        .field("TE without its option", "▸TE: trailers", .teWithoutConnection),
        .field("TE with another option", "▸TE: trailers\r\nConnection: close", .teWithoutConnection),
        .field("chunked in TE", "TE: trailers, ▸chunked\r\nConnection: TE", .chunkedInTE),
        .field("Upgrade without its option", "▸Upgrade: h2c", .upgradeWithoutConnection),
        .field("an unknown expectation", "Expect: ▸200-ok", .unknownExpectation),
        .field("a continuation expected without content", "▸Expect: 100-continue", .expectationWithoutContent),
        .field(
            "a continuation expected with a length of 0", "Content-Length: 0\r\n▸Expect: 100-continue",
            .expectationWithoutContent),
        .init(
            "TRACE with content", "TRACE / HTTP/1.1\r\nHost: a\r\n▸Content-Length: 1\r\n\r\nx", .traceWithContent),
        .init(
            "TRACE with chunks", "TRACE / HTTP/1.1\r\nHost: a\r\n▸Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            .traceWithContent),
        .init(
            "CONNECT with content", "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n▸Content-Length: 1\r\n\r\nx",
            .connectWithContent),
    ]

    static let chunks: [Malformed] = [
        .chunked("no chunk size", "▸\r\n0\r\n\r\n", .badChunkSize),
        .chunked("content without a chunk size", "▸hello", .badChunkSize),
        .chunked("a letter beyond F behind the size", "5▸g\r\nhello\r\n0\r\n\r\n", .badChunkSize),
        .chunked("a hexadecimal prefix", "0▸x5\r\nhello\r\n0\r\n\r\n", .badChunkSize),
        .chunked("a negative size", "▸-1\r\n\r\n", .badChunkSize),
        .chunked("a size with a plus sign", "▸+5\r\nhello\r\n0\r\n\r\n", .badChunkSize),
        .chunked("a space before the size", "▸ 5\r\nhello\r\n0\r\n\r\n", .badChunkSize),
        .chunked("LF where a size belongs", "▸\n", .badChunkSize),
        .chunked("a size of 64 bits", "800000000000000▸0\r\n", .chunkSizeOverflow),
        .chunked("a size of 65 bits", "FFFFFFFFFFFFFFF▸F0\r\n", .chunkSizeOverflow),
        .chunked("sizes that add up to more than Int", "1\r\nx\r\n▸7FFFFFFFFFFFFFFF\r\n", .contentTooLarge),
        .chunked(
            "chunks over the limit", "5\r\nhello\r\n▸6\r\n", .contentTooLarge,
            limits: RequestLimits(bodyByteCount: 10)),
        .chunked(
            "a chunk line over the limit", "5;ab▸c\r\n", .chunkLineTooLong, limits: RequestLimits(chunkLineByteCount: 4)
        ),
        .chunked(
            "a size of many zeros", "00000▸5\r\nhello\r\n", .chunkLineTooLong,
            limits: RequestLimits(chunkLineByteCount: 5)),
        .chunked("LF ends the size", "5▸\nhello\r\n0\r\n\r\n", .bareLFInChunkLine),
        .chunked("LF ends the extension", "5;a▸\nhello\r\n0\r\n\r\n", .bareLFInChunkLine),
        .chunked("CR inside a chunk line", "5▸\r;a\r\nhello\r\n0\r\n\r\n", .bareCR),
        .chunked("two CR behind the size", "5▸\r\r\nhello\r\n0\r\n\r\n", .bareCR),
        .chunked("a space behind the size", "5▸ \r\nhello\r\n0\r\n\r\n", .whitespaceInChunkLine),
        .chunked("a tab behind the last size", "0▸\t\r\n\r\n", .whitespaceInChunkLine),
        .chunked("a space before an extension", "1▸ ;a\r\nx\r\n0\r\n\r\n", .whitespaceInChunkLine),
        .chunked("spaces around an extension's value", "1;a▸ = b\r\nx\r\n0\r\n\r\n", .whitespaceInChunkLine),
        .chunked("a NUL in an extension", "1;a▸\u{00}\r\nx\r\n0\r\n\r\n", .controlInChunkLine),
        .chunked("a control character behind the size", "1;▸\u{01}\r\nx\r\n0\r\n\r\n", .controlInChunkLine),
        .chunked("an extension without name", "1;▸\r\nx\r\n0\r\n\r\n", .badChunkExtension),
        .chunked("an extension with a value but no name", "1;▸=b\r\nx\r\n0\r\n\r\n", .badChunkExtension),
        .chunked("an extension with an empty value", "1;a=▸\r\nx\r\n0\r\n\r\n", .badChunkExtension),
        .chunked("an unclosed quoted value", "1;a=▸\"b\r\nx\r\n0\r\n\r\n", .badChunkExtension),
        .chunked("a byte behind a quoted value", "1;a=\"b\"▸c\r\nx\r\n0\r\n\r\n", .badChunkExtension),
        .chunked(
            "an extension without semicolon", "1▸ ▸a\r\nx\r\n0\r\n\r\n", .whitespaceInChunkLine, .badChunkExtension),
        .chunked("a bad extension of the last chunk", "0;▸@\r\n\r\n", .badChunkExtension),
        .chunked("a chunk longer than its size", "4\r\nhell▸o\r\n0\r\n\r\n", .missingCRLFAfterChunk),
        .chunked("a chunk shorter than its size", "6\r\nhello\r▸\n0\r\n\r\n", .missingCRLFAfterChunk),
        .chunked("LF behind a chunk", "5\r\nhello▸\n0\r\n\r\n", .missingCRLFAfterChunk),
        .chunked("CR without LF behind a chunk", "5\r\nhello\r▸0\r\n\r\n", .missingCRLFAfterChunk),
        .chunked("the last chunk without a line behind", "0\r\n▸GET / HTTP/1.1\r\n\r\n", .missingColon),
        .chunked("LF ends a trailer", "0\r\nX: y▸\n\r\n", .bareLF),
        .chunked("LF ends the trailers", "0\r\n▸\n", .bareLF),
        .chunked("a folded trailer", "0\r\nX: y\r\n▸ z\r\n\r\n", .obsFold),
        .chunked("whitespace before the first trailer", "0\r\n▸ X: y\r\n\r\n", .whitespaceBeforeFirstField),
        .chunked("a trailer with a space before its colon", "0\r\nX▸ : y\r\n\r\n", .spaceBeforeColon),
        .chunked("a trailer with a NUL", "0\r\nX: ▸\u{00}\r\n\r\n", .nulInFieldValue),
        .chunked("Content-Length as a trailer", "0\r\n▸Content-Length: 5\r\n\r\n", .forbiddenTrailer),
        .chunked("Transfer-Encoding as a trailer", "0\r\n▸Transfer-Encoding: x\r\n\r\n", .forbiddenTrailer),
        .chunked(
            "Host and Authorization as trailers", "0\r\n▸Host: b\r\nX: y\r\n▸Authorization: z\r\n\r\n",
            .forbiddenTrailer, .forbiddenTrailer),
        .chunked("Content-Type as a trailer", "1\r\nx\r\n0\r\n▸content-type: a/b\r\n\r\n", .forbiddenTrailer),
        .chunked("Trailer as a trailer", "0\r\n▸Trailer: X\r\n\r\n", .forbiddenTrailer),
        .chunked(
            "trailers over the limit", "0\r\nX: yyyyyy▸y\r\n\r\n", .trailersTooLarge,
            limits: RequestLimits(trailerByteCount: 9)),
        .chunked(
            "a trailer line over the limit", "0\r\nX: 3456789012345678901234567▸8\r\n\r\n", .fieldLineTooLong,
            limits: RequestLimits(fieldLineByteCount: 28)),
        .chunked(
            "one trailer too many", "0\r\nA: 1\r\nB: 2\r\n▸C: 3\r\n\r\n", .tooManyFields,
            limits: RequestLimits(fieldCount: 2)),
    ]

    static let endings: [Malformed] = [
        .init("the peer leaves after one byte", "G▸", .incompleteHead, thenEnds: true),
        .init("the peer leaves in the request line", "GET / HTT▸", .incompleteHead, thenEnds: true),
        .init("the peer leaves behind the request line", "GET / HTTP/1.1\r\n▸", .incompleteHead, thenEnds: true),
        .init("the peer leaves in a field", "GET / HTTP/1.1\r\nHost▸", .incompleteHead, thenEnds: true),
        .init(
            "the peer leaves before the last LF", "GET / HTTP/1.1\r\nHost: a\r\n\r▸", .incompleteHead, thenEnds: true),
        .init("the peer leaves in an empty line", "\r▸", .incompleteHead, thenEnds: true),
        .init(
            "the peer leaves in a head behind an empty line", "▸\r\nGET▸", .emptyLineBeforeRequest, .incompleteHead,
            thenEnds: true),
        .init(
            "the peer leaves before the content", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n▸",
            .incompleteContent, thenEnds: true),
        .init(
            "the peer leaves in the content", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhell▸",
            .incompleteContent, thenEnds: true),
        .chunked("the peer leaves before the first chunk", "▸", .incompleteChunkedContent, thenEnds: true),
        .chunked("the peer leaves in a chunk size", "5▸", .incompleteChunkedContent, thenEnds: true),
        .chunked("the peer leaves in a chunk", "5\r\nhell▸", .incompleteChunkedContent, thenEnds: true),
        .chunked("the peer leaves behind a chunk", "5\r\nhello\r\n▸", .incompleteChunkedContent, thenEnds: true),
        .chunked("the peer leaves behind the last chunk", "0\r\n▸", .incompleteChunkedContent, thenEnds: true),
        .chunked("the peer leaves in a trailer", "0\r\nX: y▸", .incompleteChunkedContent, thenEnds: true),
    ]

    static let all = requestLines + targets + fieldLines + hosts + framings + chunks + endings
}
