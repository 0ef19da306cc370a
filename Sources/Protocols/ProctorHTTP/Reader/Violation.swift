import ProctorBase

/// A departure of a peer's bytes from RFC 9112, RFC 9110 or RFC 3986.
public struct Violation: Error, Sendable, Equatable {
    /// Together with `message` it decides section, status and whether reading may continue.
    package let kind: Kind
    /// Request or reply: servers and clients may accept different violations.
    package let message: MessageKind
    /// The offset in bytes from the first byte of this message, which may be that of an empty line.
    public let offset: Int
    package let detail: [UInt8]
    package let bound: Int?
    /// Whether a fatal violation was accepted: see ``RequestReader/init(limits:acceptsAnything:)``.
    package let isReadOver: Bool

    /// Makes a violation; also for readers of journals.
    package init(
        _ kind: Kind, in message: MessageKind = .request, at offset: Int, detail: [UInt8] = [], bound: Int? = nil,
        isReadOver: Bool = false
    ) {
        (self.isReadOver, self.kind, self.message, self.offset) = (isReadOver, kind, message, offset)
        (self.detail, self.bound) = (detail, bound)
    }

    /// Whether reading the message ends here; depends on kind, direction and `isReadOver`.
    package var isFatal: Bool { !isReadOver && kind.isFatal(in: message) }

    /// The status that answers a fatal violation of a request; 400 for all other violations.
    package var status: Int { kind.fatalStatus ?? 400 }

    /// The section of the rule, such as `RFC 9112 §2.2`; for a malformed value that of its field.
    public var section: String { ofField?.section ?? kind.section(in: message) }

    /// What RFC 9110 says of the field whose value is malformed; nil for other kinds.
    private var ofField: RequestField.Row? {
        kind == .malformedValue ? RequestField(ofDetail: detail)?.row : nil
    }

    /// The error and the correct form; quotes the illegal bytes.
    public var sentence: String {
        let row = kind.row
        let ofReply = message == .reply ? row.replySentence : nil
        let withoutBytes = detail.isEmpty ? row.sentenceWithoutBytes : nil
        return SentenceTemplate.fill(ofReply ?? withoutBytes ?? row.sentence, with: value(of:))
    }

    /// The text that replaces `{name}` in a sentence of the table.
    private func value(of name: Substring) -> String {
        let isRequest = message == .request
        return switch name {
        case "bytes": ByteQuote.quote(detail)
        case " bytes": detail.isEmpty ? "" : " " + ByteQuote.quote(detail)
        case "bytes stand": bound == 1 ? "1 byte stands" : "\(limit) bytes stand"
        case "limit": limit
        case "message": message.rawValue
        case "reader": isRequest ? "server" : "client"
        case "sender": isRequest ? "client" : "server"
        case "read": isRequest ? "served" : "read"
        case "form": ofField?.form ?? "another one"
        case "protocol": Opening.name(of: detail) ?? "another protocol"
        default: "{\(name)}"
        }
    }

    private var limit: String { bound.map(String.init) ?? "?" }
}

/// Sentences with `{name}` placeholders, as the tables of violations have them.
enum SentenceTemplate {
    /// Replaces `{bytes}` by the quoted bytes, `{limit}` by the limit.
    static func fill(_ template: String, bytes: [UInt8], limit: String = "") -> String {
        fill(template) { $0 == "bytes" ? ByteQuote.quote(bytes) : limit }
    }

    /// Replaces each `{name}` once; braces in the replacement stay.
    static func fill(_ template: String, with value: (Substring) -> String) -> String {
        var text = ""
        var rest = template[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            text += rest[..<open]
            text += value(rest[rest.index(after: open)..<close])
            rest = rest[rest.index(after: close)...]
        }
        return text + rest
    }
}

extension Violation: CustomStringConvertible {
    /// `space-before-colon at byte 20: …  (RFC 9112 §5.1)`.
    public var description: String { "\(kind.rawValue) at byte \(offset): \(sentence) (\(section))" }
}

/// The direction of a message; the grammar of fields and content is the same, the accepted violations differ.
public enum MessageKind: String, Sendable, Hashable {
    /// From a client, read by `RequestReader`.
    case request
    /// From a server, read by `ReplyReader`; RFC 9110 calls it response.
    case reply
}

extension Violation {
    /// One name for each violation; the raw values never change, since fixtures and journals contain them.
    package enum Kind: String, Sendable, CaseIterable {
        // Before a request.
        case emptyLineBeforeRequest = "empty-line-before-request"
        case tooManyEmptyLines = "too-many-empty-lines"
        case requestAfterClose = "request-after-close"
        case tlsHandshake = "tls-handshake"
        case http2Preface = "http2-preface"
        /// Found by the server's port, before there is a request reader.
        case plainHTTP = "plain-http"

        // After the last request of a connection; found by the server, which closes it.
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

        // The version, in requests and replies.
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
        /// Found by who judges a run, since a connection knows its own origin alone.
        case hostOfAnotherOrigin = "host-of-another-origin"

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

        // Rules for fields together with the method.
        case badConnectionOption = "bad-connection-option"
        case teWithoutConnection = "te-without-connection"
        case chunkedInTE = "chunked-in-te"
        case upgradeWithoutConnection = "upgrade-without-connection"
        case unknownExpectation = "unknown-expectation"
        case malformedValue = "malformed-value"
        case badStructuredField = "bad-structured-field"
        case expectationWithoutContent = "expectation-without-content"
        case traceWithContent = "trace-with-content"
        case connectWithContent = "connect-with-content"

        // Rules for fields together with the status.
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

        // The peer closed too early.
        case incompleteHead = "incomplete-head"
        case missingFinalReply = "missing-final-reply"
        case incompleteContent = "incomplete-content"
        case incompleteChunkedContent = "incomplete-chunked-content"
    }
}

extension Violation.Kind {
    private static let table = ContainedTable<Self, ViolationRow>("http1-violations") { ViolationRow($0) }

    /// What RFC 9112, RFC 9110 and RFC 3986 say of the kind; Docs/judging/violations.md is generated from it.
    package var row: ViolationRow { Self.table[self] }

    /// The status that refuses a request; nil if the request is accepted or cannot have the violation.
    package var fatalStatus: Int? {
        if case .refused(let status)? = row.request { status } else { nil }
    }

    /// Whether a message of this direction can have the violation; a kind whose name begins with raw occurs in requests
    /// only.
    package func arises(in message: MessageKind) -> Bool {
        switch message {
        case .request: row.request != nil
        case .reply: row.reply != nil
        }
    }

    package func isFatal(in message: MessageKind) -> Bool {
        switch message {
        case .request: fatalStatus != nil
        case .reply: row.reply == .refused
        }
    }

    /// The section of the rule, such as `RFC 9112 §2.2`; a few differ for replies.
    package func section(in message: MessageKind) -> String {
        let row = row
        return message == .reply ? row.replySection ?? row.section : row.section
    }
}

/// The findings of one section of a message, with offsets from the message's start.
struct Findings: Sendable {
    /// The direction decides which violations are accepted.
    let message: MessageKind
    /// Whether fatal violations are reported instead of thrown if the message still has a reading.
    let acceptsAnything: Bool
    var base = 0
    private(set) var violations: [Violation] = []

    init(of message: MessageKind, acceptsAnything: Bool = false) {
        (self.message, self.acceptsAnything) = (message, acceptsAnything)
    }

    mutating func report(_ kind: Violation.Kind, at offset: Int, _ detail: [UInt8] = [], bound: Int? = nil) {
        violations.append(
            Violation(
                kind, in: message, at: base + offset, detail: detail, bound: bound,
                isReadOver: kind.isFatal(in: message)))
    }

    func fatal(_ kind: Violation.Kind, at offset: Int, _ detail: [UInt8] = [], bound: Int? = nil) -> Violation {
        Violation(kind, in: message, at: base + offset, detail: detail, bound: bound)
    }

    /// Throws a fatal violation and reports any other; for kinds after which the message can still be read.
    mutating func judge(
        _ kind: Violation.Kind, at offset: Int, _ detail: [UInt8] = [], bound: Int? = nil
    ) throws(Violation) {
        guard acceptsAnything || !kind.isFatal(in: message) else {
            throw fatal(kind, at: offset, detail, bound: bound)
        }
        report(kind, at: offset, detail, bound: bound)
    }

    /// Removes and returns the findings, sorted by offset; those of one offset in the order in which they were found.
    mutating func removeAll() -> [Violation] {
        base = 0
        guard !violations.isEmpty else { return [] }
        defer { violations = [] }
        guard violations.count > 1 else { return violations }
        return violations.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
            .map(\.element)
    }
}
