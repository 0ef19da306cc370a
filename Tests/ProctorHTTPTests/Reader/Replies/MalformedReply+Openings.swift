import ProctorHTTP

extension MalformedReply {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

    static let openings: [MalformedReply] = [
        .init("one empty line first", "▸\r\n" + ok, .emptyLineBeforeReply),
        .init("two empty lines first", "▸\r\n▸\r\n" + ok, .emptyLineBeforeReply, .emptyLineBeforeReply),
        .init("an empty line ended by LF first", "▸▸\n" + ok, .emptyLineBeforeReply, .bareLF),
        .init("a CR before the version", "▸\r" + ok, .bareCR),
        .init("two CR before LF", "▸\r\r\n" + ok, .bareCR),
        .init(
            "too many empty lines", "▸\r\n▸\r\n▸\r\n" + ok, .emptyLineBeforeReply, .emptyLineBeforeReply,
            .tooManyEmptyLines, limits: ReplyLimits(emptyLineCount: 2)),
        .init(
            "too many empty lines ended by LF", "▸▸\n▸\n" + ok, .emptyLineBeforeReply, .bareLF, .tooManyEmptyLines,
            limits: ReplyLimits(emptyLineCount: 1)),
        .behind("an empty line between two replies", "▸\r\n" + ok, .emptyLineBeforeReply, to: ["GET", "GET"]),
        .init(
            "an empty line behind an interim reply", "HTTP/1.1 100 Continue\r\n\r\n◆▸\r\n" + ok, .emptyLineBeforeReply),
        .behind(
            "empty lines behind the last reply, and no other", "▸\r\n▸▸\n", .emptyLineBeforeReply,
            .emptyLineBeforeReply, .bareLF, thenEnds: true),
        .init(
            "an empty line behind a closing reply",
            "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n◆▸\r\n", .emptyLineBeforeReply,
            to: ["GET", "GET"], thenEnds: true),
    ]

    static let strangers: [MalformedReply] = [
        .opening("a TLS alert", "▸\u{15}\u{03}\u{01}\u{00}\u{02}\u{02}\u{46}", .tlsRecord),
        .opening("a TLS handshake", "▸\u{16}\u{03}\u{03}\u{00}\u{7A}\u{02}", .tlsRecord),
        .opening("a byte of TLS and no version of it", "▸\u{15}\u{04}", .missingStatusLine),
        .opening("empty HTTP/2 settings", "▸\u{0}\u{0}\u{0}\u{4}\u{0}\u{0}\u{0}\u{0}\u{0}", .http2Frame),
        .opening(
            "HTTP/2 settings", "▸\u{0}\u{0}\u{12}\u{4}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{3}\u{0}\u{0}\u{0}\u{64}",
            .http2Frame),
        .opening(
            "an HTTP/2 acknowledgement first", "▸\u{0}\u{0}\u{0}\u{4}\u{1}\u{0}\u{0}\u{0}\u{0}", .missingStatusLine),
        .opening("another HTTP/2 frame first", "▸\u{0}\u{0}\u{8}\u{7}\u{0}", .missingStatusLine),
        .opening("an HTTP/2 frame as long as LF", "▸\u{0}\u{0}\n\u{4}", .missingStatusLine),
        .opening("NULs", "▸\u{0}\u{0}\u{0}\u{0}\u{0}", .missingStatusLine),
        .opening("an SSH banner", "▸SSH-2.0-OpenSSH_9.2\r\n", .otherProtocol),
        .opening("an SMTP greeting", "▸220 mail.example ESMTP\r\n", .otherProtocol),
        .opening("an FTP greeting of many lines", "▸220-Welcome\r\n220 \r\n", .otherProtocol),
        .opening("a POP3 greeting", "▸+OK ready\r\n", .otherProtocol),
        .opening("an error of Redis", "▸-ERR unknown command 'GET'\r\n", .otherProtocol),
        .opening("an IMAP greeting", "▸* OK IMAP4rev1\r\n", .otherProtocol),
        .opening("an RTSP reply", "▸RTSP/1.0 200 OK\r\n\r\n", .otherProtocol),
        .opening("a VNC greeting", "▸RFB 003.008\n", .otherProtocol),
        .opening("a Shoutcast stream", "▸ICY 200 OK\r\n\r\n", .otherProtocol),
        .opening("a banner behind blanks", " \t▸SSH-2.0-x\r\n", .otherProtocol),
        .opening("content without a status line", "▸<html></html>", .missingStatusLine),
        .opening("JSON without a status line", "▸{\"a\": 1}", .missingStatusLine),
        .opening("one byte that begins nothing", "▸x", .missingStatusLine),
        .opening("a byte before the version", "▸xHTTP/1.1 200 OK\r\n\r\n", .missingStatusLine),
        .opening(
            "a byte order mark before the version", "▸\u{EF}\u{BB}\u{BF}HTTP/1.1 200 OK\r\n\r\n", .missingStatusLine),
        .opening("a field line first", "▸Content-Length: 0\r\n\r\n", .missingStatusLine),
        .opening("a field line that begins like HTTP", "▸Host: a\r\n\r\n", .missingStatusLine),
        .opening("a status without a version", "▸200 OK\r\n\r\n", .missingStatusLine),
        .opening("a name without a slash", "▸HTTP-1.1 200 OK\r\n\r\n", .missingStatusLine),
        .opening("a name with a space in it", "▸HTTP 1.1 200 OK\r\n\r\n", .missingStatusLine),
        .opening("a line end inside the name", "▸HTT\r\nP/1.1 200 OK\r\n\r\n", .missingStatusLine),
        .opening("a request instead of a reply", "▸GET / HTTP/1.1\r\nHost: a\r\n\r\n", .missingStatusLine),
        .opening("a line of blanks", " \t ▸\r\n", .missingStatusLine),
        .opening("half a banner", "▸SSL-", .missingStatusLine),
    ]

    static let unsolicited: [MalformedReply] = [
        .init("a reply that nobody asked for", "▸" + ok, .bytesAfterReply, to: []),
        .init("a byte that nobody asked for", "▸\u{15}", .bytesAfterReply, to: []),
        .behind("a second reply to one request", "▸" + ok, .bytesAfterReply),
        .behind("a time-out that nobody asked for", "▸HTTP/1.1 408 Request Timeout\r\n\r\n", .bytesAfterReply),
        .behind("an interim reply behind the final one", "▸HTTP/1.1 100 Continue\r\n\r\n", .bytesAfterReply),
        .behind("content behind a length of 0", "▸hello", .bytesAfterReply),
        .behind("a blank behind a reply", "▸ ", .bytesAfterReply),
        .behind("an empty line and a byte behind a reply", "▸\r\n▸x", .emptyLineBeforeReply, .bytesAfterReply),
        .behind("a CR and a byte behind a reply", "▸\rx", .bytesAfterReply),
        .behind("a CR behind a reply, then the peer leaves", "▸\r", .bytesAfterReply, thenEnds: true),
        .init(
            "content longer than its length", "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhell◆▸o", .bytesAfterReply),
        .init(
            "content behind a reply to HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n◆▸hello", .bytesAfterReply,
            to: ["HEAD"]),
        .init(
            "chunks behind a reply to HEAD", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n◆▸0\r\n\r\n",
            .bytesAfterReply, to: ["HEAD"]),
        .init(
            "content behind a reply to HEAD, before another reply",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n◆▸hello" + ok, .missingStatusLine, to: ["HEAD", "GET"]),
        .init("content behind a 204", "HTTP/1.1 204 No Content\r\n\r\n◆▸hello", .bytesAfterReply),
        .init(
            "content behind a 304", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n◆▸hello", .bytesAfterReply),
        .chunked("a byte behind the last chunk", "1\r\nx\r\n0\r\n\r\n◆▸x", .bytesAfterReply),
        .init(
            "a reply behind a closing one", "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n◆▸" + ok,
            .bytesAfterReply, to: ["GET", "GET"]),
        .init(
            "a reply behind one of HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n◆▸" + ok, .bytesAfterReply,
            to: ["GET", "GET"]),
        .init(
            "a reply behind one of length and chunks",
            "HTTP/1.1 200 OK\r\n▸Content-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n◆▸" + ok,
            .contentLengthWithTransferEncoding, .bytesAfterReply, to: ["GET", "GET"]),
    ]
}
