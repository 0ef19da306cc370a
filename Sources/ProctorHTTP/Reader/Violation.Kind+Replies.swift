extension Violation.Kind {
    /// Whether a message of this kind can have it: what is raw in fixtures and journals is of requests.
    public func arises(in message: MessageKind) -> Bool {
        switch message {
        case .request: !isOfRepliesAlone
        case .reply: isFatalInReply != nil
        }
    }

    /// Whether a message of this kind cannot be read on behind it.
    public func isFatal(in message: MessageKind) -> Bool {
        switch message {
        case .request: fatalStatus != nil
        case .reply: isFatalInReply ?? false
        }
    }

    /// Whether the reply is not taken, or nil when no reply has it.
    ///
    /// A user agent may read over more than a server: it is the one who asked, and RFC 9112 tells it what to do instead
    /// (§5.2, §6.3). What could be read in two ways is refused here too, since the caches and proxies on the way may
    /// have read it the other way.
    private var isFatalInReply: Bool? {
        switch self {
        case .emptyLineBeforeReply, .bareLF, .statusLineWhitespace, .statusOutOfRange, .missingSpaceBeforeReason,
            .controlInReason, .versionCase, .whitespaceBeforeFirstField, .obsFold, .spaceBeforeColon,
            .illegalCharacterInFieldName, .controlInFieldValue, .duplicateField, .emptyListElement,
            .duplicateContentLength, .contentLengthWithTransferEncoding, .chunkedNotFinal, .badConnectionOption,
            .upgradeWithoutConnection, .interimInHTTP10, .contentLengthWithoutContent,
            .transferEncodingWithoutContent, .contentIn205, .whitespaceInChunkLine, .badChunkExtension,
            .forbiddenTrailer:
            false
        case .tooManyEmptyLines, .bytesAfterReply, .tlsRecord, .http2Frame, .otherProtocol, .missingStatusLine, .bareCR,
            .statusLineTooLong, .missingStatus, .badStatus, .badVersion, .unsupportedVersion, .missingColon,
            .emptyFieldName, .badFieldName, .nulInFieldValue, .fieldLineTooLong, .tooManyFields, .headTooLarge,
            .badContentLength, .differingContentLengths, .contentTooLarge, .badTransferEncoding,
            .unsupportedTransferCoding, .chunkedTwice, .transferEncodingInHTTP10, .tooManyInterimReplies,
            .switchingWithoutUpgrade, .badChunkSize, .chunkSizeOverflow, .chunkLineTooLong, .bareLFInChunkLine,
            .controlInChunkLine, .missingCRLFAfterChunk, .trailersTooLarge, .incompleteHead, .missingFinalReply,
            .incompleteContent, .incompleteChunkedContent:
            true
        case .emptyLineBeforeRequest, .requestAfterClose, .tlsHandshake, .http2Preface, .plainHTTP,
            .bytesAfterRequest, .unansweredRequest, .requestLineWhitespace,
            .requestLineTooLong, .badMethod, .methodTooLong, .missingTarget, .missingVersion, .targetTooLong,
            .spaceInTarget, .controlInTarget, .nonASCIIInTarget, .illegalCharacterInTarget, .badPercentEscape,
            .fragmentInTarget, .badTarget, .asteriskWithoutOptions, .badConnectTarget, .emptyHostInTarget,
            .badAuthorityInTarget, .userinfoInTarget, .missingHost, .duplicateHost, .badHost, .emptyHost,
            .hostDiffersFromTarget, .teWithoutConnection, .chunkedInTE, .unknownExpectation,
            .expectationWithoutContent, .traceWithContent, .connectWithContent:
            nil
        }
    }

    private var isOfRepliesAlone: Bool {
        switch self {
        case .emptyLineBeforeReply, .bytesAfterReply, .tlsRecord, .http2Frame, .otherProtocol, .missingStatusLine,
            .statusLineWhitespace, .statusLineTooLong, .missingStatus, .badStatus, .statusOutOfRange,
            .missingSpaceBeforeReason, .controlInReason, .interimInHTTP10, .tooManyInterimReplies,
            .switchingWithoutUpgrade, .contentLengthWithoutContent, .transferEncodingWithoutContent, .contentIn205,
            .missingFinalReply:
            true
        default: false
        }
    }
}
