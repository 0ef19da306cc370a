/// What is wrong with framing, chunks and the end of a message.
extension Violation {
    var framingSentence: String {
        switch kind {
        case .badContentLength: "Content-Length is \(quoted); it is decimal digits and nothing else"
        case .differingContentLengths: "Content-Length is \(quoted), but \(limit) before; there may be one length only"
        case .duplicateContentLength: "Content-Length \(quoted) is said again; once is enough"
        case .contentLengthWithTransferEncoding:
            "Content-Length comes with Transfer-Encoding, which is read by; the connection closes after the reply"
        case .contentTooLarge: "the content is longer than the \(limit) bytes that this \(reader) reads"
        case .badTransferEncoding:
            detail.isEmpty
                ? "Transfer-Encoding is empty; it names the codings that were applied"
                : "Transfer-Encoding holds \(quoted); it is a list of coding names, and chunked has no parameters"
        case .unsupportedTransferCoding: "transfer coding \(quoted) is not read here; chunked is"
        case .chunkedNotFinal:
            message == .request
                ? "the last transfer coding is \(quoted); without chunked at the end nobody knows where the content ends"
                : "the last transfer coding is \(quoted), not chunked; the content then ends where the connection does"
        case .chunkedTwice: "chunked is applied twice; once is all that is allowed"
        default: "an HTTP/1.0 \(message.rawValue) has no Transfer-Encoding; its content has a Content-Length"
        }
    }

    var meaningSentence: String {
        switch kind {
        case .badConnectionOption: "the Connection option \(quoted) is no token"
        case .teWithoutConnection: "TE is for the next hop only; \"Connection: TE\" must come with it"
        case .chunkedInTE: "TE lists chunked, which is always understood and may not be named there"
        case .upgradeWithoutConnection: "Upgrade is for the next hop only; \"Connection: upgrade\" must come with it"
        case .unknownExpectation: "the expectation \(quoted) is unknown; 100-continue is the only one there is"
        case .expectationWithoutContent: "100-continue is expected, but no content is to follow; leave Expect out"
        case .traceWithContent: "a TRACE request has content; it must not"
        default: "a CONNECT request has content; it has none, the tunnel begins behind the head"
        }
    }

    var chunkSentence: String {
        switch kind {
        case .badChunkSize:
            "\(quoted) stands where a chunk size belongs; it is hexadecimal digits, at the start of a line"
        case .chunkSizeOverflow:
            "the chunk size has more digits than any content has bytes; the most is 7FFFFFFFFFFFFFFF"
        case .chunkLineTooLong: "the chunk-size line is longer than the \(limit) bytes that this \(reader) reads"
        case .bareLFInChunkLine: "the chunk-size line ends with LF alone; it must end with CRLF"
        case .whitespaceInChunkLine: "whitespace stands in \(quoted) behind a chunk size; a sender writes none there"
        case .controlInChunkLine: "the chunk-size line holds the control character \(quoted)"
        case .badChunkExtension: "the chunk extension \(quoted) is not of the form ;name or ;name=value"
        case .missingCRLFAfterChunk:
            "\(quoted) stands where a chunk's CRLF belongs; the chunk is longer than its size says, or shorter"
        case .forbiddenTrailer: "the field \(quoted) may not come as a trailer; it is needed before the content"
        default: "the trailer section is longer than the \(limit) bytes that this \(reader) reads"
        }
    }

    var endSentence: String {
        switch kind {
        case .incompleteHead:
            "the connection ended \(limit) bytes into the \(message.rawValue) head; an empty line ends a head"
        case .incompleteContent: "the connection ended \(limit) bytes before the end that Content-Length says"
        default: "the connection ended inside chunked content; a chunk of size 0 and an empty line end it"
        }
    }
}
