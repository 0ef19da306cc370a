/// What is known of one kind of violation: a row of the table in `Violation.Kind+Rows.swift`.
package struct ViolationRow: Sendable {
    /// Where the rule stands: `RFC 9112 §2.2`.
    let section: String
    /// Where it stands for the reader of a reply, when that is elsewhere.
    let replySection: String?
    /// What a server does with a request that has it; nil when no request has it.
    package let request: RequestWeight?
    /// What a client does with a reply that has it; nil when no reply has it.
    package let reply: ReplyWeight?
    /// Bytes that have it, under `exampleLimits`.
    package let example: Example
    /// What is wrong and what would be right, with `{bytes}`, `{limit}` and so on in it; see `Violation.sentence`.
    package let sentence: String
    /// The sentence when there are no offending bytes.
    package let sentenceWithoutBytes: String?
    /// The sentence for a reply.
    package let replySentence: String?

    /// What the server does: it serves what has one reading, since its user wants to see what the client does next.
    ///
    /// RFC 9112 §2.2 lets a server answer 400 to anything outside the grammar. This server refuses what could be read in
    /// two ways, what the specification says MUST be refused, and what is over a limit.
    package enum RequestWeight: Sendable, Equatable {
        case readOver
        /// Answered with this status.
        case refused(Int)
    }

    /// A user agent may read over more than a server: RFC 9112 tells it what to do instead of refusing (§5.2, §6.3).
    ///
    /// What could be read in two ways is refused here too, since the caches and proxies on the way may have read it the
    /// other way.
    package enum ReplyWeight: Sendable, Equatable {
        case readOver, refused
    }

    init(
        _ section: String, inReplies replySection: String? = nil, request: RequestWeight? = nil,
        reply: ReplyWeight? = nil, example: Example, sentence: String, withoutBytes: String? = nil,
        inReply replySentence: String? = nil
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
    /// The bytes of one connection from its first byte, which show one kind.
    package struct Example: Sendable {
        package let message: MessageKind
        /// One scalar a byte.
        package let text: String
        /// Whether the peer sends FIN behind the bytes.
        package let thenEnds: Bool
        /// A kind that the same bytes have too.
        package let also: Violation.Kind?
        /// Whether a reader of messages finds it; the server finds the others at its port or behind the last request.
        package let isFoundByReader: Bool

        private init(
            of message: MessageKind, _ text: String, thenEnds: Bool = false, also: Violation.Kind? = nil,
            isFoundByReader: Bool = true
        ) {
            self.message = message
            self.text = text
            self.thenEnds = thenEnds
            self.also = also
            self.isFoundByReader = isFoundByReader
        }

        static func request(_ text: String, thenEnds: Bool = false, also: Violation.Kind? = nil) -> Self {
            Self(of: .request, text, thenEnds: thenEnds, also: also)
        }

        /// The line end and the rest of the head follow.
        static func requestLine(_ line: String) -> Self { request("\(line)\r\nHost: a\r\n\r\n") }

        /// Field lines behind Host; the last line end and the empty line follow.
        static func requestFields(_ lines: String) -> Self { request("GET / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n\r\n") }

        /// What stands behind the head of a request with chunked content.
        static func chunks(_ text: String, thenEnds: Bool = false) -> Self {
            request("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + text, thenEnds: thenEnds)
        }

        /// A reply to GET.
        static func reply(_ text: String, thenEnds: Bool = false) -> Self { Self(of: .reply, text, thenEnds: thenEnds) }

        /// The line end and the rest of the reply follow.
        static func statusLine(_ line: String) -> Self { reply("\(line)\r\nContent-Length: 0\r\n\r\n") }

        /// Bytes that no reader of requests is given, or too late.
        static func outsideRequests(_ text: String) -> Self { Self(of: .request, text, isFoundByReader: false) }
    }

    /// Small, so that the examples of what is too long are short.
    package static let exampleRequestLimits = RequestLimits(
        emptyLineCount: 1, methodByteCount: 8, targetByteCount: 24, fieldLineByteCount: 40, fieldCount: 4,
        headByteCount: 120, chunkLineByteCount: 16, trailerByteCount: 40, bodyByteCount: 8)

    /// The same for replies.
    package static let exampleReplyLimits = ReplyLimits(
        emptyLineCount: 1, statusLineByteCount: 40, fieldLineByteCount: 40, fieldCount: 4, headByteCount: 120,
        interimCount: 1, chunkLineByteCount: 16, trailerByteCount: 40, bodyByteCount: 8)
}
