import ProctorBase
import ProctorEvents
package import ProctorHTTP
package import ProctorJournal
import ProctorScenario

/// A request as it was read, and its replies as they were sent, over HTTP/1.1 or HTTP/2.
package struct SeenExchange {
    /// The index in ``WireRecord/exchanges``.
    package let number: Int
    /// The number of the request in the journal; nil: none.
    let journalNumber: Int?
    /// Whether no exchange of the scenario answers it.
    var isMissed = false
    /// The sequence of the entry with the request's head, and the time of that entry.
    package let sequence: UInt64
    package let nanoseconds: UInt64
    /// The index in ``WireRecord/connections``.
    let connection: Int
    package let head: RequestHead
    let target: [UInt8]
    let isSecured: Bool
    /// Whether Host and target give the URL that the client had to load.
    let hasOwnURL: Bool
    /// The server's address at which the connection arrived.
    let local: (host: String, port: Int)?
    /// The origin of the connection, or the one that a proxy or Host names; nil when the journal has none.
    var origin: String?
    var body: RequestBody?
    /// How many requests before it on its connection had no whole reply when it came.
    var behindCount = 0
    var violations: [Violation] = []
    /// The exchange of the scenario that answers the request, with the sequence of that entry; nil: none.
    var chosen: (exchange: Int, sequence: UInt64)?
    /// The violations on its stream, over HTTP/2.
    var frameViolations: [FrameViolationNote] = []
    /// The verdicts of the guards, in the order in which they judged.
    var verdicts: [GuardVerdict] = []
    /// The reference model's verdict on its cookies; nil when there is none.
    var cookieVerdict: CookieVerdict?
    /// The bytes that the flow-control windows of its stream permitted; nil over HTTP/1.1, and when the client may not
    /// have known the windows.
    var windows: SendingWindow?

    /// The last final reply that began; nil when none did.
    package private(set) var reply: SentReply?
    package private(set) var replyFields: [HTTPField] = []
    /// Whether the content is multipart/x-mixed-replace, each part of which is a response of its own (R26).
    private(set) var isMixedReplace = false
    /// The parts of multipart/x-mixed-replace; nil when they are unknown, empty for another type.
    private(set) var parts: [MixedPart]? = []
    /// The earliest time at which the first byte of a final reply was sent.
    private(set) var replyNanoseconds: UInt64?
    private(set) var interim: [SentReply] = []
    var isReplySent = false
    /// The status of the reply after all of it was sent; nil for raw bytes too.
    var sentStatus: Int?
    /// Whether an effect cut the reply, or may have cut it.
    private(set) var isReplyCut = false
    /// Whether an effect sent bytes or frames, which may be a reply.
    package private(set) var hasBytesOfEffects = false
    /// The number of bytes sent before the reply was aborted; nil when it was not.
    var abortedByteCount: Int?
    /// Bytes that arrived after the reply, on a connection that was no longer HTTP, in order.
    var opaque: [ReceivedBytes] = []
    /// Whether content arrived after its reply had ended the connection.
    var hasLateContent = false

    init(
        _ number: Int, _ entry: JournalEntry, head: RequestHead, target: [UInt8], on connection: Int,
        _ seen: SeenConnection, hasOwnURL: Bool
    ) {
        self.number = number
        journalNumber = entry.request
        sequence = entry.sequence
        nanoseconds = entry.nanoseconds
        (self.head, self.target, self.connection, self.hasOwnURL) = (head, target, connection, hasOwnURL)
        isSecured = seen.tls.hello != nil
        local = seen.local
        origin = seen.origin
    }

    mutating func recordReply(_ begun: SentReply, at nanoseconds: UInt64) {
        guard !begun.isInterim else { return interim.append(begun) }
        reply = begun
        replyNanoseconds = replyNanoseconds ?? nanoseconds
        replyFields = begun.fields.map { [HTTPField]($0) } ?? []
        let type = MediaType(of: replyFields)
        isMixedReplace = type?.isMixedReplace ?? false
        parts = isMixedReplace ? type.flatMap { MixedPart.all(of: begun, $0) } : []
    }

    mutating func recordEffect(_ effect: PlayedEffect) {
        if effect.ends.cutsReply(on: head.stream) { isReplyCut = true }
        if effect.verb?.facts.spellsReply == true { hasBytesOfEffects = true }
    }
}

// MARK: The request

extension SeenExchange {
    var method: String { head.method }

    /// For a tunnel, and not for another protocol on its stream (RFC 8441 §4).
    var isConnect: Bool { head.hasMethod("CONNECT") && !head.namesProtocol }

    /// `GET /a`; bytes that are neither printable ASCII nor UTF-8 are escaped.
    var name: String {
        let bytes = Array(head.methodBytes) + [0x20] + target
        return String(validating: bytes, as: UTF8.self) ?? WireText.escaped(bytes, limit: .max)
    }

    /// The name for a sentence.
    var shown: String { EventText.printable(name) }

    /// The request in a `wire:` expression.
    var symbol: TraceEventSymbol { TraceEventSymbol("request", name) }

    /// The content that was read; empty for a request without framing, for which the journal has no entry (RFC 9112
    /// §6.3).
    package var content: RequestBody? {
        guard body == nil, head.framing == .none else { return body }
        return RequestBody(kept: [], byteCount: 0, isComplete: true, trailers: [])
    }

    /// The length of the content, announced or counted; nil when it is unknown.
    var bodyLength: Int? {
        switch head.framing {
        case .none: 0
        case .length(let byteCount): byteCount
        case .chunked, .frames: content.flatMap { $0.isComplete ? $0.byteCount : nil }
        }
    }

    /// The values of a request field, in order.
    func values(_ name: String) -> [[UInt8]] { head.fields.values(named: Array(name.utf8)).map { Array($0) } }

    /// Whether the client left within its content while the server waited for the rest of it: nothing had been answered, and
    /// nothing was done to the connection, so that the end of the load is of the client's own making (RFC 9110 §8.6).
    func owesContent(on connection: SeenConnection) -> Bool {
        connection.end?.by == .client && !connection.hasEffects && reply == nil && interim.isEmpty && !isReplySent
    }

    /// The URL of the request, from target and Host; nil when they do not give one.
    package var url: ClientURL? {
        guard hasOwnURL else { return nil }
        switch head.form {
        case .absolute: return try? ClientURL(head.target)
        case .origin:
            let hosts = head.fields.values(named: "Host")
            guard hosts.count == 1, let host = hosts.first, !host.isEmpty else { return nil }
            let scheme: HTTPScheme = isSecured ? .https : .http
            return try? ClientURL(Array("\(scheme.rawValue)://".utf8) + host + head.target)
        case .authority, .asterisk: return nil
        }
    }
}

// MARK: The final reply

extension SeenExchange {
    package var status: Int? { reply?.status }

    /// Whether all of the reply was sent.
    package var isWhole: Bool { isReplySent && !isReplyCut }

    /// The content in the forms that a client may have: decoded, or as it was sent; empty when it is unknown.
    package var contents: [SentContent] {
        guard let reply, let content = reply.content else { return [] }
        return [content] + (reply.codedContent.map { [$0] } ?? [])
    }

    /// The content when it is known and has no coding, so that its byte count is that of the received bytes.
    var plainContent: SentContent? { reply?.codedContent == nil ? reply?.content : nil }

    /// The contents that a client may report after one response: that of the reply, or that of a part.
    var forms: [SentContent] { contents + (parts ?? []).map(\.content) }

    /// The fields of each part; nil when they are unknown, empty for another type than multipart/x-mixed-replace.
    var partFields: [[HTTPField]]? { parts?.map(\.fields) }

    /// The value of a reply field that has one line; nil for several lines.
    package func single(_ name: String) -> [UInt8]? {
        let lines = replyFields.all(named: name)
        return lines.count == 1 ? lines[0].bytes : nil
    }

    /// The value of Content-Length when there is no Transfer-Encoding (RFC 9112 §6.3).
    var contentLength: Int? { replyFields.contentLength }

    var range: ContentRange? { status == 206 ? single("Content-Range").flatMap { ContentRange($0) } : nil }

    /// The entity tag of the reply, which is a strong one.
    var strongTag: EntityTag? {
        single("ETag").flatMap { try? EntityTag($0) }.flatMap { $0.isWeak ? nil : $0 }
    }

    /// The earliest time at which the first byte of an answer may have been sent; nil when none was.
    ///
    /// A reply without an entry of its own, such as that of an effect, may have begun as soon as the request had
    /// arrived.
    var answerNanoseconds: UInt64? {
        if hasBytesOfEffects || !interim.isEmpty || !frameViolations.isEmpty || !violations.isEmpty {
            return nanoseconds
        }
        return replyNanoseconds ?? (isReplySent ? nanoseconds : nil)
    }

    /// The most bytes of a head that every client accepts.
    private static let usualHead = 6 << 10

    /// Whether a success was sent completely that has no content, to another request than HEAD.
    var isServedWithoutContent: Bool {
        guard isWhole, abortedByteCount == nil, let status, 200..<300 ~= status, !head.hasMethod("HEAD"), !isConnect
        else { return false }
        return status == 204 || status == 205 || reply?.content.map { $0.byteCount == 0 } ?? false
    }

    /// Whether the reply was sent completely, and gives no client a reason to refuse it.
    var isServedPlainly: Bool {
        guard isWhole, !hasBytesOfEffects, interim.isEmpty, abortedByteCount == nil, let reply,
            let status, reply.fields != nil, let content = reply.content, reply.codedContent == nil,
            200..<300 ~= status, !isConnect, reply.headByteCount.map({ $0 <= Self.usualHead }) ?? false,
            replyFields.allSatisfy({ $0.bytes.allSatisfy { 0x20...0x7E ~= $0 || $0 == 0x09 } }),
            !["Content-Encoding", "Transfer-Encoding", "Content-Range"].contains(where: replyFields.contains(named:)),
            !isMixedReplace
        else { return false }
        let lengths = replyFields.all(named: "Content-Length")
        guard lengths.count <= 1 else { return false }
        guard let length = lengths.first, !head.hasMethod("HEAD") else { return true }
        return Int(String(decoding: length.bytes, as: UTF8.self)) == content.byteCount
    }
}

extension [HTTPField] {
    /// The value of Content-Length when there is no Transfer-Encoding (RFC 9112 §6.3).
    var contentLength: Int? {
        guard !contains(named: "Transfer-Encoding") else { return nil }
        let lines = all(named: "Content-Length")
        guard lines.count == 1, lines[0].bytes.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return Int(String(decoding: lines[0].bytes, as: UTF8.self))
    }
}
