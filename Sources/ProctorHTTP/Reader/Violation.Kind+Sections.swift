extension Violation.Kind {
    /// Where the rule stands, `RFC 9112 §2.2`; a few stand elsewhere for the reader of a reply.
    public func section(in message: MessageKind) -> String {
        guard message == .reply else { return section }
        return switch self {
        case .contentTooLarge: "RFC 9110 §17.5"
        case .fieldLineTooLong, .tooManyFields, .headTooLarge, .trailersTooLarge: "RFC 9110 §5.4"
        case .unsupportedVersion: "RFC 9110 §2.5"
        default: section
        }
    }

    private var section: String {
        switch self {
        case .emptyLineBeforeRequest, .tooManyEmptyLines, .bareLF, .bareCR, .whitespaceBeforeFirstField:
            "RFC 9112 §2.2"
        case .tlsHandshake: "RFC 9112 §2.1"
        case .plainHTTP: "RFC 9110 §4.2.2"
        case .http2Preface: "RFC 9113 §3.4"
        case .requestAfterClose, .unansweredRequest: "RFC 9112 §9.6"
        case .bytesAfterRequest: "RFC 9112 §6.3"
        case .emptyLineBeforeReply, .bytesAfterReply: "RFC 9112 §9.2"
        case .tlsRecord: "RFC 8446 §5.1"
        case .http2Frame: "RFC 9113 §3.4"
        case .otherProtocol, .missingStatusLine, .statusLineWhitespace, .missingStatus, .badStatus,
            .missingSpaceBeforeReason, .controlInReason:
            "RFC 9112 §4"
        case .statusLineTooLong: "RFC 9110 §17.5"
        case .statusOutOfRange: "RFC 9110 §15"
        case .requestLineWhitespace, .missingTarget, .missingVersion, .methodTooLong, .requestLineTooLong,
            .targetTooLong:
            "RFC 9112 §3"
        case .badMethod: "RFC 9110 §9.1"
        case .badVersion, .versionCase: "RFC 9112 §2.3"
        case .unsupportedVersion: "RFC 9110 §15.6.6"
        case .spaceInTarget, .controlInTarget, .badTarget: "RFC 9112 §3.2"
        case .nonASCIIInTarget, .illegalCharacterInTarget: "RFC 3986 §2"
        case .badPercentEscape: "RFC 3986 §2.1"
        case .fragmentInTarget: "RFC 9110 §7.1"
        case .asteriskWithoutOptions: "RFC 9112 §3.2.4"
        case .badConnectTarget: "RFC 9110 §9.3.6"
        case .emptyHostInTarget: "RFC 9110 §4.2.1"
        case .badAuthorityInTarget: "RFC 3986 §3.2"
        case .userinfoInTarget: "RFC 9110 §4.2.4"
        case .obsFold: "RFC 9112 §5.2"
        case .spaceBeforeColon: "RFC 9112 §5.1"
        case .missingColon: "RFC 9112 §5"
        case .emptyFieldName, .badFieldName, .illegalCharacterInFieldName: "RFC 9110 §5.1"
        case .nulInFieldValue, .controlInFieldValue: "RFC 9110 §5.5"
        case .fieldLineTooLong, .tooManyFields, .headTooLarge, .trailersTooLarge: "RFC 6585 §5"
        case .duplicateField: "RFC 9110 §5.3"
        case .emptyListElement: "RFC 9110 §5.6.1"
        case .missingHost, .duplicateHost, .badHost, .emptyHost: "RFC 9112 §3.2"
        case .hostDiffersFromTarget: "RFC 9112 §3.2.2"
        case .badContentLength, .differingContentLengths, .chunkedNotFinal: "RFC 9112 §6.3"
        case .duplicateContentLength: "RFC 9110 §8.6"
        case .contentLengthWithTransferEncoding, .badTransferEncoding, .unsupportedTransferCoding,
            .transferEncodingInHTTP10:
            "RFC 9112 §6.1"
        case .contentTooLarge: "RFC 9110 §15.5.14"
        case .chunkedTwice, .badChunkSize, .chunkSizeOverflow, .bareLFInChunkLine, .missingCRLFAfterChunk:
            "RFC 9112 §7.1"
        case .chunkLineTooLong, .whitespaceInChunkLine, .controlInChunkLine, .badChunkExtension: "RFC 9112 §7.1.1"
        case .badConnectionOption: "RFC 9110 §7.6.1"
        case .teWithoutConnection, .chunkedInTE: "RFC 9110 §10.1.4"
        case .upgradeWithoutConnection: "RFC 9110 §7.8"
        case .unknownExpectation, .expectationWithoutContent: "RFC 9110 §10.1.1"
        case .traceWithContent: "RFC 9110 §9.3.8"
        case .connectWithContent: "RFC 9110 §9.3.6"
        case .interimInHTTP10, .tooManyInterimReplies, .missingFinalReply: "RFC 9110 §15.2"
        case .switchingWithoutUpgrade: "RFC 9110 §15.2.2"
        case .contentLengthWithoutContent: "RFC 9110 §8.6"
        case .transferEncodingWithoutContent: "RFC 9112 §6.1"
        case .contentIn205: "RFC 9110 §15.3.6"
        case .forbiddenTrailer: "RFC 9110 §6.5.1"
        case .incompleteHead, .incompleteContent, .incompleteChunkedContent: "RFC 9112 §8"
        }
    }
}
