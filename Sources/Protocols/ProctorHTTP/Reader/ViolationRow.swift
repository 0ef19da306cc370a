import ProctorBase

/// What the documents say of one kind of violation: a row of `CFiles/Tables/http1-violations.tsv`.
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
    package enum ReplyWeight: String, Sendable {
        case readOver = "read-over"
        case refused
    }

    init(_ cells: TableCells) {
        section = cells["section"]
        replySection = cells.text("section of replies")
        request = cells.valueIfAny("request") { $0 == "read-over" ? .readOver : Int($0).map(RequestWeight.refused) }
        reply = cells.valueIfAny("reply", ReplyWeight.init)
        example = Example(cells)
        sentence = cells["sentence"]
        sentenceWithoutBytes = cells.text("sentence without bytes")
        replySentence = cells.text("sentence of replies")
    }
}

extension ViolationRow {
    /// The bytes of one connection from its first byte, which have a violation of one kind.
    package struct Example: Sendable {
        package let message: MessageKind
        /// The bytes, each as one Unicode scalar.
        package let text: String
        package let thenEnds: Bool
        package let also: Violation.Kind?
        /// False if the server finds the violation at its port or after the last request.
        package let isFoundByReader: Bool

        /// What the text of an example is a part of.
        private enum Form: String {
            case request, reply, chunks
            case requestLine = "request-line"
            /// The field lines after Host, without the last line end and the empty line.
            case requestFields = "request-fields"
            case statusLine = "status-line"
            /// Bytes that are given to no request reader, or only after the violation was found.
            case outsideRequests = "outside-requests"
        }

        fileprivate init(_ cells: TableCells) {
            let form = cells.value("example of", Form.init)
            let text = cells["example"]
            self.text =
                switch form {
                case .request, .reply, .outsideRequests: text
                case .requestLine: "\(text)\r\nHost: a\r\n\r\n"
                case .requestFields: "GET / HTTP/1.1\r\nHost: a\r\n\(text)\r\n\r\n"
                case .chunks: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(text)"
                case .statusLine: "\(text)\r\nContent-Length: 0\r\n\r\n"
                }
            message = form == .reply || form == .statusLine ? .reply : .request
            thenEnds = cells.text("ends") != nil
            also = cells.valueIfAny("also", Violation.Kind.init)
            isFoundByReader = form != .outsideRequests
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
