package struct ViolationRow: Sendable {
    /// The section of the rule, such as `RFC 9112 §2.2`.
    let section: String
    /// The section for replies, when it differs.
    let replySection: String?
    /// What a server does with a request that has the violation; nil if no request has it.
    package let request: RequestWeight?
    /// What a client does with a reply that has the violation; nil if no reply has it.
    package let reply: ReplyWeight?
    /// Bytes that have the violation, read with `exampleLimits`.
    package let example: Example
    /// The error and the correct form, with placeholders; see `Violation.sentence`.
    package let sentence: String
    package let sentenceWithoutBytes: String?
    package let replySentence: String?

    /// How a server treats the violation.
    ///
    /// RFC 9112 §2.2 permits 400 for all bytes outside the grammar. This server refuses ambiguous messages, those that
    /// MUST be refused, and those over a limit; it answers the rest, so that its user sees the client's next step.
    package enum RequestWeight: Sendable, Equatable {
        case readOver
        /// Answered with this status.
        case refused(Int)
    }

    /// How a client treats the violation: RFC 9112 often tells it to continue (§5.2, §6.3).
    ///
    /// Ambiguous replies are refused, since caches and proxies may have read them differently.
    package enum ReplyWeight: Sendable, Equatable {
        case readOver, refused
    }

    init(
        _ section: String, _ sentence: String, inReplies replySection: String? = nil, request: RequestWeight? = nil,
        reply: ReplyWeight? = nil, example: Example, withoutBytes: String? = nil, inReply replySentence: String? = nil
    ) {
        self.section = section
        self.replySection = replySection
        self.request = request
        self.reply = reply
        self.example = example
        self.sentence = sentence
        sentenceWithoutBytes = withoutBytes
        self.replySentence = replySentence
    }
}

extension ViolationRow {
    /// The bytes of one connection from its first byte, which have a violation of one kind.
    package struct Example: Sendable {
        package let message: MessageKind
        /// The bytes, each as one Unicode scalar.
        package let text: String
        package var thenEnds = false
        package var also: Violation.Kind?
        /// False if the server finds the violation at its port or after the last request.
        package var isFoundByReader = true

        static func request(_ text: String, thenEnds: Bool = false, also: Violation.Kind? = nil) -> Self {
            Self(message: .request, text: text, thenEnds: thenEnds, also: also)
        }

        static func requestLine(_ line: String) -> Self { request("\(line)\r\nHost: a\r\n\r\n") }

        /// A request with these field lines after Host; adds the last line end and the empty line.
        static func requestFields(_ lines: String) -> Self { request("GET / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n\r\n") }

        /// The bytes after the head of a request with chunked content.
        static func chunks(_ text: String, thenEnds: Bool = false) -> Self {
            request("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + text, thenEnds: thenEnds)
        }

        static func reply(_ text: String, thenEnds: Bool = false) -> Self {
            Self(message: .reply, text: text, thenEnds: thenEnds)
        }

        static func statusLine(_ line: String) -> Self { reply("\(line)\r\nContent-Length: 0\r\n\r\n") }

        /// Bytes that are given to no request reader, or only after the violation was found.
        static func outsideRequests(_ text: String) -> Self {
            Self(message: .request, text: text, isFoundByReader: false)
        }
    }

    /// Small, so that the examples of exceeded limits are short.
    package static let exampleRequestLimits = RequestLimits(
        emptyLineCount: 1, methodByteCount: 8, targetByteCount: 24, fieldLineByteCount: 40, fieldCount: 4,
        headByteCount: 120, chunkLineByteCount: 16, trailerByteCount: 40, bodyByteCount: 8)

    package static let exampleReplyLimits = ReplyLimits(
        emptyLineCount: 1, statusLineByteCount: 40, fieldLineByteCount: 40, fieldCount: 4, headByteCount: 120,
        interimCount: 1, chunkLineByteCount: 16, trailerByteCount: 40, bodyByteCount: 8)
}
