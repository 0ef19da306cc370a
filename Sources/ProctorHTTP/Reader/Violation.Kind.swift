extension Violation {
    /// One name for each departure; the raw values are stable for ever, fixtures and journals hold them.
    public enum Kind: String, Sendable, CaseIterable {
        // Before a request.
        case emptyLineBeforeRequest = "empty-line-before-request"
        case tooManyEmptyLines = "too-many-empty-lines"
        case requestAfterClose = "request-after-close"
        case tlsHandshake = "tls-handshake"
        case http2Preface = "http2-preface"
        /// Found by the port, before a reader of requests exists.
        case plainHTTP = "plain-http"

        // Behind a request, on a connection where no other is read; found by the server, which closes it.
        case bytesAfterRequest = "bytes-after-request"
        case unansweredRequest = "unanswered-request"

        // Before a reply.
        case emptyLineBeforeReply = "empty-line-before-reply"
        case bytesAfterReply = "bytes-after-reply"
        case tlsRecord = "tls-record"
        case http2Frame = "http2-frame"
        case otherProtocol = "other-protocol"
        case missingStatusLine = "missing-status-line"

        // Line ends.
        case bareLF = "bare-lf"
        case bareCR = "bare-cr"

        // The request line.
        case requestLineWhitespace = "request-line-whitespace"
        case requestLineTooLong = "request-line-too-long"
        case badMethod = "bad-method"
        case methodTooLong = "method-too-long"
        case missingTarget = "missing-target"
        case missingVersion = "missing-version"

        // The status line.
        case statusLineWhitespace = "status-line-whitespace"
        case statusLineTooLong = "status-line-too-long"
        case missingStatus = "missing-status"
        case badStatus = "bad-status"
        case statusOutOfRange = "status-out-of-range"
        case missingSpaceBeforeReason = "missing-space-before-reason"
        case controlInReason = "control-in-reason"

        // The version, in either.
        case badVersion = "bad-version"
        case versionCase = "version-case"
        case unsupportedVersion = "unsupported-version"

        // The request-target.
        case targetTooLong = "target-too-long"
        case spaceInTarget = "space-in-target"
        case controlInTarget = "control-in-target"
        case nonASCIIInTarget = "non-ascii-in-target"
        case illegalCharacterInTarget = "illegal-character-in-target"
        case badPercentEscape = "bad-percent-escape"
        case fragmentInTarget = "fragment-in-target"
        case badTarget = "bad-target"
        case asteriskWithoutOptions = "asterisk-without-options"
        case badConnectTarget = "bad-connect-target"
        case emptyHostInTarget = "empty-host-in-target"
        case badAuthorityInTarget = "bad-authority-in-target"
        case userinfoInTarget = "userinfo-in-target"

        // Field lines.
        case whitespaceBeforeFirstField = "whitespace-before-first-field"
        case obsFold = "obs-fold"
        case spaceBeforeColon = "space-before-colon"
        case missingColon = "missing-colon"
        case emptyFieldName = "empty-field-name"
        case badFieldName = "bad-field-name"
        case illegalCharacterInFieldName = "illegal-character-in-field-name"
        case nulInFieldValue = "nul-in-field-value"
        case controlInFieldValue = "control-in-field-value"
        case fieldLineTooLong = "field-line-too-long"
        case tooManyFields = "too-many-fields"
        case headTooLarge = "head-too-large"
        case duplicateField = "duplicate-field"
        case emptyListElement = "empty-list-element"

        // Host.
        case missingHost = "missing-host"
        case duplicateHost = "duplicate-host"
        case badHost = "bad-host"
        case emptyHost = "empty-host"
        case hostDiffersFromTarget = "host-differs-from-target"

        // Framing.
        case badContentLength = "bad-content-length"
        case differingContentLengths = "differing-content-lengths"
        case duplicateContentLength = "duplicate-content-length"
        case contentLengthWithTransferEncoding = "content-length-with-transfer-encoding"
        case contentTooLarge = "content-too-large"
        case badTransferEncoding = "bad-transfer-encoding"
        case unsupportedTransferCoding = "unsupported-transfer-coding"
        case chunkedNotFinal = "chunked-not-final"
        case chunkedTwice = "chunked-twice"
        case transferEncodingInHTTP10 = "transfer-encoding-in-http-1.0"

        // What fields and method say together.
        case badConnectionOption = "bad-connection-option"
        case teWithoutConnection = "te-without-connection"
        case chunkedInTE = "chunked-in-te"
        case upgradeWithoutConnection = "upgrade-without-connection"
        case unknownExpectation = "unknown-expectation"
        case expectationWithoutContent = "expectation-without-content"
        case traceWithContent = "trace-with-content"
        case connectWithContent = "connect-with-content"

        // What status and fields say together.
        case interimInHTTP10 = "interim-in-http-1.0"
        case tooManyInterimReplies = "too-many-interim-replies"
        case switchingWithoutUpgrade = "switching-without-upgrade"
        case contentLengthWithoutContent = "content-length-without-content"
        case transferEncodingWithoutContent = "transfer-encoding-without-content"
        case contentIn205 = "content-in-205"

        // Chunked content.
        case badChunkSize = "bad-chunk-size"
        case chunkSizeOverflow = "chunk-size-overflow"
        case chunkLineTooLong = "chunk-line-too-long"
        case bareLFInChunkLine = "bare-lf-in-chunk-line"
        case whitespaceInChunkLine = "whitespace-in-chunk-line"
        case controlInChunkLine = "control-in-chunk-line"
        case badChunkExtension = "bad-chunk-extension"
        case missingCRLFAfterChunk = "missing-crlf-after-chunk"
        case forbiddenTrailer = "forbidden-trailer"
        case trailersTooLarge = "trailers-too-large"

        // The peer left.
        case incompleteHead = "incomplete-head"
        case missingFinalReply = "missing-final-reply"
        case incompleteContent = "incomplete-content"
        case incompleteChunkedContent = "incomplete-chunked-content"
    }
}

extension Violation.Kind {
    /// The status that refuses a request with it, or nil when the request can be read over it, or when no request has it.
    public var fatalStatus: Int? {
        if case .refused(let status)? = row.request { status } else { nil }
    }

    /// Whether a message of this kind can have it: what is raw in fixtures and journals is of requests.
    public func arises(in message: MessageKind) -> Bool {
        switch message {
        case .request: row.request != nil
        case .reply: row.reply != nil
        }
    }

    /// Whether a message of this kind cannot be read on behind it.
    public func isFatal(in message: MessageKind) -> Bool {
        switch message {
        case .request: fatalStatus != nil
        case .reply: row.reply == .refused
        }
    }

    /// Where the rule stands, `RFC 9112 §2.2`; a few stand elsewhere for the reader of a reply.
    public func section(in message: MessageKind) -> String {
        let row = row
        return message == .reply ? row.replySection ?? row.section : row.section
    }
}
