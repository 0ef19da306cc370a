import ProctorHTTP

extension MalformedReply {
    static let fieldLines: [MalformedReply] = [
        .init("LF ends a field line", "HTTP/1.1 200 OK\r\nContent-Length: 0▸\n\r\n", finds: .bareLF),
        .init("LF ends the head", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n▸\n", finds: .bareLF),
        .init(
            "LF ends every line", "HTTP/1.1 200 OK▸\nContent-Length: 0▸\nX: y▸\n▸\n", finds: .bareLF, .bareLF, .bareLF,
            .bareLF
        ),
        .field("a space before the colon", "X▸ : y", finds: .spaceBeforeColon),
        .field("a tab before the colon", "X▸\t: y", finds: .spaceBeforeColon),
        .field("whitespace before the colon", "X▸ \t : y", finds: .spaceBeforeColon),
        .field(
            "an odd name and a space before the colon", "▸(X)▸ : y", finds: .illegalCharacterInFieldName,
            .spaceBeforeColon),
        .fields("a space before the colon of Content-Length", "Content-Length▸ : 0", finds: .spaceBeforeColon),
        .init(
            "a space before the colon of Transfer-Encoding",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding▸ : chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n", finds: .spaceBeforeColon),
        .fields("a fold in Content-Length", "Content-Length:\r\n▸ 0", finds: .obsFold),
        .fields("whitespace before the first field", "▸ X: y\r\nContent-Length: 0", finds: .whitespaceBeforeFirstField),
        .fields(
            "two lines of whitespace before the first field", "▸ X: y\r\n▸\tz\r\nContent-Length: 0",
            finds: .whitespaceBeforeFirstField, .whitespaceBeforeFirstField),
        .field("a second status line", "▸HTTP/1.1 200 OK", finds: .missingColon),
        .field("two Location", "Location: /a\r\n▸Location: /b", finds: .duplicateField),
        .field("two Location alike", "Location: /a\r\n▸location: /a", finds: .duplicateField),
        .field("two Date", "Date: x\r\n▸Date: x", finds: .duplicateField),
        .field("two ETag", "ETag: \"a\"\r\n▸ETag: \"b\"", finds: .duplicateField),
        .field("two Last-Modified", "Last-Modified: x\r\n▸Last-Modified: y", finds: .duplicateField),
        .field("three Server", "Server: a\r\n▸Server: b\r\n▸Server: c", finds: .duplicateField, .duplicateField),
        .field("two Retry-After", "Retry-After: 1\r\n▸Retry-After: 2", finds: .duplicateField),
        .field(
            "two Content-Range", "Content-Range: bytes 0-1/2\r\n▸Content-Range: bytes 0-1/3", finds: .duplicateField),
        .field(
            "two Strict-Transport-Security", "Strict-Transport-Security: max-age=1\r\n▸strict-transport-security: x",
            finds: .duplicateField),
        .init(
            "a field line over the limit", "HTTP/1.1 200 OK\r\nX: 3456789▸0\r\n\r\n", finds: .fieldLineTooLong,
            limits: ReplyLimits(fieldLineByteCount: 10)),
        .init(
            "a field line that never ends", "HTTP/1.1 200 OK\r\nX: 3456789▸0123456789", finds: .fieldLineTooLong,
            limits: ReplyLimits(fieldLineByteCount: 10)),
        .init(
            "a head over the limit in a line", "HTTP/1.1 200 OK\r\nX: ▸yyyyyyyyyyyyyyyy\r\n\r\n", finds: .headTooLarge,
            limits: ReplyLimits(headByteCount: 20)),
        .init(
            "a head over the limit in its last byte", "HTTP/1.1 204 OK\r\nX: yy\r\n\r▸\n", finds: .headTooLarge,
            limits: ReplyLimits(headByteCount: 25)),
        .init(
            "a head over the limit in its status line", "HTTP/▸1.1 200 OK\r\n\r\n", finds: .headTooLarge,
            limits: ReplyLimits(headByteCount: 5)),
        .init(
            "one field too many", "HTTP/1.1 204 OK\r\nA: 1\r\nB: 2\r\n▸C: 3\r\n\r\n", finds: .tooManyFields,
            limits: ReplyLimits(fieldCount: 2)),
        .chunked("Set-Cookie as a trailer", "0\r\n▸Set-Cookie: a=b\r\n\r\n", finds: .forbiddenTrailer),
        .chunked(
            "Location and Date as trailers", "0\r\n▸Location: /\r\nX: y\r\n▸date: z\r\n\r\n", finds: .forbiddenTrailer,
            .forbiddenTrailer),
        .chunked("a challenge as a trailer", "0\r\n▸WWW-Authenticate: Basic\r\n\r\n", finds: .forbiddenTrailer),
    ]
}

extension MalformedReply {
    static let framings: [MalformedReply] = [
        .init(
            "two lengths alike", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: ▸1\r\n\r\nx",
            finds: .duplicateContentLength),
        .init(
            "a list of lengths alike", "HTTP/1.1 200 OK\r\nContent-Length: 1, ▸1,▸01\r\n\r\nx",
            finds: .duplicateContentLength, .duplicateContentLength),
        .init(
            "a length over the limit", "HTTP/1.1 200 OK\r\nContent-Length: ▸11\r\n\r\n", finds: .contentTooLarge,
            limits: ReplyLimits(bodyByteCount: 10)),
        .init(
            "content until close over the limit", "HTTP/1.1 200 OK\r\n\r\n0123456789▸0", finds: .contentTooLarge,
            limits: ReplyLimits(bodyByteCount: 10)),
        .init(
            "length and chunks", "HTTP/1.1 200 OK\r\n▸Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            finds: .contentLengthWithTransferEncoding),
        .init(
            "chunks and length",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n▸Content-Length: 0\r\n\r\n1\r\nx\r\n0\r\n\r\n",
            finds: .contentLengthWithTransferEncoding),
        .init(
            "length and chunks, told to HEAD",
            "HTTP/1.1 200 OK\r\n▸Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
            finds: .contentLengthWithTransferEncoding, to: ["HEAD"]),
        .init(
            "a bad length, told to HEAD", "HTTP/1.1 200 OK\r\nContent-Length: ▸x\r\n\r\n", finds: .badContentLength,
            to: ["HEAD"]),
        .init(
            "lengths that differ with a 304", "HTTP/1.1 304 OK\r\nContent-Length: 1\r\nContent-Length: ▸2\r\n\r\n",
            finds: .differingContentLengths),
        .init(
            "chunks in HTTP/1.0", "HTTP/1.0 200 OK\r\n▸Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            finds: .transferEncodingInHTTP10),
        .init(
            "chunks and length in HTTP/1.0",
            "HTTP/1.0 200 OK\r\n▸Content-Length: 5\r\n▸Transfer-Encoding: chunked\r\n\r\nhello",
            finds: .contentLengthWithTransferEncoding, .transferEncodingInHTTP10),
        .init(
            "an empty element before chunked", "HTTP/1.1 200 OK\r\nTransfer-Encoding: ▸,chunked\r\n\r\n0\r\n\r\n",
            finds: .emptyListElement),
        .init(
            "identity alone", "HTTP/1.1 200 OK\r\nTransfer-Encoding: ▸identity\r\n\r\nhello", finds: .chunkedNotFinal,
            thenEnds: true),
        .init(
            "identity and a length",
            "HTTP/1.1 200 OK\r\n▸Content-Length: 2\r\nTransfer-Encoding: ▸Identity\r\n\r\nhello",
            finds: .contentLengthWithTransferEncoding, .chunkedNotFinal, thenEnds: true),
        .fields("gzip alone", "Transfer-Encoding: ▸▸gzip", finds: .chunkedNotFinal, .unsupportedTransferCoding),
        .fields(
            "identity and gzip", "Transfer-Encoding: identity, ▸▸gzip", finds: .chunkedNotFinal,
            .unsupportedTransferCoding),
        .fields(
            "gzip behind chunked", "Transfer-Encoding: chunked, ▸▸gzip", finds: .chunkedNotFinal,
            .unsupportedTransferCoding),
        .fields(
            "identity behind chunked", "Transfer-Encoding: chunked, ▸▸identity", finds: .chunkedNotFinal,
            .unsupportedTransferCoding),
        .fields(
            "a word that only begins like chunked", "Transfer-Encoding: ▸▸chunkedx", finds: .chunkedNotFinal,
            .unsupportedTransferCoding),
        .init(
            "a connection that closes with a bad option", "HTTP/1.1 200 OK\r\nConnection: close, ▸a b\r\n\r\nx",
            finds: .badConnectionOption, thenEnds: true),
    ]

    static let withoutContent: [MalformedReply] = [
        .init(
            "a length with a 204", "HTTP/1.1 204 No Content\r\n▸Content-Length: 5\r\n\r\n",
            finds: .contentLengthWithoutContent
        ),
        .init(
            "a length of 0 with a 204", "HTTP/1.1 204 OK\r\n▸Content-Length: 0\r\n\r\n",
            finds: .contentLengthWithoutContent),
        .init(
            "a bad length with a 204", "HTTP/1.1 204 OK\r\n▸Content-Length: x\r\n\r\n",
            finds: .contentLengthWithoutContent),
        .init(
            "a 204 to HEAD with a length", "HTTP/1.1 204 OK\r\n▸Content-Length: 5\r\n\r\n",
            finds: .contentLengthWithoutContent, to: ["HEAD"]),
        .init(
            "chunks with a 204", "HTTP/1.1 204 OK\r\n▸Transfer-Encoding: chunked\r\n\r\n",
            finds: .transferEncodingWithoutContent),
        .init(
            "an unknown coding with a 204", "HTTP/1.1 204 OK\r\n▸Transfer-Encoding: x\r\n\r\n",
            finds: .transferEncodingWithoutContent),
        .init(
            "a length with a tunnel", "HTTP/1.1 200 OK\r\n▸Content-Length: 5\r\n\r\nhello, you",
            finds: .contentLengthWithoutContent, to: ["CONNECT"], thenEnds: true),
        .init(
            "chunks with a tunnel", "HTTP/1.1 200 OK\r\n▸Transfer-Encoding: chunked\r\n\r\n\u{16}\u{3}",
            finds: .transferEncodingWithoutContent, to: ["CONNECT"], thenEnds: true),
        .init(
            "a length with a 101",
            "HTTP/1.1 101 OK\r\nUpgrade: x\r\nConnection: upgrade\r\n▸Content-Length: 5\r\n\r\nhello",
            finds: .contentLengthWithoutContent, thenEnds: true),
        .init("a 205 with content", "HTTP/1.1 205 OK\r\n▸Content-Length: 1\r\n\r\nx", finds: .contentIn205),
        .init(
            "a 205 with chunks", "HTTP/1.1 205 OK\r\nTransfer-Encoding: chunked\r\n\r\n▸1\r\nx\r\n1\r\ny\r\n0\r\n\r\n",
            finds: .contentIn205),
        .init("a 205 with content until close", "HTTP/1.1 205 OK\r\n\r\n▸hello", finds: .contentIn205, thenEnds: true),
    ]
}

extension MalformedReply {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
    private static let hint = "HTTP/1.1 103 Early Hints\r\n\r\n◆"

    static let interims: [MalformedReply] = [
        .init("a 100 in HTTP/1.0", "HTTP/1.0 ▸100 Continue\r\n\r\n◆" + ok, finds: .interimInHTTP10),
        .init(
            "a 101 in HTTP/1.0", "HTTP/1.0 ▸101 OK\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
            finds: .interimInHTTP10, thenEnds: true),
        .init(
            "too many interim replies", hint + hint + "▸" + hint + ok, finds: .tooManyInterimReplies,
            limits: ReplyLimits(interimCount: 2)),
        .init(
            "an interim reply where none is taken", "▸HTTP/1.1 100 Continue\r\n\r\n", finds: .tooManyInterimReplies,
            limits: ReplyLimits(interimCount: 0)),
        .init(
            "too many interim replies to a second request", hint + ok + "◆" + hint + "▸" + hint,
            finds: .tooManyInterimReplies, to: ["GET", "GET"], limits: ReplyLimits(interimCount: 1)),
        .init("a 101 without Upgrade", "HTTP/1.1 101 OK\r\n▸\r\n", finds: .switchingWithoutUpgrade),
        .init(
            "a 101 with its option, but no Upgrade", "HTTP/1.1 101 OK\r\nConnection: upgrade\r\n▸\r\n",
            finds: .switchingWithoutUpgrade),
        .init(
            "a 101 without Upgrade, and LF ends the head", "HTTP/1.1 101 OK\r\n▸▸\n", finds: .bareLF,
            .switchingWithoutUpgrade),
        .init(
            "a 101 whose Upgrade lacks its option", "HTTP/1.1 101 OK\r\n▸Upgrade: x\r\n\r\nhello",
            finds: .upgradeWithoutConnection, thenEnds: true),
        .init(
            "a length with a 100", "HTTP/1.1 100 Continue\r\n▸Content-Length: 0\r\n\r\n◆" + ok,
            finds: .contentLengthWithoutContent),
        .init(
            "chunks with a 103", "HTTP/1.1 103 OK\r\n▸Transfer-Encoding: chunked\r\n\r\n◆" + ok,
            finds: .transferEncodingWithoutContent),
        .init(
            "content behind a 103", "HTTP/1.1 103 OK\r\n▸Content-Length: 5\r\n\r\n◆▸hello" + ok,
            finds: .contentLengthWithoutContent, .missingStatusLine),
        .init("a bad field in an interim reply", "HTTP/1.1 102 OK\r\n▸nonsense\r\n\r\n" + ok, finds: .missingColon),
        .init(
            "departures in interim and final reply", "HTTP/1.1 102▸\r\n\r\n◆HTTP/1.1 204▸\r\n\r\n",
            finds: .missingSpaceBeforeReason, .missingSpaceBeforeReason),
    ]

    static let endings: [MalformedReply] = [
        .init("the peer leaves after one byte", "H▸", finds: .incompleteHead, thenEnds: true),
        .init("the peer leaves in what could be a banner", "22▸", finds: .incompleteHead, thenEnds: true),
        .init("the peer leaves in the status line", "HTTP/1.1 20▸", finds: .incompleteHead, thenEnds: true),
        .init("the peer leaves behind the status line", "HTTP/1.1 200 OK\r\n▸", finds: .incompleteHead, thenEnds: true),
        .init("the peer leaves in a field", "HTTP/1.1 200 OK\r\nContent-Le▸", finds: .incompleteHead, thenEnds: true),
        .init(
            "the peer leaves before the last LF", "HTTP/1.1 200 OK\r\nX: y\r\n\r▸", finds: .incompleteHead,
            thenEnds: true),
        .init("the peer leaves in an empty line", "\r▸", finds: .incompleteHead, thenEnds: true),
        .init(
            "the peer leaves in a head behind an empty line", "▸\r\nHTTP▸", finds: .emptyLineBeforeReply,
            .incompleteHead,
            thenEnds: true),
        .init(
            "the peer leaves in the second reply", ok + "◆HTTP/1.1▸", finds: .incompleteHead, to: ["GET", "GET"],
            thenEnds: true),
        .init("the peer leaves behind an interim reply", hint + "▸", finds: .missingFinalReply, thenEnds: true),
        .init(
            "the peer leaves behind an interim reply and an empty line", hint + "▸\r\n▸", finds: .emptyLineBeforeReply,
            .missingFinalReply, thenEnds: true),
        .init(
            "the peer leaves in a head behind an interim reply", hint + "HTTP/1.1 200 O▸", finds: .incompleteHead,
            thenEnds: true),
        .init(
            "the peer leaves before the content", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n▸",
            finds: .incompleteContent, thenEnds: true),
        .init(
            "the peer leaves in the content", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell▸",
            finds: .incompleteContent, thenEnds: true),
        .init(
            "the peer leaves in the content of a closing reply",
            "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhell▸", finds: .incompleteContent,
            thenEnds: true
        ),
    ]
}
