import ProctorHTTP

extension MalformedReply {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

    static let openings: [MalformedReply] = [
        .init("one empty line first", "▸\r\n" + ok, finds: .emptyLineBeforeReply),
        .init("two empty lines first", "▸\r\n▸\r\n" + ok, finds: .emptyLineBeforeReply, .emptyLineBeforeReply),
        .init("an empty line ended by LF first", "▸▸\n" + ok, finds: .emptyLineBeforeReply, .bareLF),
        .init("a CR before the version", "▸\r" + ok, finds: .bareCR),
        .init("two CR before LF", "▸\r\r\n" + ok, finds: .bareCR),
        .init(
            "too many empty lines", "▸\r\n▸\r\n▸\r\n" + ok, finds: .emptyLineBeforeReply, .emptyLineBeforeReply,
            .tooManyEmptyLines, limits: ReplyLimits(emptyLineCount: 2)),
        .init(
            "too many empty lines ended by LF", "▸▸\n▸\n" + ok, finds: .emptyLineBeforeReply, .bareLF,
            .tooManyEmptyLines,
            limits: ReplyLimits(emptyLineCount: 1)),
        .behind("an empty line between two replies", "▸\r\n" + ok, finds: .emptyLineBeforeReply, to: ["GET", "GET"]),
        .init(
            "an empty line behind an interim reply", "HTTP/1.1 100 Continue\r\n\r\n◆▸\r\n" + ok,
            finds: .emptyLineBeforeReply),
        .behind(
            "empty lines behind the last reply, and no other", "▸\r\n▸▸\n", finds: .emptyLineBeforeReply,
            .emptyLineBeforeReply, .bareLF, thenEnds: true),
        .init(
            "an empty line behind a closing reply",
            "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n◆▸\r\n", finds: .emptyLineBeforeReply,
            to: ["GET", "GET"], thenEnds: true),
    ]

    static let otherProtocols: [MalformedReply] = [
        .opening("a TLS alert", "▸\u{15}\u{03}\u{01}\u{00}\u{02}\u{02}\u{46}", finds: .tlsRecord),
        .opening("a TLS handshake", "▸\u{16}\u{03}\u{03}\u{00}\u{7A}\u{02}", finds: .tlsRecord),
        .opening("a byte of TLS and no version of it", "▸\u{15}\u{04}", finds: .missingStatusLine),
        .opening("empty HTTP/2 settings", "▸\u{0}\u{0}\u{0}\u{4}\u{0}\u{0}\u{0}\u{0}\u{0}", finds: .http2Frame),
        .opening(
            "HTTP/2 settings", "▸\u{0}\u{0}\u{12}\u{4}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{3}\u{0}\u{0}\u{0}\u{64}",
            finds: .http2Frame),
        .opening(
            "an HTTP/2 acknowledgement first", "▸\u{0}\u{0}\u{0}\u{4}\u{1}\u{0}\u{0}\u{0}\u{0}",
            finds: .missingStatusLine),
        .opening("another HTTP/2 frame first", "▸\u{0}\u{0}\u{8}\u{7}\u{0}", finds: .missingStatusLine),
        .opening("an HTTP/2 frame as long as LF", "▸\u{0}\u{0}\n\u{4}", finds: .missingStatusLine),
        .opening("NULs", "▸\u{0}\u{0}\u{0}\u{0}\u{0}", finds: .missingStatusLine),
        .opening("an SSH banner", "▸SSH-2.0-OpenSSH_9.2\r\n", finds: .otherProtocol),
        .opening("an SMTP greeting", "▸220 mail.example ESMTP\r\n", finds: .otherProtocol),
        .opening("an FTP greeting of many lines", "▸220-Welcome\r\n220 \r\n", finds: .otherProtocol),
        .opening("a POP3 greeting", "▸+OK ready\r\n", finds: .otherProtocol),
        .opening("an error of Redis", "▸-ERR unknown command 'GET'\r\n", finds: .otherProtocol),
        .opening("an IMAP greeting", "▸* OK IMAP4rev1\r\n", finds: .otherProtocol),
        .opening("an RTSP reply", "▸RTSP/1.0 200 OK\r\n\r\n", finds: .otherProtocol),
        .opening("a VNC greeting", "▸RFB 003.008\n", finds: .otherProtocol),
        .opening("a Shoutcast stream", "▸ICY 200 OK\r\n\r\n", finds: .otherProtocol),
        .opening("a banner behind blanks", " \t▸SSH-2.0-x\r\n", finds: .otherProtocol),
        .opening("content without a status line", "▸<html></html>", finds: .missingStatusLine),
        .opening("JSON without a status line", "▸{\"a\": 1}", finds: .missingStatusLine),
        .opening("one byte that begins nothing", "▸x", finds: .missingStatusLine),
        .opening("a byte before the version", "▸xHTTP/1.1 200 OK\r\n\r\n", finds: .missingStatusLine),
        .opening(
            "a byte order mark before the version", "▸\u{EF}\u{BB}\u{BF}HTTP/1.1 200 OK\r\n\r\n",
            finds: .missingStatusLine),
        .opening("a field line first", "▸Content-Length: 0\r\n\r\n", finds: .missingStatusLine),
        .opening("a field line that begins like HTTP", "▸Host: a\r\n\r\n", finds: .missingStatusLine),
        .opening("a status without a version", "▸200 OK\r\n\r\n", finds: .missingStatusLine),
        .opening("a name without a slash", "▸HTTP-1.1 200 OK\r\n\r\n", finds: .missingStatusLine),
        .opening("a name with a space in it", "▸HTTP 1.1 200 OK\r\n\r\n", finds: .missingStatusLine),
        .opening("a line end inside the name", "▸HTT\r\nP/1.1 200 OK\r\n\r\n", finds: .missingStatusLine),
        .opening("a request instead of a reply", "▸GET / HTTP/1.1\r\nHost: a\r\n\r\n", finds: .missingStatusLine),
        .opening("a line of blanks", " \t ▸\r\n", finds: .missingStatusLine),
        .opening("half a banner", "▸SSL-", finds: .missingStatusLine),
    ]

    static let unsolicited: [MalformedReply] = [
        .init("a reply that nobody asked for", "▸" + ok, finds: .bytesAfterReply, to: []),
        .init("a byte that nobody asked for", "▸\u{15}", finds: .bytesAfterReply, to: []),
        .behind("a second reply to one request", "▸" + ok, finds: .bytesAfterReply),
        .behind("a time-out that nobody asked for", "▸HTTP/1.1 408 Request Timeout\r\n\r\n", finds: .bytesAfterReply),
        .behind("an interim reply behind the final one", "▸HTTP/1.1 100 Continue\r\n\r\n", finds: .bytesAfterReply),
        .behind("content behind a length of 0", "▸hello", finds: .bytesAfterReply),
        .behind("a blank behind a reply", "▸ ", finds: .bytesAfterReply),
        .behind("an empty line and a byte behind a reply", "▸\r\n▸x", finds: .emptyLineBeforeReply, .bytesAfterReply),
        .behind("a CR and a byte behind a reply", "▸\rx", finds: .bytesAfterReply),
        .behind("a CR behind a reply, then the peer leaves", "▸\r", finds: .bytesAfterReply, thenEnds: true),
        .init(
            "content longer than its length", "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhell◆▸o",
            finds: .bytesAfterReply),
        .init(
            "content behind a reply to HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n◆▸hello",
            finds: .bytesAfterReply, to: ["HEAD"]),
        .init(
            "chunks behind a reply to HEAD", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n◆▸0\r\n\r\n",
            finds: .bytesAfterReply, to: ["HEAD"]),
        .init(
            "content behind a reply to HEAD, before another reply",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n◆▸hello" + ok, finds: .missingStatusLine, to: ["HEAD", "GET"]),
        .init("content behind a 204", "HTTP/1.1 204 No Content\r\n\r\n◆▸hello", finds: .bytesAfterReply),
        .init(
            "content behind a 304", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n◆▸hello",
            finds: .bytesAfterReply),
        .chunked("a byte behind the last chunk", "1\r\nx\r\n0\r\n\r\n◆▸x", finds: .bytesAfterReply),
        .init(
            "a reply behind a closing one", "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n◆▸" + ok,
            finds: .bytesAfterReply, to: ["GET", "GET"]),
        .init(
            "a reply behind one of HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n◆▸" + ok,
            finds: .bytesAfterReply, to: ["GET", "GET"]),
        .init(
            "a reply behind one of length and chunks",
            "HTTP/1.1 200 OK\r\n▸Content-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n◆▸" + ok,
            finds: .contentLengthWithTransferEncoding, .bytesAfterReply, to: ["GET", "GET"]),
    ]
}

extension MalformedReply {
    static let statusLines: [MalformedReply] = [
        .line("LF ends the status line", "HTTP/1.1 200 OK▸\nX: y", finds: .bareLF),
        .line("CR inside the reason", "HTTP/1.1 200 O▸\rK", finds: .bareCR),
        .line("CR at the end of the reason", "HTTP/1.1 200 OK▸\r", finds: .bareCR),
        .line("CR instead of a space", "HTTP/1.1▸\r200 OK", finds: .bareCR),
        .line("two spaces before the status", "HTTP/1.1▸  200 OK", finds: .statusLineWhitespace),
        .line("a tab before the status", "HTTP/1.1▸\t200 OK", finds: .statusLineWhitespace),
        .line("a vertical tab before the status", "HTTP/1.1▸\u{0B}200 OK", finds: .statusLineWhitespace),
        .line("a tab before the reason", "HTTP/1.1 200▸\tOK", finds: .statusLineWhitespace),
        .line("a form feed before the reason", "HTTP/1.1 200▸\u{0C}OK", finds: .statusLineWhitespace),
        .line("a space before the version", "▸ HTTP/1.1 200 OK", finds: .statusLineWhitespace),
        .line(
            "whitespace everywhere", "▸\t HTTP/1.1▸ \t200▸\tOK", finds: .statusLineWhitespace, .statusLineWhitespace,
            .statusLineWhitespace),
        .line("no space behind the status", "HTTP/1.1 200▸", finds: .missingSpaceBeforeReason),
        .line(
            "no space behind a status ended by LF", "HTTP/1.1 200▸▸\nX: y", finds: .bareLF, .missingSpaceBeforeReason),
        .line("a NUL in the reason", "HTTP/1.1 200 O▸\u{00}K", finds: .controlInReason),
        .line("an escape sequence in the reason", "HTTP/1.1 200 ▸\u{1B}[31mOK\u{1B}[0m", finds: .controlInReason),
        .line("DEL in the reason", "HTTP/1.1 200 OK▸\u{7F}", finds: .controlInReason),
        .line("a vertical tab in the reason", "HTTP/1.1 200 OK▸\u{0B}", finds: .controlInReason),
        .line("a small-letter version", "▸http/1.1 200 OK", finds: .versionCase),
        .line("a mixed-case version", "▸Http/1.1 200 OK", finds: .versionCase),
        .line("a version without minor", "▸HTTP/1 200 OK", finds: .badVersion),
        .line("a version without digits", "▸HTTP/ 200 OK", finds: .badVersion),
        .line("a version of two minor digits", "▸HTTP/1.10 200 OK", finds: .badVersion),
        .line("a version of two major digits", "▸HTTP/11.1 200 OK", finds: .badVersion),
        .line("a version with a comma", "▸HTTP/1,1 200 OK", finds: .badVersion),
        .line("a version with a letter", "▸HTTP/1.x 200 OK", finds: .badVersion),
        .line("a version with a byte behind", "▸HTTP/1.1; 200 OK", finds: .badVersion),
        .line("no space before the status", "▸HTTP/1.1200 OK", finds: .badVersion),
        .line("HTTP/2 without minor, as clients show it", "▸HTTP/2 200", finds: .badVersion),
        .line("HTTP/0.9 by name", "▸HTTP/0.9 200 OK", finds: .unsupportedVersion),
        .line("HTTP/2.0 by name", "▸HTTP/2.0 200 OK", finds: .unsupportedVersion),
        .line("HTTP/3.0 by name", "▸HTTP/3.0 200 OK", finds: .unsupportedVersion),
        .line("HTTP/9.9 behind a space", "▸ ▸HTTP/9.9 200 OK", finds: .statusLineWhitespace, .unsupportedVersion),
        .init(
            "a status line over the limit", "HTTP/1.1 200 OK\r▸\nContent-Length: 0\r\n\r\n", finds: .statusLineTooLong,
            limits: ReplyLimits(statusLineByteCount: 16)),
        .init(
            "a status line that never ends", "HTTP/1.1 200 234▸567890", finds: .statusLineTooLong,
            limits: ReplyLimits(statusLineByteCount: 16)),
        .init(
            "a status line over the limit in its name", "HTT▸P/1.1 200 OK\r\n\r\n", finds: .statusLineTooLong,
            limits: ReplyLimits(statusLineByteCount: 3)),
        .init(
            "something else behind the limit", "HTT▸x", finds: .statusLineTooLong,
            limits: ReplyLimits(statusLineByteCount: 3)),
        .init("endless blanks", "    ▸     x", finds: .statusLineTooLong, limits: ReplyLimits(statusLineByteCount: 4)),
    ]

    static let statuses: [MalformedReply] = [
        .line("no status", "HTTP/1.1▸", finds: .missingStatus),
        .line("no status but a space", "HTTP/1.1 ▸", finds: .missingStatus),
        .line("a reason without a status", "HTTP/1.1 ▸OK", finds: .badStatus),
        .line("a status of two digits", "HTTP/1.1 ▸20 OK", finds: .badStatus),
        .line("a status of one digit", "HTTP/1.1 ▸2 OK", finds: .badStatus),
        .line("a status of four digits", "HTTP/1.1 ▸2000 OK", finds: .badStatus),
        .line("a status with a letter", "HTTP/1.1 ▸20x OK", finds: .badStatus),
        .line("a negative status", "HTTP/1.1 ▸-20 OK", finds: .badStatus),
        .line("a status with a plus sign", "HTTP/1.1 ▸+200 OK", finds: .badStatus),
        .line("a status with a fraction", "HTTP/1.1 ▸404.3 Not Found", finds: .badStatus),
        .line("a status of a hundred digits", "HTTP/1.1 ▸" + String(repeating: "2", count: 100), finds: .badStatus),
        .line("no space behind the status and a reason", "HTTP/1.1 ▸200OK", finds: .badStatus),
        .line("a NUL behind the status", "HTTP/1.1 ▸200\u{00} OK", finds: .badStatus),
        .line("status 000", "HTTP/1.1 ▸000 OK", finds: .statusOutOfRange),
        .line("status 099", "HTTP/1.1 ▸099 OK", finds: .statusOutOfRange),
        .line("status 600", "HTTP/1.1 ▸600 OK", finds: .statusOutOfRange),
        .line("status 999", "HTTP/1.1 ▸999 Request denied", finds: .statusOutOfRange),
        .line(
            "status 999 without a space behind", "HTTP/1.1 ▸999▸", finds: .statusOutOfRange, .missingSpaceBeforeReason),
    ]
}
