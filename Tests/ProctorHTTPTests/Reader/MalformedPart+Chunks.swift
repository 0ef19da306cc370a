import ProctorHTTP

extension MalformedPart {
    /// What comes behind a head that promises chunks.
    static let chunks: [MalformedPart] = [
        .init("no chunk size", "▸\r\n0\r\n\r\n", .badChunkSize),
        .init("content without a chunk size", "▸hello", .badChunkSize),
        .init("a letter beyond F behind the size", "5▸g\r\nhello\r\n0\r\n\r\n", .badChunkSize),
        .init("a hexadecimal prefix", "0▸x5\r\nhello\r\n0\r\n\r\n", .badChunkSize),
        .init("a negative size", "▸-1\r\n\r\n", .badChunkSize),
        .init("a size with a plus sign", "▸+5\r\nhello\r\n0\r\n\r\n", .badChunkSize),
        .init("a space before the size", "▸ 5\r\nhello\r\n0\r\n\r\n", .badChunkSize),
        .init("LF where a size belongs", "▸\n", .badChunkSize),
        .init("a size of 64 bits", "800000000000000▸0\r\n", .chunkSizeOverflow),
        .init("a size of 65 bits", "FFFFFFFFFFFFFFF▸F0\r\n", .chunkSizeOverflow),
        .init("sizes that add up to more than Int", "1\r\nx\r\n▸7FFFFFFFFFFFFFFF\r\n", .contentTooLarge),
        .init(
            "chunks over the limit", "5\r\nhello\r\n▸6\r\n", .contentTooLarge,
            limit: .content(10)),
        .init(
            "a chunk line over the limit", "5;ab▸c\r\n", .chunkLineTooLong, limit: .chunkLine(4)
        ),
        .init(
            "a size of many zeros", "00000▸5\r\nhello\r\n", .chunkLineTooLong,
            limit: .chunkLine(5)),
        .init("LF ends the size", "5▸\nhello\r\n0\r\n\r\n", .bareLFInChunkLine),
        .init("LF ends the extension", "5;a▸\nhello\r\n0\r\n\r\n", .bareLFInChunkLine),
        .init("CR inside a chunk line", "5▸\r;a\r\nhello\r\n0\r\n\r\n", .bareCR),
        .init("two CR behind the size", "5▸\r\r\nhello\r\n0\r\n\r\n", .bareCR),
        .init("a space behind the size", "5▸ \r\nhello\r\n0\r\n\r\n", .whitespaceInChunkLine),
        .init("a tab behind the last size", "0▸\t\r\n\r\n", .whitespaceInChunkLine),
        .init("a space before an extension", "1▸ ;a\r\nx\r\n0\r\n\r\n", .whitespaceInChunkLine),
        .init("spaces around an extension's value", "1;a▸ = b\r\nx\r\n0\r\n\r\n", .whitespaceInChunkLine),
        .init("a NUL in an extension", "1;a▸\u{00}\r\nx\r\n0\r\n\r\n", .controlInChunkLine),
        .init("a control character behind the size", "1;▸\u{01}\r\nx\r\n0\r\n\r\n", .controlInChunkLine),
        .init("an extension without name", "1;▸\r\nx\r\n0\r\n\r\n", .badChunkExtension),
        .init("an extension with a value but no name", "1;▸=b\r\nx\r\n0\r\n\r\n", .badChunkExtension),
        .init("an extension with an empty value", "1;a=▸\r\nx\r\n0\r\n\r\n", .badChunkExtension),
        .init("an unclosed quoted value", "1;a=▸\"b\r\nx\r\n0\r\n\r\n", .badChunkExtension),
        .init("a byte behind a quoted value", "1;a=\"b\"▸c\r\nx\r\n0\r\n\r\n", .badChunkExtension),
        .init(
            "an extension without semicolon", "1▸ ▸a\r\nx\r\n0\r\n\r\n", .whitespaceInChunkLine, .badChunkExtension),
        .init("a bad extension of the last chunk", "0;▸@\r\n\r\n", .badChunkExtension),
        .init("a chunk longer than its size", "4\r\nhell▸o\r\n0\r\n\r\n", .missingCRLFAfterChunk),
        .init("a chunk shorter than its size", "6\r\nhello\r▸\n0\r\n\r\n", .missingCRLFAfterChunk),
        .init("LF behind a chunk", "5\r\nhello▸\n0\r\n\r\n", .missingCRLFAfterChunk),
        .init("CR without LF behind a chunk", "5\r\nhello\r▸0\r\n\r\n", .missingCRLFAfterChunk),
        .init("the last chunk without a line behind", "0\r\n▸GET / HTTP/1.1\r\n\r\n", .missingColon),
        .init("LF ends a trailer", "0\r\nX: y▸\n\r\n", .bareLF),
        .init("LF ends the trailers", "0\r\n▸\n", .bareLF),
        .init("a folded trailer", "0\r\nX: y\r\n▸ z\r\n\r\n", .obsFold),
        .init("whitespace before the first trailer", "0\r\n▸ X: y\r\n\r\n", .whitespaceBeforeFirstField),
        .init("a trailer with a space before its colon", "0\r\nX▸ : y\r\n\r\n", .spaceBeforeColon),
        .init("a trailer with a NUL", "0\r\nX: ▸\u{00}\r\n\r\n", .nulInFieldValue),
        .init("Content-Length as a trailer", "0\r\n▸Content-Length: 5\r\n\r\n", .forbiddenTrailer),
        .init("Transfer-Encoding as a trailer", "0\r\n▸Transfer-Encoding: x\r\n\r\n", .forbiddenTrailer),
        .init("Content-Type as a trailer", "1\r\nx\r\n0\r\n▸content-type: a/b\r\n\r\n", .forbiddenTrailer),
        .init("Trailer as a trailer", "0\r\n▸Trailer: X\r\n\r\n", .forbiddenTrailer),
        .init(
            "trailers over the limit", "0\r\nX: yyyyyy▸y\r\n\r\n", .trailersTooLarge,
            limit: .trailers(9)),
        .init(
            "a trailer line over the limit", "0\r\nX: 3456789012345678901234567▸8\r\n\r\n", .fieldLineTooLong,
            limit: .fieldLine(28)),
        .init(
            "one trailer too many", "0\r\nA: 1\r\nB: 2\r\n▸C: 3\r\n\r\n", .tooManyFields,
            limit: .fieldCount(2)),
    ]

    /// The same, up to where the peer leaves.
    static let endings: [MalformedPart] = [
        .init("the peer leaves before the first chunk", "▸", .incompleteChunkedContent, thenEnds: true),
        .init("the peer leaves in a chunk size", "5▸", .incompleteChunkedContent, thenEnds: true),
        .init("the peer leaves in a chunk", "5\r\nhell▸", .incompleteChunkedContent, thenEnds: true),
        .init("the peer leaves behind a chunk", "5\r\nhello\r\n▸", .incompleteChunkedContent, thenEnds: true),
        .init("the peer leaves behind the last chunk", "0\r\n▸", .incompleteChunkedContent, thenEnds: true),
        .init("the peer leaves in a trailer", "0\r\nX: y▸", .incompleteChunkedContent, thenEnds: true),
    ]
}
