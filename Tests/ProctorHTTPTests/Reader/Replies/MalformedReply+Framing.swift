import ProctorHTTP

extension MalformedReply {
    static let framings: [MalformedReply] = [
        .init(
            "two lengths alike", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: ▸1\r\n\r\nx",
            .duplicateContentLength),
        .init(
            "a list of lengths alike", "HTTP/1.1 200 OK\r\nContent-Length: 1, ▸1,▸01\r\n\r\nx",
            .duplicateContentLength, .duplicateContentLength),
        .init(
            "a length over the limit", "HTTP/1.1 200 OK\r\nContent-Length: ▸11\r\n\r\n", .contentTooLarge,
            limits: ReplyLimits(bodyByteCount: 10)),
        .init(
            "content until close over the limit", "HTTP/1.1 200 OK\r\n\r\n0123456789▸0", .contentTooLarge,
            limits: ReplyLimits(bodyByteCount: 10)),
        .init(
            "length and chunks",
            "HTTP/1.1 200 OK\r\n▸Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            .contentLengthWithTransferEncoding),
        .init(
            "chunks and length",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n▸Content-Length: 0\r\n\r\n1\r\nx\r\n0\r\n\r\n",
            .contentLengthWithTransferEncoding),
        .init(
            "length and chunks, told to HEAD",
            "HTTP/1.1 200 OK\r\n▸Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
            .contentLengthWithTransferEncoding, to: ["HEAD"]),
        .init(
            "a bad length, told to HEAD", "HTTP/1.1 200 OK\r\nContent-Length: ▸x\r\n\r\n", .badContentLength,
            to: ["HEAD"]),
        .init(
            "lengths that differ with a 304", "HTTP/1.1 304 OK\r\nContent-Length: 1\r\nContent-Length: ▸2\r\n\r\n",
            .differingContentLengths),
        .init(
            "chunks in HTTP/1.0", "HTTP/1.0 200 OK\r\n▸Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            .transferEncodingInHTTP10),
        .init(
            "chunks and length in HTTP/1.0",
            "HTTP/1.0 200 OK\r\n▸Content-Length: 5\r\n▸Transfer-Encoding: chunked\r\n\r\nhello",
            .contentLengthWithTransferEncoding, .transferEncodingInHTTP10),
        .init(
            "an empty element before chunked",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: ▸,chunked\r\n\r\n0\r\n\r\n", .emptyListElement),
        .init(
            "identity alone", "HTTP/1.1 200 OK\r\nTransfer-Encoding: ▸identity\r\n\r\nhello", .chunkedNotFinal,
            thenEnds: true),
        .init(
            "identity and a length",
            "HTTP/1.1 200 OK\r\n▸Content-Length: 2\r\nTransfer-Encoding: ▸Identity\r\n\r\nhello",
            .contentLengthWithTransferEncoding, .chunkedNotFinal, thenEnds: true),
        .fields("gzip alone", "Transfer-Encoding: ▸▸gzip", .chunkedNotFinal, .unsupportedTransferCoding),
        .fields(
            "identity and gzip", "Transfer-Encoding: identity, ▸▸gzip", .chunkedNotFinal, .unsupportedTransferCoding),
        .fields(
            "gzip behind chunked", "Transfer-Encoding: chunked, ▸▸gzip", .chunkedNotFinal, .unsupportedTransferCoding),
        .fields(
            "identity behind chunked", "Transfer-Encoding: chunked, ▸▸identity", .chunkedNotFinal,
            .unsupportedTransferCoding),
        .fields(
            "a word that only begins like chunked", "Transfer-Encoding: ▸▸chunkedx", .chunkedNotFinal,
            .unsupportedTransferCoding),
        .init(
            "a connection that closes with a bad option", "HTTP/1.1 200 OK\r\nConnection: close, ▸a b\r\n\r\nx",
            .badConnectionOption, thenEnds: true),
    ]

    static let withoutContent: [MalformedReply] = [
        .init(
            "a length with a 204", "HTTP/1.1 204 No Content\r\n▸Content-Length: 5\r\n\r\n", .contentLengthWithoutContent
        ),
        .init(
            "a length of 0 with a 204", "HTTP/1.1 204 OK\r\n▸Content-Length: 0\r\n\r\n", .contentLengthWithoutContent),
        .init("a bad length with a 204", "HTTP/1.1 204 OK\r\n▸Content-Length: x\r\n\r\n", .contentLengthWithoutContent),
        .init(
            "a 204 to HEAD with a length", "HTTP/1.1 204 OK\r\n▸Content-Length: 5\r\n\r\n",
            .contentLengthWithoutContent,
            to: ["HEAD"]),
        .init(
            "chunks with a 204", "HTTP/1.1 204 OK\r\n▸Transfer-Encoding: chunked\r\n\r\n",
            .transferEncodingWithoutContent),
        .init(
            "an unknown coding with a 204", "HTTP/1.1 204 OK\r\n▸Transfer-Encoding: x\r\n\r\n",
            .transferEncodingWithoutContent),
        .init(
            "a length with a tunnel", "HTTP/1.1 200 OK\r\n▸Content-Length: 5\r\n\r\nhello, you",
            .contentLengthWithoutContent,
            to: ["CONNECT"], thenEnds: true),
        .init(
            "chunks with a tunnel", "HTTP/1.1 200 OK\r\n▸Transfer-Encoding: chunked\r\n\r\n\u{16}\u{3}",
            .transferEncodingWithoutContent, to: ["CONNECT"], thenEnds: true),
        .init(
            "a length with a 101",
            "HTTP/1.1 101 OK\r\nUpgrade: x\r\nConnection: upgrade\r\n▸Content-Length: 5\r\n\r\nhello",
            .contentLengthWithoutContent, thenEnds: true),
        .init("a 205 with content", "HTTP/1.1 205 OK\r\n▸Content-Length: 1\r\n\r\nx", .contentIn205),
        .init(
            "a 205 with chunks",
            "HTTP/1.1 205 OK\r\nTransfer-Encoding: chunked\r\n\r\n▸1\r\nx\r\n1\r\ny\r\n0\r\n\r\n", .contentIn205),
        .init("a 205 with content until close", "HTTP/1.1 205 OK\r\n\r\n▸hello", .contentIn205, thenEnds: true),
    ]
}
