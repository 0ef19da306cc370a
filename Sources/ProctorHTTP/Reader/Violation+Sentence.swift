extension Violation {
    /// What is wrong and what would be right, for a person; the offending bytes are quoted and escaped.
    public var sentence: String {
        switch kind {
        case .bareLF, .bareCR: lineEndSentence
        case .tooManyEmptyLines, .badVersion, .versionCase, .unsupportedVersion: startSentence
        case .emptyLineBeforeRequest, .requestAfterClose, .tlsHandshake, .http2Preface, .plainHTTP,
            .bytesAfterRequest, .unansweredRequest, .requestLineWhitespace,
            .requestLineTooLong, .badMethod, .methodTooLong, .missingTarget, .missingVersion:
            requestLineSentence
        case .emptyLineBeforeReply, .bytesAfterReply, .tlsRecord, .http2Frame, .otherProtocol, .missingStatusLine,
            .statusLineWhitespace, .statusLineTooLong, .missingStatus, .badStatus, .statusOutOfRange,
            .missingSpaceBeforeReason, .controlInReason:
            statusLineSentence
        case .targetTooLong, .spaceInTarget, .controlInTarget, .nonASCIIInTarget, .illegalCharacterInTarget,
            .badPercentEscape, .fragmentInTarget, .badTarget, .asteriskWithoutOptions, .badConnectTarget,
            .emptyHostInTarget, .badAuthorityInTarget, .userinfoInTarget:
            targetSentence
        case .whitespaceBeforeFirstField, .obsFold, .spaceBeforeColon, .missingColon, .emptyFieldName,
            .badFieldName, .illegalCharacterInFieldName, .nulInFieldValue, .controlInFieldValue,
            .fieldLineTooLong, .tooManyFields, .headTooLarge, .duplicateField, .emptyListElement:
            fieldSentence
        case .missingHost, .duplicateHost, .badHost, .emptyHost, .hostDiffersFromTarget: hostSentence
        case .badContentLength, .differingContentLengths, .duplicateContentLength,
            .contentLengthWithTransferEncoding, .contentTooLarge, .badTransferEncoding,
            .unsupportedTransferCoding, .chunkedNotFinal, .chunkedTwice, .transferEncodingInHTTP10:
            framingSentence
        case .badConnectionOption, .teWithoutConnection, .chunkedInTE, .upgradeWithoutConnection,
            .unknownExpectation, .expectationWithoutContent, .traceWithContent, .connectWithContent:
            meaningSentence
        case .interimInHTTP10, .tooManyInterimReplies, .switchingWithoutUpgrade, .contentLengthWithoutContent,
            .transferEncodingWithoutContent, .contentIn205, .missingFinalReply:
            statusSentence
        case .badChunkSize, .chunkSizeOverflow, .chunkLineTooLong, .bareLFInChunkLine, .whitespaceInChunkLine,
            .controlInChunkLine, .badChunkExtension, .missingCRLFAfterChunk, .forbiddenTrailer,
            .trailersTooLarge:
            chunkSentence
        case .incompleteHead, .incompleteContent, .incompleteChunkedContent: endSentence
        }
    }

    var quoted: String { ByteQuote.quote(detail) }
    var limit: String { bound.map(String.init) ?? "?" }

    var reader: String { message == .request ? "server" : "client" }
    private var sender: String { message == .request ? "client" : "server" }

    private var startSentence: String {
        switch kind {
        case .tooManyEmptyLines:
            "more than \(limit) empty lines stand before the \(message.rawValue); a \(sender) sends none"
        case .badVersion: "\(quoted) is no version; it is HTTP/, a digit, a point, a digit: HTTP/1.1"
        case .versionCase: "the version is written \(quoted); its name is case-sensitive: HTTP"
        default:
            "version \(quoted) is not \(message == .request ? "served" : "read") here; HTTP/1.0 and HTTP/1.1 are"
        }
    }

    private var lineEndSentence: String {
        switch kind {
        case .bareCR: "a CR without LF stands in \(quoted); lines end with CRLF, and CR may stand nowhere else"
        default:
            detail.isEmpty
                ? "the line ends with LF alone; it must end with CRLF"
                : "the line \(quoted) ends with LF alone; it must end with CRLF"
        }
    }

    private var requestLineSentence: String {
        switch kind {
        case .emptyLineBeforeRequest:
            "an empty line stands before the request; a client sends none, nor a CRLF behind the content before"
        case .requestAfterClose: "the client said \"Connection: close\" before and may send no other request here"
        case .bytesAfterRequest:
            "\(bound == 1 ? "1 byte stands" : "\(limit) bytes stand") behind the end of the request and begin no other: "
                + "\(quoted); its framing says where it ends"
        case .unansweredRequest:
            "a request, or the beginning of one, came behind the last that is answered on this connection"
        case .tlsHandshake:
            "the first byte \(quoted) begins a TLS handshake, but this port speaks plain HTTP; use http://"
        case .plainHTTP:
            "the bytes \(quoted) begin no TLS handshake, but this port speaks TLS alone; use https://"
        case .http2Preface: "this is the HTTP/2 connection preface, but this server speaks HTTP/1.0 and HTTP/1.1"
        case .requestLineWhitespace:
            "the request line holds \(quoted) where one space or nothing belongs: method SP target SP version CRLF"
        case .requestLineTooLong: "the request line is longer than the \(limit) bytes that this \(reader) reads"
        case .badMethod:
            "\(quoted) cannot begin a request: a method is letters, digits and !#$%&'*+-.^_`|~, then a space"
        case .methodTooLong: "the method \(quoted) is longer than the \(limit) bytes that this \(reader) reads"
        case .missingTarget: "the request line \(quoted) has no target; it is: method SP target SP version"
        default: "the request line \(quoted) has no version; write HTTP/1.1 at its end (HTTP/0.9 is not served)"
        }
    }

    private var targetSentence: String {
        switch kind {
        case .targetTooLong: "the target is longer than the \(limit) bytes that this \(reader) reads"
        case .spaceInTarget: "whitespace stands in the target of \(quoted); write a space as %20"
        case .controlInTarget: "the target \(quoted) holds a control character; write it as a percent-escape"
        case .nonASCIIInTarget: "the target holds the raw bytes \(quoted); write them as percent-escapes"
        case .illegalCharacterInTarget: "the target holds \(quoted), which a URI may not; write it as a percent-escape"
        case .badPercentEscape:
            "\(quoted) is no percent-escape; \"%\" needs two hexadecimal digits, a literal one is %25"
        case .fragmentInTarget: "the target holds the fragment \(quoted); a client keeps it to itself"
        case .badTarget:
            "the target \(quoted) has none of the four forms: /path?query, scheme://host/path, host:port for CONNECT, *"
        case .asteriskWithoutOptions: "the target \"*\" is for OPTIONS only"
        case .badConnectTarget: "CONNECT wants host:port with a port of 1 to 65535, and got \(quoted)"
        case .emptyHostInTarget: "the target \(quoted) names no host; an http or https URI must"
        case .badAuthorityInTarget:
            "\(quoted) is no host with an optional port of 0 to 65535; an IPv6 address stands in brackets"
        default: "the target holds the userinfo \(quoted); a client sends credentials in Authorization"
        }
    }

    private var fieldSentence: String {
        switch kind {
        case .whitespaceBeforeFirstField:
            "the line \(quoted) begins with whitespace but continues no field; it is passed over"
        case .obsFold: "the value goes on in the line \(quoted); folding is obsolete, write it in one line"
        case .spaceBeforeColon: "whitespace stands between name and colon in \(quoted); the colon follows the name"
        case .missingColon: "the field line \(quoted) has no colon; it is: name, colon, value"
        case .emptyFieldName: "the field line \(quoted) has no name before its colon"
        case .badFieldName:
            "the name in \(quoted) holds whitespace or a control character; it is letters, digits and !#$%&'*+-.^_`|~"
        case .illegalCharacterInFieldName:
            "the field name \(quoted) holds a byte that no name may; it is letters, digits and !#$%&'*+-.^_`|~"
        case .nulInFieldValue: "the value \(quoted) holds a NUL"
        case .controlInFieldValue:
            "the value holds the control character \(quoted); only visible characters, SP and HTAB may stand there"
        case .fieldLineTooLong: "the field line is longer than the \(limit) bytes that this \(reader) reads"
        case .tooManyFields: "the section has more than the \(limit) field lines that this \(reader) reads"
        case .headTooLarge: "the head is longer than the \(limit) bytes that this \(reader) reads"
        case .duplicateField: "the field comes a second time, with \(quoted); it is no list and may come once"
        default: "the list \(quoted) has an empty element; a sender writes none"
        }
    }

    private var hostSentence: String {
        switch kind {
        case .missingHost: "the request has no Host field; every HTTP/1.1 request must have one"
        case .duplicateHost: "a second Host field says \(quoted); there may be one only"
        case .badHost:
            "Host is \(quoted); it is a host with an optional port of 0 to 65535, an IPv6 address in brackets"
        case .emptyHost: "Host is empty; it names the host and port of the URI that was asked for"
        default: "Host is \(quoted), but the target names another host; they must be the same"
        }
    }
}
