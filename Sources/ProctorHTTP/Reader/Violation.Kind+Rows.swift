/// The table of violations: a new kind is a case of ``Violation/Kind`` and a row here.
///
/// The table of Docs/violations.md is written from it, and a test feeds each example to its reader.
extension Violation.Kind {
    package var row: ViolationRow {
        switch self {
        // Before a request.
        case .emptyLineBeforeRequest:
            ViolationRow(
                "RFC 9112 §2.2", request: .readOver, example: .request("\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
                sentence:
                    "an empty line stands before the request; a client sends none, nor a CRLF behind the content before"
            )
        case .tooManyEmptyLines:
            ViolationRow(
                "RFC 9112 §2.2", request: .refused(400), reply: .refused,
                example: .request("\r\n\r\n", also: .emptyLineBeforeRequest),
                sentence: "more than {limit} empty lines stand before the {message}; a {sender} sends none")
        case .requestAfterClose:
            ViolationRow(
                "RFC 9112 §9.6", request: .readOver,
                example: .request("GET / HTTP/1.1\r\nConnection: close\r\nHost: a\r\n\r\nGET / HTTP/1.0\r\n\r\n"),
                sentence: "the client said \"Connection: close\" before and may send no other request here")
        case .tlsHandshake:
            ViolationRow(
                "RFC 9112 §2.1", request: .refused(400), example: .request("\u{16}\u{3}\u{1}"),
                sentence: "the first byte {bytes} begins a TLS handshake, but this port speaks plain HTTP; use http://")
        case .http2Preface:
            ViolationRow(
                "RFC 9113 §3.4", request: .refused(505), example: .request("PRI * HTTP/2.0\r\n\r\n"),
                sentence: "this is the HTTP/2 connection preface, but this server speaks HTTP/1.0 and HTTP/1.1")
        case .plainHTTP:
            ViolationRow(
                "RFC 9110 §4.2.2", request: .refused(400), example: .outsideRequests("GET / HTTP/1.1\r\n"),
                sentence: "the bytes {bytes} begin no TLS handshake, but this port speaks TLS alone; use https://")
        // Behind a request, on a connection where no other is read; found by the server, which closes it.
        case .bytesAfterRequest:
            ViolationRow(
                "RFC 9112 §6.3", request: .refused(400), example: .outsideRequests("\r\n\u{0}"),
                sentence:
                    "{bytes stand} behind the end of the request and begin no other: {bytes}; its framing says where it ends"
            )
        case .unansweredRequest:
            ViolationRow(
                "RFC 9112 §9.6", request: .readOver, example: .outsideRequests("GET / HTTP/1.1\r\n"),
                sentence: "a request, or the beginning of one, came behind the last that is answered on this connection"
            )
        // Before a reply.
        case .emptyLineBeforeReply:
            ViolationRow(
                "RFC 9112 §9.2", reply: .readOver, example: .reply("\r\nHTTP/1.1 204 \r\n\r\n"),
                sentence:
                    "an empty line stands before the reply; a server sends none, nor a CRLF behind the content before")
        case .bytesAfterReply:
            ViolationRow(
                "RFC 9112 §9.2", reply: .refused, example: .reply("HTTP/1.1 204 \r\n\r\nx"),
                sentence: "{bytes} comes where no reply is expected: behind a whole one, or before any request")
        case .tlsRecord:
            ViolationRow(
                "RFC 8446 §5.1", reply: .refused, example: .reply("\u{15}\u{3}"),
                sentence: "{bytes} begins a TLS record, but this connection speaks plain HTTP; use https://")
        case .http2Frame:
            ViolationRow(
                "RFC 9113 §3.4", reply: .refused, example: .reply("\u{0}\u{0}\u{0}\u{4}\u{0}\u{0}\u{0}\u{0}\u{0}"),
                sentence: "an HTTP/2 frame comes, but this client speaks HTTP/1.1; the server expects HTTP/2 alone here"
            )
        case .otherProtocol:
            ViolationRow(
                "RFC 9112 §4", reply: .refused, example: .reply("SSH-2.0-x\r\n"),
                sentence: "{bytes} begins what {protocol} says, not HTTP; is it the right port?")
        case .missingStatusLine:
            ViolationRow(
                "RFC 9112 §4", reply: .refused, example: .reply("<html>"),
                sentence: "{bytes} stands where a reply begins: HTTP/1.1, a space, the status (HTTP/0.9 is not read)")
        // Line ends.
        case .bareLF:
            ViolationRow(
                "RFC 9112 §2.2", request: .readOver, reply: .readOver,
                example: .request("GET / HTTP/1.1\r\nHost: a\n\r\n"),
                sentence: "the line{ bytes} ends with LF alone; it must end with CRLF")
        case .bareCR:
            ViolationRow(
                "RFC 9112 §2.2", request: .refused(400), reply: .refused, example: .requestLine("GET /\rHTTP/1.1"),
                sentence: "a CR without LF stands in {bytes}; lines end with CRLF, and CR may stand nowhere else")
        // The request line.
        case .requestLineWhitespace:
            ViolationRow(
                "RFC 9112 §3", request: .readOver, example: .requestLine("GET  / HTTP/1.1"),
                sentence:
                    "the request line holds {bytes} where one space or nothing belongs: method SP target SP version CRLF"
            )
        case .requestLineTooLong:
            ViolationRow(
                "RFC 9112 §3", request: .refused(414),
                example: .requestLine("GET /0123456789012345678901234567890123456789012345678901234567"),
                sentence: "the request line is longer than the {limit} bytes that this {reader} reads")
        case .badMethod:
            ViolationRow(
                "RFC 9110 §9.1", request: .refused(400), example: .requestLine("GE:T / HTTP/1.1"),
                sentence:
                    "{bytes} cannot begin a request: a method is letters, digits and !#$%&'*+-.^_`|~, then a space")
        case .methodTooLong:
            ViolationRow(
                "RFC 9112 §3", request: .refused(501), example: .requestLine("PROPFINDS / HTTP/1.1"),
                sentence: "the method {bytes} is longer than the {limit} bytes that this {reader} reads")
        case .missingTarget:
            ViolationRow(
                "RFC 9112 §3", request: .refused(400), example: .requestLine("GET"),
                sentence: "the request line {bytes} has no target; it is: method SP target SP version")
        case .missingVersion:
            ViolationRow(
                "RFC 9112 §3", request: .refused(400), example: .requestLine("GET /"),
                sentence: "the request line {bytes} has no version; write HTTP/1.1 at its end (HTTP/0.9 is not served)")
        // The status line.
        case .statusLineWhitespace:
            ViolationRow(
                "RFC 9112 §4", reply: .readOver, example: .statusLine("HTTP/1.1  200 OK"),
                sentence:
                    "the status line holds {bytes} where one space or nothing belongs: version SP status SP reason CRLF"
            )
        case .statusLineTooLong:
            ViolationRow(
                "RFC 9110 §17.5", reply: .refused, example: .statusLine("HTTP/1.1 200 0123456789012345678901234567"),
                sentence: "the status line is longer than the {limit} bytes that this client reads")
        case .missingStatus:
            ViolationRow(
                "RFC 9112 §4", reply: .refused, example: .statusLine("HTTP/1.1"),
                sentence: "the status line {bytes} has no status; it is: version SP status SP reason")
        case .badStatus:
            ViolationRow(
                "RFC 9112 §4", reply: .refused, example: .statusLine("HTTP/1.1 20 OK"),
                sentence: "{bytes} is no status; it is three digits")
        case .statusOutOfRange:
            ViolationRow(
                "RFC 9110 §15", reply: .readOver, example: .statusLine("HTTP/1.1 999 OK"),
                sentence: "the status {bytes} is outside 100 to 599; it is read as a failure of the server, like 5xx")
        case .missingSpaceBeforeReason:
            ViolationRow(
                "RFC 9112 §4", reply: .readOver, example: .statusLine("HTTP/1.1 200"),
                sentence:
                    "the status line {bytes} ends with its status; the space before the reason stays, even with no reason"
            )
        case .controlInReason:
            ViolationRow(
                "RFC 9112 §4", reply: .readOver, example: .statusLine("HTTP/1.1 200 O\u{1B}K"),
                sentence:
                    "the reason holds the control character {bytes}; only visible characters, SP and HTAB may stand there"
            )
        // The version, in either.
        case .badVersion:
            ViolationRow(
                "RFC 9112 §2.3", request: .refused(400), reply: .refused, example: .requestLine("GET / HTTP/1"),
                sentence: "{bytes} is no version; it is HTTP/, a digit, a point, a digit: HTTP/1.1")
        case .versionCase:
            ViolationRow(
                "RFC 9112 §2.3", request: .readOver, reply: .readOver, example: .requestLine("GET / http/1.1"),
                sentence: "the version is written {bytes}; its name is case-sensitive: HTTP")
        case .unsupportedVersion:
            ViolationRow(
                "RFC 9110 §15.6.6", inReplies: "RFC 9110 §2.5", request: .refused(505), reply: .refused,
                example: .requestLine("GET / HTTP/3.0"),
                sentence: "version {bytes} is not {read} here; HTTP/1.0 and HTTP/1.1 are")
        // The request-target.
        case .targetTooLong:
            ViolationRow(
                "RFC 9112 §3", request: .refused(414), example: .requestLine("GET /012345678901234567890123 HTTP/1.1"),
                sentence: "the target is longer than the {limit} bytes that this {reader} reads")
        case .spaceInTarget:
            ViolationRow(
                "RFC 9112 §3.2", request: .refused(400), example: .requestLine("GET /a b HTTP/1.1"),
                sentence: "whitespace stands in the target of {bytes}; write a space as %20")
        case .controlInTarget:
            ViolationRow(
                "RFC 9112 §3.2", request: .refused(400), example: .requestLine("GET /\u{7F} HTTP/1.1"),
                sentence: "the target {bytes} holds a control character; write it as a percent-escape")
        case .nonASCIIInTarget:
            ViolationRow(
                "RFC 3986 §2", request: .readOver, example: .requestLine("GET /\u{E9} HTTP/1.1"),
                sentence: "the target holds the raw bytes {bytes}; write them as percent-escapes")
        case .illegalCharacterInTarget:
            ViolationRow(
                "RFC 3986 §2", request: .readOver, example: .requestLine("GET /{id} HTTP/1.1"),
                sentence: "the target holds {bytes}, which a URI may not; write it as a percent-escape")
        case .badPercentEscape:
            ViolationRow(
                "RFC 3986 §2.1", request: .readOver, example: .requestLine("GET /100% HTTP/1.1"),
                sentence: "{bytes} is no percent-escape; \"%\" needs two hexadecimal digits, a literal one is %25")
        case .fragmentInTarget:
            ViolationRow(
                "RFC 9110 §7.1", request: .readOver, example: .requestLine("GET /a#top HTTP/1.1"),
                sentence: "the target holds the fragment {bytes}; a client keeps it to itself")
        case .badTarget:
            ViolationRow(
                "RFC 9112 §3.2", request: .refused(400), example: .requestLine("GET a/b HTTP/1.1"),
                sentence:
                    "the target {bytes} has none of the four forms: /path?query, scheme://host/path, host:port for CONNECT, *"
            )
        case .asteriskWithoutOptions:
            ViolationRow(
                "RFC 9112 §3.2.4", request: .readOver, example: .requestLine("GET * HTTP/1.1"),
                sentence: "the target \"*\" is for OPTIONS only")
        case .badConnectTarget:
            ViolationRow(
                "RFC 9110 §9.3.6", request: .refused(400), example: .requestLine("CONNECT a HTTP/1.1"),
                sentence: "CONNECT wants host:port with a port of 1 to 65535, and got {bytes}")
        case .emptyHostInTarget:
            ViolationRow(
                "RFC 9110 §4.2.1", request: .refused(400), example: .requestLine("GET http:///x HTTP/1.1"),
                sentence: "the target {bytes} names no host; an http or https URI must")
        case .badAuthorityInTarget:
            ViolationRow(
                "RFC 3986 §3.2", request: .refused(400), example: .requestLine("GET http://a:b/ HTTP/1.1"),
                sentence: "{bytes} is no host with an optional port of 0 to 65535; an IPv6 address stands in brackets")
        case .userinfoInTarget:
            ViolationRow(
                "RFC 9110 §4.2.4", request: .readOver, example: .requestLine("GET http://u@a/ HTTP/1.1"),
                sentence: "the target holds the userinfo {bytes}; a client sends credentials in Authorization")
        // Field lines.
        case .whitespaceBeforeFirstField:
            ViolationRow(
                "RFC 9112 §2.2", request: .readOver, reply: .readOver,
                example: .request("GET / HTTP/1.1\r\n X: y\r\nHost: a\r\n\r\n"),
                sentence: "the line {bytes} begins with whitespace but continues no field; it is passed over")
        case .obsFold:
            ViolationRow(
                "RFC 9112 §5.2", request: .readOver, reply: .readOver, example: .requestFields("X: y\r\n z"),
                sentence: "the value goes on in the line {bytes}; folding is obsolete, write it in one line")
        case .spaceBeforeColon:
            ViolationRow(
                "RFC 9112 §5.1", request: .refused(400), reply: .readOver, example: .requestFields("X : y"),
                sentence: "whitespace stands between name and colon in {bytes}; the colon follows the name")
        case .missingColon:
            ViolationRow(
                "RFC 9112 §5", request: .refused(400), reply: .refused, example: .requestFields("X y"),
                sentence: "the field line {bytes} has no colon; it is: name, colon, value")
        case .emptyFieldName:
            ViolationRow(
                "RFC 9110 §5.1", request: .refused(400), reply: .refused, example: .requestFields(": y"),
                sentence: "the field line {bytes} has no name before its colon")
        case .badFieldName:
            ViolationRow(
                "RFC 9110 §5.1", request: .refused(400), reply: .refused, example: .requestFields("X Y: z"),
                sentence:
                    "the name in {bytes} holds whitespace or a control character; it is letters, digits and !#$%&'*+-.^_`|~"
            )
        case .illegalCharacterInFieldName:
            ViolationRow(
                "RFC 9110 §5.1", request: .readOver, reply: .readOver, example: .requestFields("(X): y"),
                sentence:
                    "the field name {bytes} holds a byte that no name may; it is letters, digits and !#$%&'*+-.^_`|~")
        case .nulInFieldValue:
            ViolationRow(
                "RFC 9110 §5.5", request: .refused(400), reply: .refused, example: .requestFields("X: \u{0}"),
                sentence: "the value {bytes} holds a NUL")
        case .controlInFieldValue:
            ViolationRow(
                "RFC 9110 §5.5", request: .readOver, reply: .readOver, example: .requestFields("X: \u{1B}"),
                sentence:
                    "the value holds the control character {bytes}; only visible characters, SP and HTAB may stand there"
            )
        case .fieldLineTooLong:
            ViolationRow(
                "RFC 6585 §5", inReplies: "RFC 9110 §5.4", request: .refused(431), reply: .refused,
                example: .requestFields("X: 01234567890123456789012345678901234567"),
                sentence: "the field line is longer than the {limit} bytes that this {reader} reads")
        case .tooManyFields:
            ViolationRow(
                "RFC 6585 §5", inReplies: "RFC 9110 §5.4", request: .refused(431), reply: .refused,
                example: .requestFields("A: 1\r\nB: 2\r\nC: 3\r\nD: 4"),
                sentence: "the section has more than the {limit} field lines that this {reader} reads")
        case .headTooLarge:
            ViolationRow(
                "RFC 6585 §5", inReplies: "RFC 9110 §5.4", request: .refused(431), reply: .refused,
                example: .requestFields(
                    "A: 012345678901234567890123456789\r\nB: 012345678901234567890123456789\r\nC: 012345678901234567890123456789"
                ), sentence: "the head is longer than the {limit} bytes that this {reader} reads")
        case .duplicateField:
            ViolationRow(
                "RFC 9110 §5.3", request: .readOver, reply: .readOver,
                example: .requestFields("User-Agent: a\r\nUser-Agent: b"),
                sentence: "the field comes a second time, with {bytes}; it is no list and may come once")
        case .emptyListElement:
            ViolationRow(
                "RFC 9110 §5.6.1", request: .readOver, reply: .readOver, example: .requestFields("Connection: ,x"),
                sentence: "the list {bytes} has an empty element; a sender writes none")
        // Host.
        case .missingHost:
            ViolationRow(
                "RFC 9112 §3.2", request: .refused(400), example: .request("GET / HTTP/1.1\r\n\r\n"),
                sentence: "the request has no Host field; every HTTP/1.1 request must have one")
        case .duplicateHost:
            ViolationRow(
                "RFC 9112 §3.2", request: .refused(400), example: .requestFields("Host: b"),
                sentence: "a second Host field says {bytes}; there may be one only")
        case .badHost:
            ViolationRow(
                "RFC 9112 §3.2", request: .refused(400), example: .request("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"),
                sentence:
                    "Host is {bytes}; it is a host with an optional port of 0 to 65535, an IPv6 address in brackets")
        case .emptyHost:
            ViolationRow(
                "RFC 9112 §3.2", request: .readOver, example: .request("GET / HTTP/1.1\r\nHost:\r\n\r\n"),
                sentence: "Host is empty; it names the host and port of the URI that was asked for")
        case .hostDiffersFromTarget:
            ViolationRow(
                "RFC 9112 §3.2.2", request: .readOver, example: .requestLine("GET http://b/ HTTP/1.1"),
                sentence: "Host is {bytes}, but the target names another host; they must be the same")
        // Framing.
        case .badContentLength:
            ViolationRow(
                "RFC 9112 §6.3", request: .refused(400), reply: .refused, example: .requestFields("Content-Length: x"),
                sentence: "Content-Length is {bytes}; it is decimal digits and nothing else")
        case .differingContentLengths:
            ViolationRow(
                "RFC 9112 §6.3", request: .refused(400), reply: .refused,
                example: .requestFields("Content-Length: 1\r\nContent-Length: 2"),
                sentence: "Content-Length is {bytes}, but {limit} before; there may be one length only")
        case .duplicateContentLength:
            ViolationRow(
                "RFC 9110 §8.6", request: .readOver, reply: .readOver,
                example: .requestFields("Content-Length: 0\r\nContent-Length: 0"),
                sentence: "Content-Length {bytes} is said again; once is enough")
        case .contentLengthWithTransferEncoding:
            ViolationRow(
                "RFC 9112 §6.1", request: .readOver, reply: .readOver,
                example: .requestFields("Content-Length: 0\r\nTransfer-Encoding: chunked"),
                sentence:
                    "Content-Length comes with Transfer-Encoding, which is read by; the connection closes after the reply"
            )
        case .contentTooLarge:
            ViolationRow(
                "RFC 9110 §15.5.14", inReplies: "RFC 9110 §17.5", request: .refused(413), reply: .refused,
                example: .requestFields("Content-Length: 9"),
                sentence: "the content is longer than the {limit} bytes that this {reader} reads")
        case .badTransferEncoding:
            ViolationRow(
                "RFC 9112 §6.1", request: .refused(400), reply: .refused,
                example: .requestFields("Transfer-Encoding: chunked;a=b"),
                sentence:
                    "Transfer-Encoding holds {bytes}; it is a list of coding names, and chunked has no parameters",
                withoutBytes: "Transfer-Encoding is empty; it names the codings that were applied")
        case .unsupportedTransferCoding:
            ViolationRow(
                "RFC 9112 §6.1", request: .refused(501), reply: .refused,
                example: .requestFields("Transfer-Encoding: gzip, chunked"),
                sentence: "transfer coding {bytes} is not read here; chunked is")
        case .chunkedNotFinal:
            ViolationRow(
                "RFC 9112 §6.3", request: .refused(400), reply: .readOver,
                example: .requestFields("Transfer-Encoding: gzip"),
                sentence:
                    "the last transfer coding is {bytes}; without chunked at the end nobody knows where the content ends",
                inReply:
                    "the last transfer coding is {bytes}, not chunked; the content then ends where the connection does")
        case .chunkedTwice:
            ViolationRow(
                "RFC 9112 §7.1", request: .refused(400), reply: .refused,
                example: .requestFields("Transfer-Encoding: chunked, chunked"),
                sentence: "chunked is applied twice; once is all that is allowed")
        case .transferEncodingInHTTP10:
            ViolationRow(
                "RFC 9112 §6.1", request: .refused(400), reply: .refused,
                example: .request("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"),
                sentence: "an HTTP/1.0 {message} has no Transfer-Encoding; its content has a Content-Length")
        // What fields and method say together.
        case .badConnectionOption:
            ViolationRow(
                "RFC 9110 §7.6.1", request: .readOver, reply: .readOver, example: .requestFields("Connection: a b"),
                sentence: "the Connection option {bytes} is no token")
        case .teWithoutConnection:
            ViolationRow(
                "RFC 9110 §10.1.4", request: .readOver, example: .requestFields("TE: trailers"),
                sentence: "TE is for the next hop only; \"Connection: TE\" must come with it")
        case .chunkedInTE:
            ViolationRow(
                "RFC 9110 §10.1.4", request: .readOver, example: .requestFields("TE: chunked\r\nConnection: TE"),
                sentence: "TE lists chunked, which is always understood and may not be named there")
        case .upgradeWithoutConnection:
            ViolationRow(
                "RFC 9110 §7.8", request: .readOver, reply: .readOver, example: .requestFields("Upgrade: x"),
                sentence: "Upgrade is for the next hop only; \"Connection: upgrade\" must come with it")
        case .unknownExpectation:
            ViolationRow(
                "RFC 9110 §10.1.1", request: .readOver, example: .requestFields("Expect: 200-ok"),
                sentence: "the expectation {bytes} is unknown; 100-continue is the only one there is")
        case .expectationWithoutContent:
            ViolationRow(
                "RFC 9110 §10.1.1", request: .readOver, example: .requestFields("Expect: 100-continue"),
                sentence: "100-continue is expected, but no content is to follow; leave Expect out")
        case .traceWithContent:
            ViolationRow(
                "RFC 9110 §9.3.8", request: .readOver,
                example: .request("TRACE / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx"),
                sentence: "a TRACE request has content; it must not")
        case .connectWithContent:
            ViolationRow(
                "RFC 9110 §9.3.6", request: .readOver,
                example: .request("CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\nContent-Length: 1\r\n\r\nx"),
                sentence: "a CONNECT request has content; it has none, the tunnel begins behind the head")
        // What status and fields say together.
        case .interimInHTTP10:
            ViolationRow(
                "RFC 9110 §15.2", reply: .readOver, example: .reply("HTTP/1.0 100 \r\n\r\n"),
                sentence: "status {bytes} comes in HTTP/1.0, which has no 1xx")
        case .tooManyInterimReplies:
            ViolationRow(
                "RFC 9110 §15.2", reply: .refused, example: .reply("HTTP/1.1 103 \r\n\r\nHTTP/1.1 103 \r\n\r\n"),
                sentence: "more than {limit} interim replies came before the final one")
        case .switchingWithoutUpgrade:
            ViolationRow(
                "RFC 9110 §15.2.2", reply: .refused, example: .reply("HTTP/1.1 101 \r\n\r\n"),
                sentence: "a 101 has no Upgrade field, so nobody knows which protocol begins behind it")
        case .contentLengthWithoutContent:
            ViolationRow(
                "RFC 9110 §8.6", reply: .readOver, example: .reply("HTTP/1.1 204 \r\nContent-Length: 5\r\n\r\n"),
                sentence:
                    "Content-Length {bytes} stands where no content can follow: 1xx, 204, or 2xx to CONNECT; it is not read"
            )
        case .transferEncodingWithoutContent:
            ViolationRow(
                "RFC 9112 §6.1", reply: .readOver,
                example: .reply("HTTP/1.1 204 \r\nTransfer-Encoding: chunked\r\n\r\n"),
                sentence:
                    "Transfer-Encoding {bytes} stands where no content can follow: 1xx, 204, or 2xx to CONNECT; it is not read"
            )
        case .contentIn205:
            ViolationRow(
                "RFC 9110 §15.3.6", reply: .readOver, example: .reply("HTTP/1.1 205 \r\nContent-Length: 1\r\n\r\nx"),
                sentence: "a 205 has content; it tells a client to clear its form, and has none")
        // Chunked content.
        case .badChunkSize:
            ViolationRow(
                "RFC 9112 §7.1", request: .refused(400), reply: .refused, example: .chunks("hello"),
                sentence: "{bytes} stands where a chunk size belongs; it is hexadecimal digits, at the start of a line")
        case .chunkSizeOverflow:
            ViolationRow(
                "RFC 9112 §7.1", request: .refused(413), reply: .refused, example: .chunks("8000000000000000"),
                sentence: "the chunk size has more digits than any content has bytes; the most is 7FFFFFFFFFFFFFFF")
        case .chunkLineTooLong:
            ViolationRow(
                "RFC 9112 §7.1.1", request: .refused(400), reply: .refused, example: .chunks("1;name=0123456789\r\n"),
                sentence: "the chunk-size line is longer than the {limit} bytes that this {reader} reads")
        case .bareLFInChunkLine:
            ViolationRow(
                "RFC 9112 §7.1", request: .refused(400), reply: .refused, example: .chunks("1\n"),
                sentence: "the chunk-size line ends with LF alone; it must end with CRLF")
        case .whitespaceInChunkLine:
            ViolationRow(
                "RFC 9112 §7.1.1", request: .readOver, reply: .readOver, example: .chunks("1 ;a\r\nx\r\n0\r\n\r\n"),
                sentence: "whitespace stands in {bytes} behind a chunk size; a sender writes none there")
        case .controlInChunkLine:
            ViolationRow(
                "RFC 9112 §7.1.1", request: .refused(400), reply: .refused, example: .chunks("1;\u{1}"),
                sentence: "the chunk-size line holds the control character {bytes}")
        case .badChunkExtension:
            ViolationRow(
                "RFC 9112 §7.1.1", request: .readOver, reply: .readOver, example: .chunks("1;=\r\nx\r\n0\r\n\r\n"),
                sentence: "the chunk extension {bytes} is not of the form ;name or ;name=value")
        case .missingCRLFAfterChunk:
            ViolationRow(
                "RFC 9112 §7.1", request: .refused(400), reply: .refused, example: .chunks("1\r\nxy"),
                sentence:
                    "{bytes} stands where a chunk's CRLF belongs; the chunk is longer than its size says, or shorter")
        case .forbiddenTrailer:
            ViolationRow(
                "RFC 9110 §6.5.1", request: .readOver, reply: .readOver, example: .chunks("0\r\nHost: b\r\n\r\n"),
                sentence: "the field {bytes} may not come as a trailer; it is needed before the content")
        case .trailersTooLarge:
            ViolationRow(
                "RFC 6585 §5", inReplies: "RFC 9110 §5.4", request: .refused(431), reply: .refused,
                example: .chunks("0\r\nA: 01234567890123456789\r\nB: 01234567890123456789\r\n\r\n"),
                sentence: "the trailer section is longer than the {limit} bytes that this {reader} reads")
        // The peer left.
        case .incompleteHead:
            ViolationRow(
                "RFC 9112 §8", request: .refused(400), reply: .refused, example: .request("GET", thenEnds: true),
                sentence: "the connection ended {limit} bytes into the {message} head; an empty line ends a head")
        case .missingFinalReply:
            ViolationRow(
                "RFC 9110 §15.2", reply: .refused, example: .reply("HTTP/1.1 103 \r\n\r\n", thenEnds: true),
                sentence: "the connection ended behind an interim reply; the final one never came")
        case .incompleteContent:
            ViolationRow(
                "RFC 9112 §8", request: .refused(400), reply: .refused,
                example: .request("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhell", thenEnds: true),
                sentence: "the connection ended {limit} bytes before the end that Content-Length says")
        case .incompleteChunkedContent:
            ViolationRow(
                "RFC 9112 §8", request: .refused(400), reply: .refused, example: .chunks("5\r\nhell", thenEnds: true),
                sentence: "the connection ended inside chunked content; a chunk of size 0 and an empty line end it")
        }
    }
}
