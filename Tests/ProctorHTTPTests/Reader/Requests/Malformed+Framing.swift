import ProctorHTTP

extension Malformed {
    static let framings: [Malformed] = [
        .init(
            "two lengths alike", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: ▸1\r\n\r\nx",
            .duplicateContentLength),
        .init(
            "a list of lengths alike", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, ▸1,▸01\r\n\r\nx",
            .duplicateContentLength, .duplicateContentLength),
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
        .field("gzip alone", "Transfer-Encoding: ▸gzip", .chunkedNotFinal),
        .field("identity alone", "Transfer-Encoding: ▸identity", .chunkedNotFinal),
        .field("gzip behind chunked", "Transfer-Encoding: chunked, ▸gzip", .chunkedNotFinal),
        .field("a word that only begins like chunked", "Transfer-Encoding: ▸chunkedx", .chunkedNotFinal),
        .field(
            "a length of content in an unknown coding", "Content-Length: 1\r\nTransfer-Encoding: ▸x", .chunkedNotFinal),
        .init(
            "chunks in HTTP/1.0", "POST / HTTP/1.0\r\n▸Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            .transferEncodingInHTTP10),
        .init(
            "an empty element before chunked",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: ▸,chunked\r\n\r\n0\r\n\r\n", .emptyListElement),
        .field("TE without its option", "▸TE: trailers", .teWithoutConnection),
        .field("TE with another option", "▸TE: trailers\r\nConnection: close", .teWithoutConnection),
        .field("chunked in TE", "TE: trailers, ▸chunked\r\nConnection: TE", .chunkedInTE),
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
        .chunked(
            "Host and Authorization as trailers", "0\r\n▸Host: b\r\nX: y\r\n▸Authorization: z\r\n\r\n",
            .forbiddenTrailer, .forbiddenTrailer)
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
    ]

    static let all =
        requestLines + targets + fieldLines + hosts + framings + chunks + endings
        + (MalformedPart.fieldLines + MalformedPart.connections + MalformedPart.framings).map(Malformed.init(fields:))
        + (MalformedPart.chunks + MalformedPart.endings).map(Malformed.init(content:))
}
