import ProctorHTTP

extension MalformedReply {
    static let statusLines: [MalformedReply] = [
        .line("LF ends the status line", "HTTP/1.1 200 OK▸\nX: y", .bareLF),
        .line("CR inside the reason", "HTTP/1.1 200 O▸\rK", .bareCR),
        .line("CR at the end of the reason", "HTTP/1.1 200 OK▸\r", .bareCR),
        .line("CR instead of a space", "HTTP/1.1▸\r200 OK", .bareCR),
        .line("two spaces before the status", "HTTP/1.1▸  200 OK", .statusLineWhitespace),
        .line("a tab before the status", "HTTP/1.1▸\t200 OK", .statusLineWhitespace),
        .line("a vertical tab before the status", "HTTP/1.1▸\u{0B}200 OK", .statusLineWhitespace),
        .line("a tab before the reason", "HTTP/1.1 200▸\tOK", .statusLineWhitespace),
        .line("a form feed before the reason", "HTTP/1.1 200▸\u{0C}OK", .statusLineWhitespace),
        .line("a space before the version", "▸ HTTP/1.1 200 OK", .statusLineWhitespace),
        .line(
            "whitespace everywhere", "▸\t HTTP/1.1▸ \t200▸\tOK", .statusLineWhitespace, .statusLineWhitespace,
            .statusLineWhitespace),
        .line("no space behind the status", "HTTP/1.1 200▸", .missingSpaceBeforeReason),
        .line("no space behind a status ended by LF", "HTTP/1.1 200▸▸\nX: y", .bareLF, .missingSpaceBeforeReason),
        .line("a NUL in the reason", "HTTP/1.1 200 O▸\u{00}K", .controlInReason),
        .line("an escape sequence in the reason", "HTTP/1.1 200 ▸\u{1B}[31mOK\u{1B}[0m", .controlInReason),
        .line("DEL in the reason", "HTTP/1.1 200 OK▸\u{7F}", .controlInReason),
        .line("a vertical tab in the reason", "HTTP/1.1 200 OK▸\u{0B}", .controlInReason),
        .line("a small-letter version", "▸http/1.1 200 OK", .versionCase),
        .line("a mixed-case version", "▸Http/1.1 200 OK", .versionCase),
        .line("a version without minor", "▸HTTP/1 200 OK", .badVersion),
        .line("a version without digits", "▸HTTP/ 200 OK", .badVersion),
        .line("a version of two minor digits", "▸HTTP/1.10 200 OK", .badVersion),
        .line("a version of two major digits", "▸HTTP/11.1 200 OK", .badVersion),
        .line("a version with a comma", "▸HTTP/1,1 200 OK", .badVersion),
        .line("a version with a letter", "▸HTTP/1.x 200 OK", .badVersion),
        .line("a version with a byte behind", "▸HTTP/1.1; 200 OK", .badVersion),
        .line("no space before the status", "▸HTTP/1.1200 OK", .badVersion),
        .line("HTTP/2 without minor, as clients show it", "▸HTTP/2 200", .badVersion),
        .line("HTTP/0.9 by name", "▸HTTP/0.9 200 OK", .unsupportedVersion),
        .line("HTTP/2.0 by name", "▸HTTP/2.0 200 OK", .unsupportedVersion),
        .line("HTTP/3.0 by name", "▸HTTP/3.0 200 OK", .unsupportedVersion),
        .line("HTTP/9.9 behind a space", "▸ ▸HTTP/9.9 200 OK", .statusLineWhitespace, .unsupportedVersion),
        .init(
            "a status line over the limit", "HTTP/1.1 200 OK\r▸\nContent-Length: 0\r\n\r\n", .statusLineTooLong,
            limits: ReplyLimits(statusLineByteCount: 16)),
        .init(
            "a status line that never ends", "HTTP/1.1 200 234▸567890", .statusLineTooLong,
            limits: ReplyLimits(statusLineByteCount: 16)),
        .init(
            "a status line over the limit in its name", "HTT▸P/1.1 200 OK\r\n\r\n", .statusLineTooLong,
            limits: ReplyLimits(statusLineByteCount: 3)),
        .init(
            "something else behind the limit", "HTT▸x", .statusLineTooLong, limits: ReplyLimits(statusLineByteCount: 3)),
        .init(
            "endless blanks", "    ▸     x", .statusLineTooLong, limits: ReplyLimits(statusLineByteCount: 4)),
    ]

    static let statuses: [MalformedReply] = [
        .line("no status", "HTTP/1.1▸", .missingStatus),
        .line("no status but a space", "HTTP/1.1 ▸", .missingStatus),
        .line("a reason without a status", "HTTP/1.1 ▸OK", .badStatus),
        .line("a status of two digits", "HTTP/1.1 ▸20 OK", .badStatus),
        .line("a status of one digit", "HTTP/1.1 ▸2 OK", .badStatus),
        .line("a status of four digits", "HTTP/1.1 ▸2000 OK", .badStatus),
        .line("a status with a letter", "HTTP/1.1 ▸20x OK", .badStatus),
        .line("a negative status", "HTTP/1.1 ▸-20 OK", .badStatus),
        .line("a status with a plus sign", "HTTP/1.1 ▸+200 OK", .badStatus),
        .line("a status with a fraction", "HTTP/1.1 ▸404.3 Not Found", .badStatus),
        .line("a status of a hundred digits", "HTTP/1.1 ▸" + String(repeating: "2", count: 100), .badStatus),
        .line("no space behind the status and a reason", "HTTP/1.1 ▸200OK", .badStatus),
        .line("a NUL behind the status", "HTTP/1.1 ▸200\u{00} OK", .badStatus),
        .line("status 000", "HTTP/1.1 ▸000 OK", .statusOutOfRange),
        .line("status 099", "HTTP/1.1 ▸099 OK", .statusOutOfRange),
        .line("status 600", "HTTP/1.1 ▸600 OK", .statusOutOfRange),
        .line("status 999", "HTTP/1.1 ▸999 Request denied", .statusOutOfRange),
        .line(
            "status 999 without a space behind", "HTTP/1.1 ▸999▸", .statusOutOfRange, .missingSpaceBeforeReason),
    ]
}
