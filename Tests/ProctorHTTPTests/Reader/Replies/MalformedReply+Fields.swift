import ProctorHTTP

extension MalformedReply {
    static let fieldLines: [MalformedReply] = [
        .init("LF ends a field line", "HTTP/1.1 200 OK\r\nContent-Length: 0▸\n\r\n", .bareLF),
        .init("LF ends the head", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n▸\n", .bareLF),
        .init(
            "LF ends every line", "HTTP/1.1 200 OK▸\nContent-Length: 0▸\nX: y▸\n▸\n", .bareLF, .bareLF, .bareLF, .bareLF
        ),
        .field("a space before the colon", "X▸ : y", .spaceBeforeColon),
        .field("a tab before the colon", "X▸\t: y", .spaceBeforeColon),
        .field("whitespace before the colon", "X▸ \t : y", .spaceBeforeColon),
        .field(
            "an odd name and a space before the colon", "▸(X)▸ : y", .illegalCharacterInFieldName, .spaceBeforeColon),
        .fields("a space before the colon of Content-Length", "Content-Length▸ : 0", .spaceBeforeColon),
        .init(
            "a space before the colon of Transfer-Encoding",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding▸ : chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n", .spaceBeforeColon),
        .fields("a fold in Content-Length", "Content-Length:\r\n▸ 0", .obsFold),
        .fields(
            "whitespace before the first field", "▸ X: y\r\nContent-Length: 0", .whitespaceBeforeFirstField),
        .fields(
            "two lines of whitespace before the first field", "▸ X: y\r\n▸\tz\r\nContent-Length: 0",
            .whitespaceBeforeFirstField, .whitespaceBeforeFirstField),
        .field("a second status line", "▸HTTP/1.1 200 OK", .missingColon),
        .field("two Location", "Location: /a\r\n▸Location: /b", .duplicateField),
        .field("two Location alike", "Location: /a\r\n▸location: /a", .duplicateField),
        .field("two Date", "Date: x\r\n▸Date: x", .duplicateField),
        .field("two ETag", "ETag: \"a\"\r\n▸ETag: \"b\"", .duplicateField),
        .field("two Last-Modified", "Last-Modified: x\r\n▸Last-Modified: y", .duplicateField),
        .field("three Server", "Server: a\r\n▸Server: b\r\n▸Server: c", .duplicateField, .duplicateField),
        .field("two Retry-After", "Retry-After: 1\r\n▸Retry-After: 2", .duplicateField),
        .field("two Content-Range", "Content-Range: bytes 0-1/2\r\n▸Content-Range: bytes 0-1/3", .duplicateField),
        .field(
            "two Strict-Transport-Security", "Strict-Transport-Security: max-age=1\r\n▸strict-transport-security: x",
            .duplicateField),
        .init(
            "a field line over the limit", "HTTP/1.1 200 OK\r\nX: 3456789▸0\r\n\r\n", .fieldLineTooLong,
            limits: ReplyLimits(fieldLineByteCount: 10)),
        .init(
            "a field line that never ends", "HTTP/1.1 200 OK\r\nX: 3456789▸0123456789", .fieldLineTooLong,
            limits: ReplyLimits(fieldLineByteCount: 10)),
        .init(
            "a head over the limit in a line", "HTTP/1.1 200 OK\r\nX: ▸yyyyyyyyyyyyyyyy\r\n\r\n", .headTooLarge,
            limits: ReplyLimits(headByteCount: 20)),
        .init(
            "a head over the limit in its last byte", "HTTP/1.1 204 OK\r\nX: yy\r\n\r▸\n", .headTooLarge,
            limits: ReplyLimits(headByteCount: 25)),
        .init(
            "a head over the limit in its status line", "HTTP/▸1.1 200 OK\r\n\r\n", .headTooLarge,
            limits: ReplyLimits(headByteCount: 5)),
        .init(
            "one field too many", "HTTP/1.1 204 OK\r\nA: 1\r\nB: 2\r\n▸C: 3\r\n\r\n", .tooManyFields,
            limits: ReplyLimits(fieldCount: 2)),
        .chunked("Set-Cookie as a trailer", "0\r\n▸Set-Cookie: a=b\r\n\r\n", .forbiddenTrailer),
        .chunked(
            "Location and Date as trailers", "0\r\n▸Location: /\r\nX: y\r\n▸date: z\r\n\r\n", .forbiddenTrailer,
            .forbiddenTrailer),
        .chunked("a challenge as a trailer", "0\r\n▸WWW-Authenticate: Basic\r\n\r\n", .forbiddenTrailer),
    ]
}
