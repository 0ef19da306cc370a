internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal

/// The exchanges of a draft: equal requests share one exchange, with their replies in turn.
struct DraftExchanges {
    private(set) var exchanges: [Exchange] = []
    private(set) var remarks: [String] = []
    /// The origins of the requests, in the order of their first request.
    private(set) var origins: [String] = []
    /// The origins that got requests over HTTP/2.
    private(set) var multiplexed: Set<String> = []
    private(set) var plain: Set<String> = []
    private var places: [Key: Int] = [:]
    private var bodyByteCount = 0
    private let marks: DraftMarks

    private struct Key: Hashable {
        let origin: String
        let method: String
        let target: String
        let body: [UInt8]?
    }

    /// One exchange, as a fixture writes it.
    struct Exchange {
        let origin: String
        let method: String
        /// The target as a pattern that matches only this target.
        let target: String
        /// The content that is compared; nil: none.
        let body: [UInt8]?
        /// The replies in turn; never empty.
        fileprivate(set) var replies: [DraftReply]
    }

    init(_ marks: DraftMarks) {
        self.marks = marks
    }

    /// Adds a request with its reply; false when the request can't be repeated, which a remark explains.
    mutating func add(_ request: SeenExchange) -> Bool {
        let place = "entry \(request.sequence)"
        guard let method = String(validating: request.head.methodBytes, as: UTF8.self),
            let target = Self.pattern(request.target)
        else {
            remarks.append("\(place): the method or the target is no text that a fixture can name")
            return false
        }
        guard method != "CONNECT" else {
            remarks.append("\(place): a CONNECT was left out; what came through the tunnel is there by itself")
            return false
        }
        let origin = request.origin ?? "main"
        if request.head.isMultiplexed { multiplexed.insert(origin) } else { plain.insert(origin) }
        let body = comparedBody(of: request, at: place)
        let key = Key(origin: origin, method: method, target: target, body: body)
        let reply = reply(to: request, at: place)
        if let known = places[key] {
            exchanges[known].replies.append(reply)
        } else {
            places[key] = exchanges.count
            exchanges.append(Exchange(origin: origin, method: method, target: target, body: body, replies: [reply]))
            if !origins.contains(origin) { origins.append(origin) }
        }
        return true
    }

    /// The target in the syntax of patterns (Docs/format/requests.md, "In one line"); nil for one that is not printable ASCII.
    private static func pattern(_ target: [UInt8]) -> String? {
        guard !target.isEmpty, target.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
        // The asterisk-form of OPTIONS is written as a pattern of its own.
        if target == [UInt8(ascii: "*")] { return "*" }
        var text = ""
        for byte in target {
            if #"*{}\"#.utf8.contains(byte) { text += "\\" }
            text.unicodeScalars.append(Unicode.Scalar(byte))
        }
        return text
    }

    /// Subtracts bytes from the limit for all bodies; false when fewer are left.
    private mutating func takes(_ byteCount: Int) -> Bool {
        guard byteCount <= ScenarioDraft.bodyByteLimit - bodyByteCount else { return false }
        bodyByteCount += byteCount
        return true
    }

    private mutating func comparedBody(of request: SeenExchange, at place: String) -> [UInt8]? {
        guard let content = request.content, content.byteCount > 0 else { return nil }
        guard content.isComplete, content.kept.count == content.byteCount else {
            remarks.append("\(place): the content of the request is not all there, and is not compared")
            return nil
        }
        guard takes(content.byteCount) else {
            remarks.append(
                "\(place): the content of the request is not compared: a draft has "
                    + "\(ScenarioDraft.bodyByteLimit) bytes of content")
            return nil
        }
        return content.kept
    }

    // MARK: Replies

    private mutating func reply(to request: SeenExchange, at place: String) -> DraftReply {
        guard let sent = request.reply, let status = sent.status, let fields = sent.fields else {
            if request.isReplySent, request.sentStatus == nil {
                remarks.append(
                    "\(place): the reply was raw bytes, which the journal does not hold; a 200 stands for it")
            } else {
                remarks.append("\(place): no reply is known; a 200 stands for it")
            }
            return DraftReply(status: 200)
        }
        var reply = DraftReply(status: status)
        reply.interim = request.interim.compactMap { interim in
            interim.status.map { DraftReply.Interim(status: $0, fields: lines(of: interim.fields)) }
        }
        if request.isReplyCut {
            remarks.append("\(place): effects cut the reply; they were left out, and it is whole here")
        }
        reply.fields = lines(of: fields)
        let isBodyless = request.head.hasMethod("HEAD") || status == 204 || status == 304
        guard !isBodyless else { return reply }
        let isChunked = reply.fields.contains { $0.isNamed("transfer-encoding") && $0.isChunked }
        if isChunked {
            reply.fields.removeAll { $0.isNamed("transfer-encoding") }
            reply.framing = "chunked"
        }
        let body = body(of: sent, at: place)
        reply.body = body.bytes
        reply.hasMarks = marks.areIn(body.bytes)
        let hasLength = reply.fields.contains { $0.isNamed("content-length") }
        // On a stream of HTTP/2, content needs neither a length nor the end of the connection.
        if !isChunked, !hasLength, body.isWhole, !request.head.isMultiplexed { reply.framing = "close" }
        // When a fixture has no length, the server adds that of its body as the last field.
        if body.isWhole, reply.fields.last?.isNamed("content-length") == true,
            reply.fields.last?.value == Array(String(body.bytes.count).utf8)
        {
            reply.fields.removeLast()
        }
        // The server computes the length from the body, since URLs in it have another length in the next run.
        if !body.isWhole || reply.hasMarks { reply.fields.removeAll { $0.isNamed("content-length") } }
        return reply
    }

    private mutating func body(of sent: SentReply, at place: String) -> (bytes: [UInt8], isWhole: Bool) {
        guard let content = sent.codedContent ?? sent.content else {
            remarks.append("\(place): the content of the reply is not in the journal, and was left out")
            return ([], false)
        }
        if !content.isWhole {
            remarks.append(
                "\(place): of the \(content.byteCount) bytes of content of the reply stand the first "
                    + "\(content.kept.count), as the journal has them")
        }
        guard takes(content.kept.count) else {
            remarks.append(
                "\(place): the content of the reply was left out: a draft has \(ScenarioDraft.bodyByteLimit) bytes of "
                    + "content")
            return ([], false)
        }
        return (content.kept, content.isWhole)
    }

    private func lines(of fields: FieldSection?) -> [DraftReply.Field] {
        (fields ?? FieldSection()).map { line in
            DraftReply.Field(name: String(decoding: line.name, as: UTF8.self), value: Array(line.value))
        }
    }
}
