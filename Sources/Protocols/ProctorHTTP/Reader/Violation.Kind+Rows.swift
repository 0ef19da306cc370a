/// The table of violations: each case of ``Violation/Kind`` has a row here, in the same order.
///
/// Docs/judging/violations.md is generated from it, and a test feeds each example to its reader.
extension Violation.Kind {
    package var row: ViolationRow {
        switch self {
        case .emptyLineBeforeRequest:
            ViolationRow(
                "RFC 9112 §2.2",
                "an empty line stands before the request; a client sends none, nor a CRLF behind the content before",
                request: .readOver, example: .request("\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"))
        case .tooManyEmptyLines:
            ViolationRow(
                "RFC 9112 §2.2", "more than {limit} empty lines stand before the {message}; a {sender} sends none",
                request: .refused(400), reply: .refused, example: .request("\r\n\r\n", also: .emptyLineBeforeRequest))
        case .requestAfterClose:
            ViolationRow(
                "RFC 9112 §9.6", "the client said \"Connection: close\" before and may send no other request here",
                request: .readOver,
                example: .request("GET / HTTP/1.1\r\nConnection: close\r\nHost: a\r\n\r\nGET / HTTP/1.0\r\n\r\n"))
        case .tlsHandshake:
            ViolationRow(
                "RFC 9112 §2.1",
                "the first byte {bytes} begins a TLS handshake, but this port speaks plain HTTP; use http://",
                request: .refused(400), example: .request("\u{16}\u{3}\u{1}"))
        case .http2Preface:
            ViolationRow(
                "RFC 9113 §3.4", "this is the HTTP/2 connection preface, but this server speaks HTTP/1.0 and HTTP/1.1",
                request: .refused(505), example: .request("PRI * HTTP/2.0\r\n\r\n"))
        case .plainHTTP:
            ViolationRow(
                "RFC 9110 §4.2.2",
                "the bytes {bytes} begin no TLS handshake, but this port speaks TLS alone; use https://",
                request: .refused(400), example: .outsideRequests("GET / HTTP/1.1\r\n"))
        case .bytesAfterRequest:
            ViolationRow(
                "RFC 9112 §6.3",
                "{bytes stand} behind the end of the request and begin no other: {bytes}; its framing says where it ends",
                request: .refused(400), example: .outsideRequests("\r\n\u{0}"))
        case .unansweredRequest:
            ViolationRow(
                "RFC 9112 §9.6",
                "a request, or the beginning of one, came behind the last that is answered on this connection",
                request: .readOver, example: .outsideRequests("GET / HTTP/1.1\r\n"))
        case .emptyLineBeforeReply:
            ViolationRow(
                "RFC 9112 §9.2",
                "an empty line stands before the reply; a server sends none, nor a CRLF behind the content before",
                reply: .readOver, example: .reply("\r\nHTTP/1.1 204 \r\n\r\n"))
        case .bytesAfterReply:
            ViolationRow(
                "RFC 9112 §9.2", "{bytes} comes where no reply is expected: behind a whole one, or before any request",
                reply: .refused, example: .reply("HTTP/1.1 204 \r\n\r\nx"))
        case .tlsRecord:
            ViolationRow(
                "RFC 8446 §5.1", "{bytes} begins a TLS record, but this connection speaks plain HTTP; use https://",
                reply: .refused, example: .reply("\u{15}\u{3}"))
        case .http2Frame:
            ViolationRow(
                "RFC 9113 §3.4",
                "an HTTP/2 frame comes, but this client speaks HTTP/1.1; the server expects HTTP/2 alone here",
                reply: .refused, example: .reply("\u{0}\u{0}\u{0}\u{4}\u{0}\u{0}\u{0}\u{0}\u{0}"))
        case .otherProtocol:
            ViolationRow(
                "RFC 9112 §4", "{bytes} begins what {protocol} says, not HTTP; is it the right port?", reply: .refused,
                example: .reply("SSH-2.0-x\r\n"))
        case .missingStatusLine:
            ViolationRow(
                "RFC 9112 §4",
                "{bytes} stands where a reply begins: HTTP/1.1, a space, the status (HTTP/0.9 is not read)",
                reply: .refused, example: .reply("<html>"))
        case .bareLF:
            ViolationRow(
                "RFC 9112 §2.2", "the line{ bytes} ends with LF alone; it must end with CRLF", request: .readOver,
                reply: .readOver, example: .request("GET / HTTP/1.1\r\nHost: a\n\r\n"))
        case .bareCR:
            ViolationRow(
                "RFC 9112 §2.2",
                "a CR without LF stands in {bytes}; lines end with CRLF, and CR may stand nowhere else",
                request: .refused(400), reply: .refused, example: .requestLine("GET /\rHTTP/1.1"))
        case .requestLineWhitespace:
            ViolationRow(
                "RFC 9112 §3",
                "the request line holds {bytes} where one space or nothing belongs: method SP target SP version CRLF",
                request: .readOver, example: .requestLine("GET  / HTTP/1.1"))
        case .requestLineTooLong:
            ViolationRow(
                "RFC 9112 §3", "the request line is longer than the {limit} bytes that this {reader} reads",
                request: .refused(414),
                example: .requestLine("GET /0123456789012345678901234567890123456789012345678901234567"))
        case .badMethod:
            ViolationRow(
                "RFC 9110 §9.1",
                "{bytes} cannot begin a request: a method is letters, digits and !#$%&'*+-.^_`|~, then a space",
                request: .refused(400), example: .requestLine("GE:T / HTTP/1.1"))
        case .methodTooLong:
            ViolationRow(
                "RFC 9112 §3", "the method {bytes} is longer than the {limit} bytes that this {reader} reads",
                request: .refused(501), example: .requestLine("PROPFINDS / HTTP/1.1"))
        case .missingTarget:
            ViolationRow(
                "RFC 9112 §3", "the request line {bytes} has no target; it is: method SP target SP version",
                request: .refused(400), example: .requestLine("GET"))
        case .missingVersion:
            ViolationRow(
                "RFC 9112 §3",
                "the request line {bytes} has no version; write HTTP/1.1 at its end (HTTP/0.9 is not served)",
                request: .refused(400), example: .requestLine("GET /"))
        case .statusLineWhitespace:
            ViolationRow(
                "RFC 9112 §4",
                "the status line holds {bytes} where one space or nothing belongs: version SP status SP reason CRLF",
                reply: .readOver, example: .statusLine("HTTP/1.1  200 OK"))
        case .statusLineTooLong:
            ViolationRow(
                "RFC 9110 §17.5", "the status line is longer than the {limit} bytes that this client reads",
                reply: .refused, example: .statusLine("HTTP/1.1 200 0123456789012345678901234567"))
        case .missingStatus:
            ViolationRow(
                "RFC 9112 §4", "the status line {bytes} has no status; it is: version SP status SP reason",
                reply: .refused, example: .statusLine("HTTP/1.1"))
        case .badStatus:
            ViolationRow(
                "RFC 9112 §4", "{bytes} is no status; it is three digits", reply: .refused,
                example: .statusLine("HTTP/1.1 20 OK"))
        case .statusOutOfRange:
            ViolationRow(
                "RFC 9110 §15",
                "the status {bytes} is outside 100 to 599; it is read as a failure of the server, like 5xx",
                reply: .readOver, example: .statusLine("HTTP/1.1 999 OK"))
        case .missingSpaceBeforeReason:
            ViolationRow(
                "RFC 9112 §4",
                "the status line {bytes} ends with its status; the space before the reason stays, even with no reason",
                reply: .readOver, example: .statusLine("HTTP/1.1 200"))
        case .controlInReason:
            ViolationRow(
                "RFC 9112 §4",
                "the reason holds the control character {bytes}; only visible characters, SP and HTAB may stand there",
                reply: .readOver, example: .statusLine("HTTP/1.1 200 O\u{1B}K"))
        case .badVersion:
            ViolationRow(
                "RFC 9112 §2.3", "{bytes} is no version; it is HTTP/, a digit, a point, a digit: HTTP/1.1",
                request: .refused(400), reply: .refused, example: .requestLine("GET / HTTP/1"))
        case .versionCase:
            ViolationRow(
                "RFC 9112 §2.3", "the version is written {bytes}; its name is case-sensitive: HTTP", request: .readOver,
                reply: .readOver, example: .requestLine("GET / http/1.1"))
        case .unsupportedVersion:
            ViolationRow(
                "RFC 9110 §15.6.6", "version {bytes} is not {read} here; HTTP/1.0 and HTTP/1.1 are",
                inReplies: "RFC 9110 §2.5", request: .refused(505), reply: .refused,
                example: .requestLine("GET / HTTP/3.0"))
        case .targetTooLong:
            ViolationRow(
                "RFC 9112 §3", "the target is longer than the {limit} bytes that this {reader} reads",
                request: .refused(414), example: .requestLine("GET /012345678901234567890123 HTTP/1.1"))
        case .spaceInTarget:
            ViolationRow(
                "RFC 9112 §3.2", "whitespace stands in the target of {bytes}; write a space as %20",
                request: .refused(400), example: .requestLine("GET /a b HTTP/1.1"))
        case .controlInTarget:
            ViolationRow(
                "RFC 9112 §3.2", "the target {bytes} holds a control character; write it as a percent-escape",
                request: .refused(400), example: .requestLine("GET /\u{7F} HTTP/1.1"))
        case .nonASCIIInTarget:
            ViolationRow(
                "RFC 3986 §2", "the target holds the raw bytes {bytes}; write them as percent-escapes",
                request: .readOver, example: .requestLine("GET /\u{E9} HTTP/1.1"))
        case .illegalCharacterInTarget:
            ViolationRow(
                "RFC 3986 §2", "the target holds {bytes}, which a URI may not; write it as a percent-escape",
                request: .readOver, example: .requestLine("GET /{id} HTTP/1.1"))
        case .badPercentEscape:
            ViolationRow(
                "RFC 3986 §2.1",
                "{bytes} is no percent-escape; \"%\" needs two hexadecimal digits, a literal one is %25",
                request: .readOver, example: .requestLine("GET /100% HTTP/1.1"))
        case .fragmentInTarget:
            ViolationRow(
                "RFC 9110 §7.1", "the target holds the fragment {bytes}; a client keeps it to itself",
                request: .readOver, example: .requestLine("GET /a#top HTTP/1.1"))
        case .badTarget:
            ViolationRow(
                "RFC 9112 §3.2",
                "the target {bytes} has none of the four forms: /path?query, scheme://host/path, host:port for CONNECT, *",
                request: .refused(400), example: .requestLine("GET a/b HTTP/1.1"))
        case .asteriskWithoutOptions:
            ViolationRow(
                "RFC 9112 §3.2.4", "the target \"*\" is for OPTIONS only", request: .readOver,
                example: .requestLine("GET * HTTP/1.1"))
        case .badConnectTarget:
            ViolationRow(
                "RFC 9110 §9.3.6", "CONNECT wants host:port with a port of 1 to 65535, and got {bytes}",
                request: .refused(400), example: .requestLine("CONNECT a HTTP/1.1"))
        case .emptyHostInTarget:
            ViolationRow(
                "RFC 9110 §4.2.1", "the target {bytes} names no host; an http or https URI must",
                request: .refused(400), example: .requestLine("GET http:///x HTTP/1.1"))
        case .badAuthorityInTarget:
            ViolationRow(
                "RFC 3986 §3.2",
                "{bytes} is no host with an optional port of 0 to 65535; an IPv6 address stands in brackets",
                request: .refused(400), example: .requestLine("GET http://a:b/ HTTP/1.1"))
        case .userinfoInTarget:
            ViolationRow(
                "RFC 9110 §4.2.4", "the target holds the userinfo {bytes}; a client sends credentials in Authorization",
                request: .readOver, example: .requestLine("GET http://u@a/ HTTP/1.1"))
        case .whitespaceBeforeFirstField:
            ViolationRow(
                "RFC 9112 §2.2", "the line {bytes} begins with whitespace but continues no field; it is passed over",
                request: .readOver, reply: .readOver, example: .request("GET / HTTP/1.1\r\n X: y\r\nHost: a\r\n\r\n"))
        case .obsFold:
            ViolationRow(
                "RFC 9112 §5.2", "the value goes on in the line {bytes}; folding is obsolete, write it in one line",
                request: .readOver, reply: .readOver, example: .requestFields("X: y\r\n z"))
        case .spaceBeforeColon:
            ViolationRow(
                "RFC 9112 §5.1", "whitespace stands between name and colon in {bytes}; the colon follows the name",
                request: .refused(400), reply: .readOver, example: .requestFields("X : y"))
        case .missingColon:
            ViolationRow(
                "RFC 9112 §5", "the field line {bytes} has no colon; it is: name, colon, value", request: .refused(400),
                reply: .refused, example: .requestFields("X y"))
        case .emptyFieldName:
            ViolationRow(
                "RFC 9110 §5.1", "the field line {bytes} has no name before its colon", request: .refused(400),
                reply: .refused, example: .requestFields(": y"))
        case .badFieldName:
            ViolationRow(
                "RFC 9110 §5.1",
                "the name in {bytes} holds whitespace or a control character; it is letters, digits and !#$%&'*+-.^_`|~",
                request: .refused(400), reply: .refused, example: .requestFields("X Y: z"))
        case .illegalCharacterInFieldName:
            ViolationRow(
                "RFC 9110 §5.1",
                "the field name {bytes} holds a byte that no name may; it is letters, digits and !#$%&'*+-.^_`|~",
                request: .readOver, reply: .readOver, example: .requestFields("(X): y"))
        case .nulInFieldValue:
            ViolationRow(
                "RFC 9110 §5.5", "the value {bytes} holds a NUL", request: .refused(400), reply: .refused,
                example: .requestFields("X: \u{0}"))
        case .controlInFieldValue:
            ViolationRow(
                "RFC 9110 §5.5",
                "the value holds the control character {bytes}; only visible characters, SP and HTAB may stand there",
                request: .readOver, reply: .readOver, example: .requestFields("X: \u{1B}"))
        case .fieldLineTooLong:
            ViolationRow(
                "RFC 6585 §5", "the field line is longer than the {limit} bytes that this {reader} reads",
                inReplies: "RFC 9110 §5.4", request: .refused(431), reply: .refused,
                example: .requestFields("X: 01234567890123456789012345678901234567"))
        case .tooManyFields:
            ViolationRow(
                "RFC 6585 §5", "the section has more than the {limit} field lines that this {reader} reads",
                inReplies: "RFC 9110 §5.4", request: .refused(431), reply: .refused,
                example: .requestFields("A: 1\r\nB: 2\r\nC: 3\r\nD: 4"))
        case .headTooLarge:
            ViolationRow(
                "RFC 6585 §5", "the head is longer than the {limit} bytes that this {reader} reads",
                inReplies: "RFC 9110 §5.4", request: .refused(431), reply: .refused,
                example: .requestFields(
                    "A: 012345678901234567890123456789\r\nB: 012345678901234567890123456789\r\nC: 012345678901234567890123456789"
                ))
        case .duplicateField:
            ViolationRow(
                "RFC 9110 §5.3", "the field comes a second time, with {bytes}; it is no list and may come once",
                request: .readOver, reply: .readOver, example: .requestFields("User-Agent: a\r\nUser-Agent: b"))
        case .emptyListElement:
            ViolationRow(
                "RFC 9110 §5.6.1", "the list {bytes} has an empty element; a sender writes none", request: .readOver,
                reply: .readOver, example: .requestFields("Connection: ,x"))
        case .missingHost:
            ViolationRow(
                "RFC 9112 §3.2", "the request has no Host field; every HTTP/1.1 request must have one",
                request: .refused(400), example: .request("GET / HTTP/1.1\r\n\r\n"))
        case .duplicateHost:
            ViolationRow(
                "RFC 9112 §3.2", "a second Host field says {bytes}; there may be one only", request: .refused(400),
                example: .requestFields("Host: b"))
        case .badHost:
            ViolationRow(
                "RFC 9112 §3.2",
                "Host is {bytes}; it is a host with an optional port of 0 to 65535, an IPv6 address in brackets",
                request: .refused(400), example: .request("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"))
        case .emptyHost:
            ViolationRow(
                "RFC 9112 §3.2", "Host is empty; it names the host and port of the URI that was asked for",
                request: .readOver, example: .request("GET / HTTP/1.1\r\nHost:\r\n\r\n"))
        case .hostDiffersFromTarget:
            ViolationRow(
                "RFC 9112 §3.2.2", "Host is {bytes}, but the target names another host; they must be the same",
                request: .readOver, example: .requestLine("GET http://b/ HTTP/1.1"))
        case .badContentLength:
            ViolationRow(
                "RFC 9112 §6.3", "Content-Length is {bytes}; it is decimal digits and nothing else",
                request: .refused(400), reply: .refused, example: .requestFields("Content-Length: x"))
        case .differingContentLengths:
            ViolationRow(
                "RFC 9112 §6.3", "Content-Length is {bytes}, but {limit} before; there may be one length only",
                request: .refused(400), reply: .refused,
                example: .requestFields("Content-Length: 1\r\nContent-Length: 2"))
        case .duplicateContentLength:
            ViolationRow(
                "RFC 9110 §8.6", "Content-Length {bytes} is said again; once is enough", request: .readOver,
                reply: .readOver, example: .requestFields("Content-Length: 0\r\nContent-Length: 0"))
        case .contentLengthWithTransferEncoding:
            ViolationRow(
                "RFC 9112 §6.1",
                "Content-Length comes with Transfer-Encoding, which is read by; the connection closes after the reply",
                request: .readOver, reply: .readOver,
                example: .requestFields("Content-Length: 0\r\nTransfer-Encoding: chunked"))
        case .contentTooLarge:
            ViolationRow(
                "RFC 9110 §15.5.14", "the content is longer than the {limit} bytes that this {reader} reads",
                inReplies: "RFC 9110 §17.5", request: .refused(413), reply: .refused,
                example: .requestFields("Content-Length: 9"))
        case .badTransferEncoding:
            ViolationRow(
                "RFC 9112 §6.1",
                "Transfer-Encoding holds {bytes}; it is a list of coding names, and chunked has no parameters",
                request: .refused(400), reply: .refused, example: .requestFields("Transfer-Encoding: chunked;a=b"),
                withoutBytes: "Transfer-Encoding is empty; it names the codings that were applied")
        case .unsupportedTransferCoding:
            ViolationRow(
                "RFC 9112 §6.1", "transfer coding {bytes} is not read here; chunked is", request: .refused(501),
                reply: .refused, example: .requestFields("Transfer-Encoding: gzip, chunked"))
        case .chunkedNotFinal:
            ViolationRow(
                "RFC 9112 §6.3",
                "the last transfer coding is {bytes}; without chunked at the end its length is not known",
                request: .refused(400), reply: .readOver, example: .requestFields("Transfer-Encoding: gzip"),
                inReply:
                    "the last transfer coding is {bytes}, not chunked; the content then ends where the connection does")
        case .chunkedTwice:
            ViolationRow(
                "RFC 9112 §7.1", "chunked is applied twice; once is all that is allowed", request: .refused(400),
                reply: .refused, example: .requestFields("Transfer-Encoding: chunked, chunked"))
        case .transferEncodingInHTTP10:
            ViolationRow(
                "RFC 9112 §6.1", "an HTTP/1.0 {message} has no Transfer-Encoding; its content has a Content-Length",
                request: .refused(400), reply: .refused,
                example: .request("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"))
        case .badConnectionOption:
            ViolationRow(
                "RFC 9110 §7.6.1", "the Connection option {bytes} is no token", request: .readOver, reply: .readOver,
                example: .requestFields("Connection: a b"))
        case .teWithoutConnection:
            ViolationRow(
                "RFC 9110 §10.1.4", "TE is for the next hop only; \"Connection: TE\" must come with it",
                request: .readOver, example: .requestFields("TE: trailers"))
        case .chunkedInTE:
            ViolationRow(
                "RFC 9110 §10.1.4", "TE lists chunked, which is always understood and may not be named there",
                request: .readOver, example: .requestFields("TE: chunked\r\nConnection: TE"))
        case .upgradeWithoutConnection:
            ViolationRow(
                "RFC 9110 §7.8", "Upgrade is for the next hop only; \"Connection: upgrade\" must come with it",
                request: .readOver, reply: .readOver, example: .requestFields("Upgrade: x"))
        case .unknownExpectation:
            ViolationRow(
                "RFC 9110 §10.1.1", "the expectation {bytes} is unknown; 100-continue is the only one there is",
                request: .readOver, example: .requestFields("Expect: 200-ok"))
        case .badStructuredField:
            ViolationRow(
                "RFC 9651 §4.2", "{bytes} is no value of this field, which is a structured one",
                request: .readOver, example: .requestFields("Priority: u=1;"))
        case .expectationWithoutContent:
            ViolationRow(
                "RFC 9110 §10.1.1", "100-continue is expected, but no content is to follow; leave Expect out",
                request: .readOver, example: .requestFields("Expect: 100-continue"))
        case .traceWithContent:
            ViolationRow(
                "RFC 9110 §9.3.8", "a TRACE request has content; it must not", request: .readOver,
                example: .request("TRACE / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx"))
        case .connectWithContent:
            ViolationRow(
                "RFC 9110 §9.3.6", "a CONNECT request has content; it has none, the tunnel begins behind the head",
                request: .readOver, example: .request("CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\nContent-Length: 1\r\n\r\nx")
            )
        case .interimInHTTP10:
            ViolationRow(
                "RFC 9110 §15.2", "status {bytes} comes in HTTP/1.0, which has no 1xx", reply: .readOver,
                example: .reply("HTTP/1.0 100 \r\n\r\n"))
        case .tooManyInterimReplies:
            ViolationRow(
                "RFC 9110 §15.2", "more than {limit} interim replies came before the final one", reply: .refused,
                example: .reply("HTTP/1.1 103 \r\n\r\nHTTP/1.1 103 \r\n\r\n"))
        case .switchingWithoutUpgrade:
            ViolationRow(
                "RFC 9110 §15.2.2", "a 101 has no Upgrade field, so the protocol that follows is not known",
                reply: .refused, example: .reply("HTTP/1.1 101 \r\n\r\n"))
        case .contentLengthWithoutContent:
            ViolationRow(
                "RFC 9110 §8.6",
                "Content-Length {bytes} stands where no content can follow: 1xx, 204, or 2xx to CONNECT; it is not read",
                reply: .readOver, example: .reply("HTTP/1.1 204 \r\nContent-Length: 5\r\n\r\n"))
        case .transferEncodingWithoutContent:
            ViolationRow(
                "RFC 9112 §6.1",
                "Transfer-Encoding {bytes} stands where no content can follow: 1xx, 204, or 2xx to CONNECT; it is not read",
                reply: .readOver, example: .reply("HTTP/1.1 204 \r\nTransfer-Encoding: chunked\r\n\r\n"))
        case .contentIn205:
            ViolationRow(
                "RFC 9110 §15.3.6", "a 205 has content; it tells a client to clear its form, and has none",
                reply: .readOver, example: .reply("HTTP/1.1 205 \r\nContent-Length: 1\r\n\r\nx"))
        case .badChunkSize:
            ViolationRow(
                "RFC 9112 §7.1",
                "{bytes} stands where a chunk size belongs; it is hexadecimal digits, at the start of a line",
                request: .refused(400), reply: .refused, example: .chunks("hello"))
        case .chunkSizeOverflow:
            ViolationRow(
                "RFC 9112 §7.1",
                "the chunk size has more digits than any content has bytes; the most is 7FFFFFFFFFFFFFFF",
                request: .refused(413), reply: .refused, example: .chunks("8000000000000000"))
        case .chunkLineTooLong:
            ViolationRow(
                "RFC 9112 §7.1.1", "the chunk-size line is longer than the {limit} bytes that this {reader} reads",
                request: .refused(400), reply: .refused, example: .chunks("1;name=0123456789\r\n"))
        case .bareLFInChunkLine:
            ViolationRow(
                "RFC 9112 §7.1", "the chunk-size line ends with LF alone; it must end with CRLF",
                request: .refused(400), reply: .refused, example: .chunks("1\n"))
        case .whitespaceInChunkLine:
            ViolationRow(
                "RFC 9112 §7.1.1", "whitespace stands in {bytes} behind a chunk size; a sender writes none there",
                request: .readOver, reply: .readOver, example: .chunks("1 ;a\r\nx\r\n0\r\n\r\n"))
        case .controlInChunkLine:
            ViolationRow(
                "RFC 9112 §7.1.1", "the chunk-size line holds the control character {bytes}", request: .refused(400),
                reply: .refused, example: .chunks("1;\u{1}"))
        case .badChunkExtension:
            ViolationRow(
                "RFC 9112 §7.1.1", "the chunk extension {bytes} is not of the form ;name or ;name=value",
                request: .readOver, reply: .readOver, example: .chunks("1;=\r\nx\r\n0\r\n\r\n"))
        case .missingCRLFAfterChunk:
            ViolationRow(
                "RFC 9112 §7.1",
                "{bytes} stands where a chunk's CRLF belongs; the chunk is longer than its size says, or shorter",
                request: .refused(400), reply: .refused, example: .chunks("1\r\nxy"))
        case .forbiddenTrailer:
            ViolationRow(
                "RFC 9110 §6.5.1", "the field {bytes} may not come as a trailer; it is needed before the content",
                request: .readOver, reply: .readOver, example: .chunks("0\r\nHost: b\r\n\r\n"))
        case .trailersTooLarge:
            ViolationRow(
                "RFC 6585 §5", "the trailer section is longer than the {limit} bytes that this {reader} reads",
                inReplies: "RFC 9110 §5.4", request: .refused(431), reply: .refused,
                example: .chunks("0\r\nA: 01234567890123456789\r\nB: 01234567890123456789\r\n\r\n"))
        case .incompleteHead:
            ViolationRow(
                "RFC 9112 §8", "the connection ended {limit} bytes into the {message} head; an empty line ends a head",
                request: .refused(400), reply: .refused, example: .request("GET", thenEnds: true))
        case .missingFinalReply:
            ViolationRow(
                "RFC 9110 §15.2", "the connection ended behind an interim reply; the final one never came",
                reply: .refused, example: .reply("HTTP/1.1 103 \r\n\r\n", thenEnds: true))
        case .incompleteContent:
            ViolationRow(
                "RFC 9112 §8", "the connection ended {limit} bytes before the end that Content-Length says",
                request: .refused(400), reply: .refused,
                example: .request("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhell", thenEnds: true))
        case .incompleteChunkedContent:
            ViolationRow(
                "RFC 9112 §8",
                "the connection ended inside chunked content; a chunk of size 0 and an empty line end it",
                request: .refused(400), reply: .refused, example: .chunks("5\r\nhell", thenEnds: true))
        }
    }
}
