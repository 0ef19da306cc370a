extension Violation.Kind {
    /// The status that refuses it, or nil when the request can be read over it, or when no request has it.
    ///
    /// RFC 9112 §2.2 lets a server answer 400 to anything outside the grammar. This one serves what still has exactly
    /// one reading, since its user wants to see what the client does next, and refuses what could be read in two ways,
    /// what the specification says MUST be refused, and what is over a limit.
    public var fatalStatus: Int? {
        switch self {
        case .emptyLineBeforeRequest, .requestAfterClose, .unansweredRequest, .bareLF, .requestLineWhitespace,
            .versionCase,
            .nonASCIIInTarget, .illegalCharacterInTarget, .badPercentEscape, .fragmentInTarget,
            .asteriskWithoutOptions, .userinfoInTarget, .whitespaceBeforeFirstField, .obsFold,
            .illegalCharacterInFieldName, .controlInFieldValue, .duplicateField, .emptyListElement, .emptyHost,
            .hostDiffersFromTarget, .duplicateContentLength, .contentLengthWithTransferEncoding,
            .badConnectionOption, .teWithoutConnection, .chunkedInTE, .upgradeWithoutConnection,
            .unknownExpectation, .expectationWithoutContent, .traceWithContent, .connectWithContent,
            .whitespaceInChunkLine, .badChunkExtension, .forbiddenTrailer:
            nil
        case .emptyLineBeforeReply, .bytesAfterReply, .tlsRecord, .http2Frame, .otherProtocol, .missingStatusLine,
            .statusLineWhitespace, .statusLineTooLong, .missingStatus, .badStatus, .statusOutOfRange,
            .missingSpaceBeforeReason, .controlInReason, .interimInHTTP10, .tooManyInterimReplies,
            .switchingWithoutUpgrade, .contentLengthWithoutContent, .transferEncodingWithoutContent, .contentIn205,
            .missingFinalReply:
            nil
        case .tooManyEmptyLines, .tlsHandshake, .plainHTTP, .bytesAfterRequest, .bareCR, .badMethod, .missingTarget,
            .missingVersion, .badVersion,
            .spaceInTarget, .controlInTarget, .badTarget, .badConnectTarget, .emptyHostInTarget,
            .badAuthorityInTarget, .spaceBeforeColon, .missingColon, .emptyFieldName, .badFieldName,
            .nulInFieldValue, .missingHost, .duplicateHost, .badHost, .badContentLength, .differingContentLengths,
            .badTransferEncoding, .chunkedNotFinal, .chunkedTwice, .transferEncodingInHTTP10, .badChunkSize,
            .chunkLineTooLong, .bareLFInChunkLine, .controlInChunkLine, .missingCRLFAfterChunk, .incompleteHead,
            .incompleteContent,
            .incompleteChunkedContent:
            400
        case .contentTooLarge, .chunkSizeOverflow: 413
        case .requestLineTooLong, .targetTooLong: 414
        case .fieldLineTooLong, .tooManyFields, .headTooLarge, .trailersTooLarge: 431
        case .methodTooLong, .unsupportedTransferCoding: 501
        case .http2Preface, .unsupportedVersion: 505
        }
    }
}
