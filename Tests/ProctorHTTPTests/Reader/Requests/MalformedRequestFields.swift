import ProctorHTTP

extension MalformedRequest {
    static let fieldLines: [MalformedRequest] = [
        .init("LF ends a field line", "GET / HTTP/1.1\r\nHost: a▸\n\r\n", finds: .bareLF),
        .init("LF ends the head", "GET / HTTP/1.1\r\nHost: a\r\n▸\n", finds: .bareLF),
        .init("LF ends every line", "GET / HTTP/1.1▸\nHost: a▸\nX: y▸\n▸\n", finds: .bareLF, .bareLF, .bareLF, .bareLF),
        .field("a second request line", "▸GET /other HTTP/1.1", finds: .missingColon),
        .field("a space before the colon", "X▸ : y", finds: .spaceBeforeColon),
        .field("a tab before the colon", "X▸\t: y", finds: .spaceBeforeColon),
        .field("whitespace before the colon", "X▸ \t : y", finds: .spaceBeforeColon),
        .fields("a space before the colon of Host", "Host▸ : a", finds: .spaceBeforeColon),
        .field(
            "a space before the colon of Transfer-Encoding", "Transfer-Encoding▸ : chunked", finds: .spaceBeforeColon),
        .fields("a fold in Host", "Host:\r\n▸ a", finds: .obsFold),
        .fields("whitespace before the first field", "▸ X: y\r\nHost: a", finds: .whitespaceBeforeFirstField),
        .fields(
            "two lines of whitespace before the first field", "▸ X: y\r\n▸\tz\r\nHost: a",
            finds: .whitespaceBeforeFirstField,
            .whitespaceBeforeFirstField),
        .fields("a blank line of spaces before the first field", "▸  \r\nHost: a", finds: .whitespaceBeforeFirstField),
        .field("two User-Agent alike", "User-Agent: a\r\n▸user-agent: a", finds: .duplicateField),
        .field("two Cookie", "Cookie: a=b\r\n▸Cookie: c=d", finds: .duplicateField),
        .field("two Authorization", "Authorization: Basic YTpi\r\n▸Authorization: Basic Yzpk", finds: .duplicateField),
        .field(
            "three Range", "Range: bytes=0-1\r\n▸Range: bytes=2-3\r\n▸Range: bytes=4-5", finds: .duplicateField,
            .duplicateField),
        .field("two Referer", "Referer: /a\r\nX: y\r\n▸Referer: /b", finds: .duplicateField),
        .field("two If-Modified-Since", "If-Modified-Since: x\r\n▸If-Modified-Since: y", finds: .duplicateField),
        .init(
            "a field line over the limit", "GET / HTTP/1.1\r\nHost: a\r\nX: 3456789▸0\r\n\r\n",
            finds: .fieldLineTooLong, limits: RequestLimits(fieldLineByteCount: 10)),
        .init(
            "a field line that never ends", "GET / HTTP/1.1\r\nHost: a\r\nX: 3456789▸0123456789",
            finds: .fieldLineTooLong, limits: RequestLimits(fieldLineByteCount: 10)),
        .init(
            "a head over the limit in a line", "GET / HTTP/1.1\r\nHost: a\r\nX: ▸yyyyyyyyyyyyyyyyyy\r\n\r\n",
            finds: .headTooLarge, limits: RequestLimits(headByteCount: 28)),
        .init(
            "a head over the limit in its last byte", "GET / HTTP/1.1\r\nHost: a\r\n\r▸\n", finds: .headTooLarge,
            limits: RequestLimits(headByteCount: 26)),
        .init(
            "a head over the limit in its request line", "GET /▸ HTTP/1.1\r\nHost: a\r\n\r\n", finds: .headTooLarge,
            limits: RequestLimits(headByteCount: 5)),
        .init(
            "one field too many", "GET / HTTP/1.1\r\nHost: a\r\nA: 1\r\n▸B: 2\r\n\r\n", finds: .tooManyFields,
            limits: RequestLimits(fieldCount: 2)),
    ]

    static let hosts: [MalformedRequest] = [
        .init("no field at all", "GET / HTTP/1.1\r\n▸\r\n", finds: .missingHost),
        .init("no Host", "GET / HTTP/1.1\r\nX: y\r\n▸\r\n", finds: .missingHost),
        .init("no Host, and LF ends the head", "GET / HTTP/1.1\r\n▸▸\n", finds: .bareLF, .missingHost),
        .init("no Host in HTTP/1.2", "GET / HTTP/1.2\r\n▸\r\n", finds: .missingHost),
        .init("no Host with an absolute target", "GET http://a/ HTTP/1.1\r\n▸\r\n", finds: .missingHost),
        .init("no Host with CONNECT", "CONNECT a:80 HTTP/1.1\r\n▸\r\n", finds: .missingHost),
        .fields("two Host", "Host: a\r\n▸Host: b", finds: .duplicateHost),
        .fields("two Host alike", "Host: a\r\n▸host: a", finds: .duplicateHost),
        .init("two Host in HTTP/1.0", "GET / HTTP/1.0\r\nHost: a\r\n▸Host: a\r\n\r\n", finds: .duplicateHost),
        .fields("a list of hosts", "Host: ▸a, b", finds: .badHost),
        .fields("a URI as Host", "Host: ▸http://a/", finds: .badHost),
        .fields("a path in Host", "Host: ▸a/b", finds: .badHost),
        .fields("userinfo in Host", "Host: ▸u@a", finds: .badHost),
        .fields("a port of letters in Host", "Host: ▸a:b", finds: .badHost),
        .fields("a port over 65535 in Host", "Host: ▸a:99999", finds: .badHost),
        .fields("two ports in Host", "Host: ▸a:80:80", finds: .badHost),
        .fields("an IPv6 address without brackets in Host", "Host: ▸::1", finds: .badHost),
        .fields("an unclosed bracket in Host", "Host: ▸[::1", finds: .badHost),
        .fields("a byte behind the bracket in Host", "Host: ▸[::1]x", finds: .badHost),
        .fields("an empty IP literal in Host", "Host: ▸[]", finds: .badHost),
        .fields("a space in Host", "Host: ▸a b", finds: .badHost),
        .fields("raw UTF-8 in Host", "Host: ▸\u{C3}\u{A9}", finds: .badHost),
        .fields("a bad escape in Host", "Host: ▸a%4", finds: .badHost),
        .fields("a fold before two hosts", "Host:\r\n▸ a\r\n▸Host: b", finds: .obsFold, .duplicateHost),
        .fields("an empty Host", "▸Host:", finds: .emptyHost),
        .fields("an empty Host with a space", "▸Host: ", finds: .emptyHost),
        .init("an empty Host with OPTIONS *", "OPTIONS * HTTP/1.1\r\n▸Host:\r\n\r\n", finds: .emptyHost),
        .init(
            "Host differs from an absolute target", "GET http://a/ HTTP/1.1\r\nHost: ▸b\r\n\r\n",
            finds: .hostDiffersFromTarget),
        .init(
            "the port differs from an absolute target", "GET http://a:81/ HTTP/1.1\r\nHost: ▸a\r\n\r\n",
            finds: .hostDiffersFromTarget),
        .init(
            "an empty Host with an absolute target", "GET http://a/ HTTP/1.1\r\nHost: ▸\r\n\r\n",
            finds: .hostDiffersFromTarget),
        .init(
            "Host with another target's default port", "GET https://a/ HTTP/1.1\r\nHost: ▸a:80\r\n\r\n",
            finds: .hostDiffersFromTarget),
        .init(
            "Host differs from CONNECT", "CONNECT a:80 HTTP/1.1\r\nHost: ▸b:80\r\n\r\n", finds: .hostDiffersFromTarget),
        .init(
            "the port differs from CONNECT", "CONNECT a:80 HTTP/1.1\r\nHost: ▸a:81\r\n\r\n",
            finds: .hostDiffersFromTarget),
    ]
}

extension MalformedRequest {
    static let framings: [MalformedRequest] = [
        .init(
            "two lengths alike", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: ▸1\r\n\r\nx",
            finds: .duplicateContentLength),
        .init(
            "a list of lengths alike", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, ▸1,▸01\r\n\r\nx",
            finds: .duplicateContentLength, .duplicateContentLength),
        .init(
            "a length over the limit", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ▸11\r\n\r\n",
            finds: .contentTooLarge, limits: RequestLimits(bodyByteCount: 10)),
        .init(
            "length and chunks",
            "POST / HTTP/1.1\r\nHost: a\r\n▸Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            finds: .contentLengthWithTransferEncoding),
        .init(
            "chunks and length",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n▸Content-Length: 0\r\n\r\n1\r\nx\r\n0\r\n\r\n",
            finds: .contentLengthWithTransferEncoding),
        .field("gzip alone", "Transfer-Encoding: ▸gzip", finds: .chunkedNotFinal),
        .field("identity alone", "Transfer-Encoding: ▸identity", finds: .chunkedNotFinal),
        .field("gzip behind chunked", "Transfer-Encoding: chunked, ▸gzip", finds: .chunkedNotFinal),
        .field("a word that only begins like chunked", "Transfer-Encoding: ▸chunkedx", finds: .chunkedNotFinal),
        .field(
            "a length of content in an unknown coding", "Content-Length: 1\r\nTransfer-Encoding: ▸x",
            finds: .chunkedNotFinal),
        .init(
            "chunks in HTTP/1.0", "POST / HTTP/1.0\r\n▸Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            finds: .transferEncodingInHTTP10),
        .init(
            "an empty element before chunked",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: ▸,chunked\r\n\r\n0\r\n\r\n", finds: .emptyListElement),
        .field("TE without its option", "▸TE: trailers", finds: .teWithoutConnection),
        .field("TE with another option", "▸TE: trailers\r\nConnection: close", finds: .teWithoutConnection),
        .field("chunked in TE", "TE: trailers, ▸chunked\r\nConnection: TE", finds: .chunkedInTE),
        .field("an unknown expectation", "Expect: ▸200-ok", finds: .unknownExpectation),
        .field("a continuation expected without content", "▸Expect: 100-continue", finds: .expectationWithoutContent),
        .field(
            "a continuation expected with a length of 0", "Content-Length: 0\r\n▸Expect: 100-continue",
            finds: .expectationWithoutContent),
        .init(
            "TRACE with content", "TRACE / HTTP/1.1\r\nHost: a\r\n▸Content-Length: 1\r\n\r\nx", finds: .traceWithContent
        ),
        .init(
            "TRACE with chunks", "TRACE / HTTP/1.1\r\nHost: a\r\n▸Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            finds: .traceWithContent),
        .init(
            "CONNECT with content", "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n▸Content-Length: 1\r\n\r\nx",
            finds: .connectWithContent),
    ]

    static let chunks: [MalformedRequest] = [
        .chunked(
            "Host and Authorization as trailers", "0\r\n▸Host: b\r\nX: y\r\n▸Authorization: z\r\n\r\n",
            finds: .forbiddenTrailer, .forbiddenTrailer)
    ]

    static let endings: [MalformedRequest] = [
        .init("the peer leaves after one byte", "G▸", finds: .incompleteHead, thenEnds: true),
        .init("the peer leaves in the request line", "GET / HTT▸", finds: .incompleteHead, thenEnds: true),
        .init("the peer leaves behind the request line", "GET / HTTP/1.1\r\n▸", finds: .incompleteHead, thenEnds: true),
        .init("the peer leaves in a field", "GET / HTTP/1.1\r\nHost▸", finds: .incompleteHead, thenEnds: true),
        .init(
            "the peer leaves before the last LF", "GET / HTTP/1.1\r\nHost: a\r\n\r▸", finds: .incompleteHead,
            thenEnds: true),
        .init("the peer leaves in an empty line", "\r▸", finds: .incompleteHead, thenEnds: true),
        .init(
            "the peer leaves in a head behind an empty line", "▸\r\nGET▸", finds: .emptyLineBeforeRequest,
            .incompleteHead,
            thenEnds: true),
        .init(
            "the peer leaves before the content", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n▸",
            finds: .incompleteContent, thenEnds: true),
        .init(
            "the peer leaves in the content", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhell▸",
            finds: .incompleteContent, thenEnds: true),
    ]

    static let all =
        requestLines + targets + fieldLines + hosts + framings + chunks + endings
        + (MalformedPart.fieldLines + MalformedPart.connections + MalformedPart.framings).map(
            MalformedRequest.init(fields:))
        + (MalformedPart.chunks + MalformedPart.endings).map(MalformedRequest.init(content:))
}
