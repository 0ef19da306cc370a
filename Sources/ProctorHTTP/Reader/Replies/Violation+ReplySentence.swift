/// What is wrong with a reply's status line, and with what its status promises.
extension Violation {
    var statusLineSentence: String {
        switch kind {
        case .emptyLineBeforeReply:
            "an empty line stands before the reply; a server sends none, nor a CRLF behind the content before"
        case .bytesAfterReply:
            "\(quoted) comes where no reply is expected: behind a whole one, or before any request"
        case .tlsRecord: "\(quoted) begins a TLS record, but this connection speaks plain HTTP; use https://"
        case .http2Frame: "an HTTP/2 frame comes, but this client speaks HTTP/1.1; the server expects HTTP/2 alone here"
        case .otherProtocol:
            "\(quoted) begins what \(Opening.name(of: detail) ?? "another protocol") says, not HTTP; is it the right port?"
        case .missingStatusLine:
            "\(quoted) stands where a reply begins: HTTP/1.1, a space, the status (HTTP/0.9 is not read)"
        case .statusLineWhitespace:
            "the status line holds \(quoted) where one space or nothing belongs: version SP status SP reason CRLF"
        case .statusLineTooLong: "the status line is longer than the \(limit) bytes that this client reads"
        case .missingStatus: "the status line \(quoted) has no status; it is: version SP status SP reason"
        case .badStatus: "\(quoted) is no status; it is three digits"
        case .statusOutOfRange:
            "the status \(quoted) is outside 100 to 599; it is read as a failure of the server, like 5xx"
        case .missingSpaceBeforeReason:
            "the status line \(quoted) ends with its status; the space before the reason stays, even with no reason"
        default:
            "the reason holds the control character \(quoted); only visible characters, SP and HTAB may stand there"
        }
    }

    var statusSentence: String {
        switch kind {
        case .interimInHTTP10: "status \(quoted) comes in HTTP/1.0, which has no 1xx"
        case .tooManyInterimReplies: "more than \(limit) interim replies came before the final one"
        case .switchingWithoutUpgrade: "a 101 has no Upgrade field, so nobody knows which protocol begins behind it"
        case .contentLengthWithoutContent:
            "Content-Length \(quoted) stands where no content can follow: 1xx, 204, or 2xx to CONNECT; it is not read"
        case .transferEncodingWithoutContent:
            "Transfer-Encoding \(quoted) stands where no content can follow: 1xx, 204, or 2xx to CONNECT; it is not read"
        case .contentIn205: "a 205 has content; it tells a client to clear its form, and has none"
        default: "the connection ended behind an interim reply; the final one never came"
        }
    }
}
