import ProctorHTTP

extension Malformed {
    static let requestLines: [Malformed] = [
        .init("one empty line first", "▸\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", .emptyLineBeforeRequest),
        .init(
            "two empty lines first", "▸\r\n▸\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", .emptyLineBeforeRequest,
            .emptyLineBeforeRequest),
        .init(
            "an empty line ended by LF first", "▸▸\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", .emptyLineBeforeRequest, .bareLF
        ),
        .init("a CR before the method", "▸\rGET / HTTP/1.1\r\nHost: a\r\n\r\n", .bareCR),
        .init("two CR before LF", "▸\r\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", .bareCR),
        .init(
            "too many empty lines", "▸\r\n▸\r\n▸\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", .emptyLineBeforeRequest,
            .emptyLineBeforeRequest, .tooManyEmptyLines, limits: RequestLimits(emptyLineCount: 2)),
        .init(
            "too many empty lines ended by LF", "▸▸\n▸\nGET / HTTP/1.1\r\n\r\n", .emptyLineBeforeRequest, .bareLF,
            .tooManyEmptyLines, limits: RequestLimits(emptyLineCount: 1)),
        .init(
            "an empty line behind content",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx◆▸\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
            .emptyLineBeforeRequest),
        .init(
            "an empty line behind content, and no request",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx◆▸\r\n▸▸\n", .emptyLineBeforeRequest,
            .emptyLineBeforeRequest, .bareLF, thenEnds: true),
        .init("a TLS client hello", "▸\u{16}\u{03}\u{01}\u{02}\u{00}\u{01}", .tlsHandshake),
        .init("a NUL first", "▸\u{00}GET / HTTP/1.1\r\n\r\n", .badMethod),
        .init("a byte of Latin-1 first", "▸\u{E9} / HTTP/1.1\r\n\r\n", .badMethod),
        .init("a colon first", "▸: /", .badMethod),
        .init("the HTTP/2 preface", "PRI * ▸HTTP/2.0\r\n\r\nSM\r\n\r\n", .http2Preface),
        .init("LF ends the request line", "GET / HTTP/1.1▸\nHost: a\r\n\r\n", .bareLF),
        .line("CR inside the request line", "GET /▸\rHTTP/1.1", .bareCR),
        .line("CR at the end of the request line", "GET / HTTP/1.1▸\r", .bareCR),
        .line("two spaces before the target", "GET▸  / HTTP/1.1", .requestLineWhitespace),
        .line("two spaces before the version", "GET /▸  HTTP/1.1", .requestLineWhitespace),
        .line("a tab before the target", "GET▸\t/ HTTP/1.1", .requestLineWhitespace),
        .line("a tab before the version", "GET /▸\tHTTP/1.1", .requestLineWhitespace),
        .line("a vertical tab before the version", "GET /▸\u{0B}HTTP/1.1", .requestLineWhitespace),
        .line("a form feed before the target", "GET▸\u{0C}/ HTTP/1.1", .requestLineWhitespace),
        .line("a space before the method", "▸ GET / HTTP/1.1", .requestLineWhitespace),
        .line("a space behind the version", "GET / HTTP/1.1▸ ", .requestLineWhitespace),
        .line(
            "whitespace everywhere", "▸\t GET▸ \t/▸  HTTP/1.1▸ \t", .requestLineWhitespace, .requestLineWhitespace,
            .requestLineWhitespace, .requestLineWhitespace),
        .line("nothing but whitespace", "▸   ▸", .requestLineWhitespace, .badMethod),
        .line("a colon in the method", "GE▸:T / HTTP/1.1", .badMethod),
        .line("a slash in the method", "GET▸/ HTTP/1.1", .badMethod),
        .line("parentheses in the method", "G▸(E)T / HTTP/1.1", .badMethod),
        .line("a control character in the method", "G▸\u{01}T / HTTP/1.1", .badMethod),
        .line("UTF-8 in the method", "G▸\u{C3}\u{89}T / HTTP/1.1", .badMethod),
        .line("a reply instead of a request", "HTTP▸/1.1 200 OK", .badMethod),
        .line("a method and nothing else", "GET▸", .missingTarget),
        .line("a method and a space", "GET ▸", .missingTarget),
        .line("no target", "GET ▸HTTP/1.1", .missingTarget),
        .line("no target but two spaces", "GET▸  ▸HTTP/1.1", .requestLineWhitespace, .missingTarget),
        .line("an HTTP/0.9 request", "GET /▸", .missingVersion),
        .line("an HTTP/0.9 request with a space behind", "GET /▸▸ ", .requestLineWhitespace, .missingVersion),
        .line("a small-letter version", "GET / ▸http/1.1", .versionCase),
        .line("a mixed-case version", "GET / ▸Http/1.0", .versionCase),
        .line("a version without minor", "GET / ▸HTTP/1", .badVersion),
        .line("a version without digits", "GET / ▸HTTP/", .badVersion),
        .line("a version of two minor digits", "GET / ▸HTTP/1.10", .badVersion),
        .line("a version of two major digits", "GET / ▸HTTP/11.1", .badVersion),
        .line("a version with a comma", "GET / ▸HTTP/1,1", .badVersion),
        .line("a version with a letter", "GET / ▸HTTP/1.x", .badVersion),
        .line("a version with a dash", "GET / ▸HTTP-1.1", .badVersion),
        .line("a version of another protocol", "GET / ▸ICAP/1.0", .badVersion),
        .line("a version with a byte behind", "GET / ▸HTTP/1.1;", .badVersion),
        .line("HTTP/0.9 by name", "GET / ▸HTTP/0.9", .unsupportedVersion),
        .line("HTTP/2.0 by name", "GET / ▸HTTP/2.0", .unsupportedVersion),
        .line("HTTP/3.0 by name", "GET / ▸HTTP/3.0", .unsupportedVersion),
        .line("HTTP/9.9", "GET / ▸HTTP/9.9", .unsupportedVersion),
        .init(
            "a method over the limit", "ABCD▸E / HTTP/1.1\r\nHost: a\r\n\r\n", .methodTooLong,
            limits: RequestLimits(methodByteCount: 4)),
        .init(
            "a target over the limit", "GET /234▸5 HTTP/1.1\r\nHost: a\r\n\r\n", .targetTooLong,
            limits: RequestLimits(targetByteCount: 4)),
        .init(
            "a request line over the limit", "GET /234567890123456789012345678901▸2 HTTP/1.1\r\nHost: a\r\n\r\n",
            .requestLineTooLong, limits: RequestLimits(methodByteCount: 1, targetByteCount: 2)),
        .init(
            "a request line that never ends", String(repeating: "A", count: 42) + "▸" + "AAAA", .requestLineTooLong,
            limits: RequestLimits(methodByteCount: 5, targetByteCount: 5)),
        .init(
            "a request after close",
            "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n◆▸GET / HTTP/1.1\r\nHost: a\r\n\r\n",
            .requestAfterClose),
    ]
}
