import ProctorHTTP

extension Malformed {
    static let fieldLines: [Malformed] = [
        .init("LF ends a field line", "GET / HTTP/1.1\r\nHost: a▸\n\r\n", .bareLF),
        .init("LF ends the head", "GET / HTTP/1.1\r\nHost: a\r\n▸\n", .bareLF),
        .init("LF ends every line", "GET / HTTP/1.1▸\nHost: a▸\nX: y▸\n▸\n", .bareLF, .bareLF, .bareLF, .bareLF),
        .field("a second request line", "▸GET /other HTTP/1.1", .missingColon),
        .field("a space before the colon", "X▸ : y", .spaceBeforeColon),
        .field("a tab before the colon", "X▸\t: y", .spaceBeforeColon),
        .field("whitespace before the colon", "X▸ \t : y", .spaceBeforeColon),
        .fields("a space before the colon of Host", "Host▸ : a", .spaceBeforeColon),
        .field("a space before the colon of Transfer-Encoding", "Transfer-Encoding▸ : chunked", .spaceBeforeColon),
        .fields("a fold in Host", "Host:\r\n▸ a", .obsFold),
        .fields("whitespace before the first field", "▸ X: y\r\nHost: a", .whitespaceBeforeFirstField),
        .fields(
            "two lines of whitespace before the first field", "▸ X: y\r\n▸\tz\r\nHost: a", .whitespaceBeforeFirstField,
            .whitespaceBeforeFirstField),
        .fields("a blank line of spaces before the first field", "▸  \r\nHost: a", .whitespaceBeforeFirstField),
        .field("two User-Agent alike", "User-Agent: a\r\n▸user-agent: a", .duplicateField),
        .field("two Cookie", "Cookie: a=b\r\n▸Cookie: c=d", .duplicateField),
        .field("two Authorization", "Authorization: Basic YTpi\r\n▸Authorization: Basic Yzpk", .duplicateField),
        .field(
            "three Range", "Range: bytes=0-1\r\n▸Range: bytes=2-3\r\n▸Range: bytes=4-5", .duplicateField,
            .duplicateField),
        .field("two Referer", "Referer: /a\r\nX: y\r\n▸Referer: /b", .duplicateField),
        .field("two If-Modified-Since", "If-Modified-Since: x\r\n▸If-Modified-Since: y", .duplicateField),
        .init(
            "a field line over the limit", "GET / HTTP/1.1\r\nHost: a\r\nX: 3456789▸0\r\n\r\n", .fieldLineTooLong,
            limits: RequestLimits(fieldLineByteCount: 10)),
        .init(
            "a field line that never ends", "GET / HTTP/1.1\r\nHost: a\r\nX: 3456789▸0123456789", .fieldLineTooLong,
            limits: RequestLimits(fieldLineByteCount: 10)),
        .init(
            "a head over the limit in a line", "GET / HTTP/1.1\r\nHost: a\r\nX: ▸yyyyyyyyyyyyyyyyyy\r\n\r\n",
            .headTooLarge, limits: RequestLimits(headByteCount: 28)),
        .init(
            "a head over the limit in its last byte", "GET / HTTP/1.1\r\nHost: a\r\n\r▸\n", .headTooLarge,
            limits: RequestLimits(headByteCount: 26)),
        .init(
            "a head over the limit in its request line", "GET /▸ HTTP/1.1\r\nHost: a\r\n\r\n", .headTooLarge,
            limits: RequestLimits(headByteCount: 5)),
        .init(
            "one field too many", "GET / HTTP/1.1\r\nHost: a\r\nA: 1\r\n▸B: 2\r\n\r\n", .tooManyFields,
            limits: RequestLimits(fieldCount: 2)),
    ]

    static let hosts: [Malformed] = [
        .init("no field at all", "GET / HTTP/1.1\r\n▸\r\n", .missingHost),
        .init("no Host", "GET / HTTP/1.1\r\nX: y\r\n▸\r\n", .missingHost),
        .init("no Host, and LF ends the head", "GET / HTTP/1.1\r\n▸▸\n", .bareLF, .missingHost),
        .init("no Host in HTTP/1.2", "GET / HTTP/1.2\r\n▸\r\n", .missingHost),
        .init("no Host with an absolute target", "GET http://a/ HTTP/1.1\r\n▸\r\n", .missingHost),
        .init("no Host with CONNECT", "CONNECT a:80 HTTP/1.1\r\n▸\r\n", .missingHost),
        .fields("two Host", "Host: a\r\n▸Host: b", .duplicateHost),
        .fields("two Host alike", "Host: a\r\n▸host: a", .duplicateHost),
        .init("two Host in HTTP/1.0", "GET / HTTP/1.0\r\nHost: a\r\n▸Host: a\r\n\r\n", .duplicateHost),
        .fields("a list of hosts", "Host: ▸a, b", .badHost),
        .fields("a URI as Host", "Host: ▸http://a/", .badHost),
        .fields("a path in Host", "Host: ▸a/b", .badHost),
        .fields("userinfo in Host", "Host: ▸u@a", .badHost),
        .fields("a port of letters in Host", "Host: ▸a:b", .badHost),
        .fields("a port over 65535 in Host", "Host: ▸a:99999", .badHost),
        .fields("two ports in Host", "Host: ▸a:80:80", .badHost),
        .fields("an IPv6 address without brackets in Host", "Host: ▸::1", .badHost),
        .fields("an unclosed bracket in Host", "Host: ▸[::1", .badHost),
        .fields("a byte behind the bracket in Host", "Host: ▸[::1]x", .badHost),
        .fields("an empty IP literal in Host", "Host: ▸[]", .badHost),
        .fields("a space in Host", "Host: ▸a b", .badHost),
        .fields("raw UTF-8 in Host", "Host: ▸\u{C3}\u{A9}", .badHost),
        .fields("a bad escape in Host", "Host: ▸a%4", .badHost),
        .fields("a fold before two hosts", "Host:\r\n▸ a\r\n▸Host: b", .obsFold, .duplicateHost),
        .fields("an empty Host", "▸Host:", .emptyHost),
        .fields("an empty Host with a space", "▸Host: ", .emptyHost),
        .init("an empty Host with OPTIONS *", "OPTIONS * HTTP/1.1\r\n▸Host:\r\n\r\n", .emptyHost),
        .init(
            "Host differs from an absolute target", "GET http://a/ HTTP/1.1\r\nHost: ▸b\r\n\r\n",
            .hostDiffersFromTarget),
        .init(
            "the port differs from an absolute target", "GET http://a:81/ HTTP/1.1\r\nHost: ▸a\r\n\r\n",
            .hostDiffersFromTarget),
        .init(
            "an empty Host with an absolute target", "GET http://a/ HTTP/1.1\r\nHost: ▸\r\n\r\n",
            .hostDiffersFromTarget),
        .init(
            "Host with another target's default port", "GET https://a/ HTTP/1.1\r\nHost: ▸a:80\r\n\r\n",
            .hostDiffersFromTarget),
        .init("Host differs from CONNECT", "CONNECT a:80 HTTP/1.1\r\nHost: ▸b:80\r\n\r\n", .hostDiffersFromTarget),
        .init(
            "the port differs from CONNECT", "CONNECT a:80 HTTP/1.1\r\nHost: ▸a:81\r\n\r\n", .hostDiffersFromTarget),
    ]
}
