import ProctorBase
import ProctorHTTP

/// A recorded reply as one of a fixture.
struct ReplyDrafter {
    let store: SecretStore
    let addresses: LateAddresses
    private(set) var remarks = ImportRemarks()
    /// Names of fields that no reply has taken over, each with its reason.
    private(set) var leftOut: [String: String] = [:]
    /// Bytes that may still be decoded.
    private var decodedLimit = RecordedContent.contentLimit

    init(store: SecretStore, addresses: LateAddresses) {
        (self.store, self.addresses) = (store, addresses)
    }

    /// Fields that belong to one connection (RFC 9110 §7.6.1), and the length that the server tells itself.
    static let ofConnection: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
        "content-length",
    ]
    private static let ofPlace = [
        "server": "another program answers now",
        "alt-svc": "it leads clients to another server",
        "strict-transport-security": "it has no meaning without TLS",
        "nel": "it makes browsers report to another server",
        "report-to": "it makes browsers report to another server",
        "reporting-endpoints": "it makes browsers report to another server",
    ]

    /// The content without its codings, within what is left for the recording.
    mutating func read(_ recorded: RecordedReply) -> RecordedContent {
        let read = RecordedContent(recorded, limit: decodedLimit)
        if !read.isAsSent || !read.steps.isEmpty { decodedLimit = max(0, decodedLimit - read.content.count) }
        return read
    }

    /// `read` is its content.
    mutating func draft(
        _ recorded: RecordedReply, _ read: RecordedContent, to request: RecordedRequest, at place: String
    ) -> DraftReply {
        guard recorded.status > 0 else {
            // The server ended or stalled without a head.
            var reply = DraftReply(200)
            reply.isRaw = true
            return reply
        }
        if let stored = stored(recorded, to: request) {
            remarks.add(
                at: place,
                "the 304 has the content that the client had stored: the reply is a 200 with it, and 304 to a request "
                    + "whose condition says so")
            var reply = draft(stored, read, to: request, at: place)
            reply.more.append(.init("honours", .text("conditions")))
            return reply
        }
        var reply = DraftReply(recorded.status)
        let registered = StatusPhrase.registered(recorded.status) ?? ""
        if let reason = recorded.reason, recorded.version.hasPrefix("HTTP/1"), reason != registered, !reason.isEmpty {
            reply.reason = LiteralText.late(reason)
        }
        if recorded.version == "HTTP/1.0" { reply.version = "HTTP/1.0" }
        let hasContent = request.method != "HEAD" && !ReplyHead.hasNoContent(recorded.status)
        var content = recorded.content
        var keepsCoding = true
        if hasContent {
            content = read.content
            reply.coding = read.steps
            keepsCoding = read.steps.isEmpty
            if let sentence = read.remark { remarks.add(at: place, sentence) }
            if let announced = recorded.fields.value(of: "Content-Length").flatMap({ Int($0) }),
                announced != recorded.content.count, read.isAsSent, !recorded.content.isEmpty, recorded.ending == nil
            {
                remarks.add(
                    at: place,
                    "the source holds \(recorded.content.count) bytes of content, and its Content-Length says \(announced): "
                        + "what it holds is sent")
            }
        } else if !content.isEmpty {
            remarks.add(at: place, "a reply like this has no content; \(content.count) bytes are left out")
            content = []
        }
        let moment = LateDate.moment(of: recorded.fields)
        reply.headers = fields(
            recorded.fields, keepsCoding: keepsCoding, keepsLength: !hasContent || recorded.ending != nil,
            moment: moment, at: place)
        reply.trailers = fields(recorded.trailers, keepsCoding: true, keepsLength: false, moment: moment, at: place)
        reply.interim = recorded.interim.filter { $0.status != 100 }.map { interim in
            let headers = fields(interim.fields, keepsCoding: true, keepsLength: false, moment: moment, at: place)
            return .interim(interim.status, headers)
        }
        if hasContent { reply.framing = framing(recorded) }
        reply.body = body(content, type: MediaType(of: recorded.fields), at: place)
        if hasContent, let stored = recorded.stored {
            reply.body = .stored(stored)
            remarks.add(
                at: place,
                "the content of \(stored.byteCount) bytes is a file as it came: it was not searched for secrets and "
                    + "addresses, and its codings stand")
        }
        reply.ending = hasContent ? recorded.ending?.rawValue : nil
        return reply
    }

    /// The 200 that a client had before it got a 304, where the recording has its content and what conditions are about.
    private func stored(_ recorded: RecordedReply, to request: RecordedRequest) -> RecordedReply? {
        guard recorded.status == 304, !recorded.content.isEmpty, request.method == "GET",
            recorded.fields.contains(where: { $0.isNamed("ETag") || $0.isNamed("Last-Modified") })
        else { return nil }
        var stored = recorded
        stored.status = 200
        stored.reason = nil
        return stored
    }

    private func framing(_ recorded: RecordedReply) -> String? {
        switch recorded.framing {
        case .chunked: "chunked"
        case .untilClose: "close"
        case .length: nil
        case .unknown:
            recorded.version == "HTTP/1.1"
                && recorded.fields.contains { $0.isNamed("transfer-encoding") && $0.value.lowercased() == "chunked" }
                ? "chunked" : nil
        }
    }

    // MARK: Fields

    private mutating func fields(
        _ fields: [HTTPField], keepsCoding: Bool, keepsLength: Bool, moment: Int?, at place: String
    ) -> [YAMLTree.Member] {
        var members: [YAMLTree.Member] = []
        let listed = Self.listed(fields)
        for field in fields {
            switch fate(of: field, among: fields, listed: listed) {
            case .ofConnection:
                if keepsLength, field.isNamed("Content-Length") {
                    members.append(.init(field.name, .text(field.value)))
                }
            case .leftOut(let reason): leftOut[field.name] = reason
            case .kept where field.isNamed("Content-Encoding") && !keepsCoding: continue
            case .kept where !field.isSendable:
                remarks.add(at: place, "the field \(field.name) can't be sent, and is left out")
            case .kept: members.append(.init(field.name, value(of: field, moment: moment)))
            }
        }
        return members
    }

    /// What becomes of a field.
    enum FieldFate {
        case kept
        /// The field belongs to one connection, or the server tells it itself.
        case ofConnection
        case leftOut(String)
    }

    func fate(of field: HTTPField, among fields: [HTTPField], listed: Set<String>) -> FieldFate {
        let name = field.name.lowercased()
        if Self.ofConnection.contains(name) || listed.contains(name) || name.hasPrefix(":") { return .ofConnection }
        if name == "date", !Self.countsFromDate(fields) {
            return .leftOut("nothing in those replies is measured from it")
        }
        return Self.ofPlace[name].map { .leftOut($0) } ?? .kept
    }

    /// The names that Connection lists, in lower case.
    static func listed(_ fields: [HTTPField]) -> Set<String> {
        Set(
            fields.all(named: "Connection").flatMap { field in
                field.value.lowercased().split(separator: ",").map { word in word.filter { $0 != " " } }
            })
    }

    /// Whether caches and cookie jars may need the date of the reply.
    private static func countsFromDate(_ fields: [HTTPField]) -> Bool {
        ["Expires", "Age", "Cache-Control", "Last-Modified", "ETag"].contains { fields.contains(named: $0) }
    }

    private mutating func value(of field: HTTPField, moment: Int?) -> YAMLTree {
        if let late = LateDate.late(field, moment: moment) { return .text(late) }
        if field.isNamed("Set-Cookie") { return .text(setCookie(field, moment: moment)) }
        if SecretNames.contains(field.name), !store.keepsSecrets, let word = store.known(field.bytes) {
            return .text(word)
        }
        let bytes = store.redact(field.bytes)
        guard let text = String(validUTF8: bytes) else {
            return .base64(bytes)
        }
        if ValueForms.isUUID(text.utf8), ValueForms.namesRequests(field.name) { return .text("{{uuid}}") }
        return .text(addresses.late(text))
    }

    /// The cookie with another value, and without what makes clients ignore it at the scenario's address.
    private mutating func setCookie(_ field: HTTPField, moment: Int?) -> String {
        let parts = field.bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        var texts: [String] = []
        for (number, part) in parts.enumerated() {
            let trimmed = part.drop { $0 == 0x20 }
            let halves = trimmed.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = halves.first ?? []
            if number == 0 {
                texts.append(pair(Array(trimmed), name: Array(name), value: halves.count == 2 ? Array(halves[1]) : nil))
            } else if name.isSame("domain") {
                leftOut["Domain of Set-Cookie"] = "clients would ignore the cookie at the scenario's own address"
            } else if name.isSame("secure") {
                leftOut["Secure of Set-Cookie"] = "clients would not return the cookie over http"
            } else if name.isSame("expires"), halves.count == 2, let date = CookieDate.unixSeconds(Array(halves[1])),
                let moment, date > moment
            {
                texts.append("\(String(decoding: name, as: UTF8.self))=\(LateDate.text(date - moment))")
            } else {
                texts.append(LiteralText.late(String(decoding: trimmed, as: UTF8.self)))
            }
        }
        return texts.joined(separator: "; ")
    }

    private func pair(_ whole: [UInt8], name: [UInt8], value: [UInt8]?) -> String {
        guard let value, !value.isEmpty, !store.keepsSecrets, let word = store.known(value) else {
            return LiteralText.late(String(decoding: store.redact(whole), as: UTF8.self))
        }
        return LiteralText.late(String(decoding: name, as: UTF8.self)) + "=\(word)"
    }

    // MARK: Content

    /// Text where it is some, with late-bound addresses where it stands in the fixture.
    private mutating func body(_ content: [UInt8], type: MediaType?, at place: String) -> DraftBody {
        guard !content.isEmpty else { return .none }
        guard let text = String(validUTF8: content), type?.isText ?? !content.contains(0) else {
            return .bytes(content)
        }
        let redacted = store.keepsSecrets ? text : String(decoding: redacted(content, type: type), as: UTF8.self)
        guard addresses.occur(in: redacted) else { return .text(redacted) }
        guard redacted.utf8.count <= Self.lateByteCount else {
            remarks.add(
                at: place,
                "the content of \(content.count) bytes names a recorded origin, and files have no late-bound text: "
                    + "clients that follow the URL leave the scenario")
            return .text(redacted)
        }
        return .late(addresses.late(redacted))
    }

    private static let lateByteCount = 32 << 10

    /// The content without its secrets; in JSON those of members that are called so too, however short they are.
    func redacted(_ content: [UInt8], type: MediaType?) -> [UInt8] {
        guard type?.isJSON == true, let document = try? JSONDocument(parsing: content) else {
            return store.redact(content)
        }
        var redacted: [UInt8] = []
        var end = 0
        for (index, value) in document.values.enumerated() {
            guard case .text(let secret) = value.kind, let name = value.name.flatMap({ String(validUTF8: $0) }),
                SecretNames.contains(name), let word = store.known(secret)
            else { continue }
            let range = document.text(of: index)
            guard range.startIndex >= end, range.endIndex <= content.count else { continue }
            redacted += content[end..<range.startIndex] + Array("\"\(word)\"".utf8)
            end = range.endIndex
        }
        return store.redact(redacted + content[end...])
    }
}

/// What a value is by its form.
enum ValueForms {
    /// 8-4-4-4-12 hexadecimal digits.
    static func isUUID(_ text: some Collection<UInt8>) -> Bool {
        guard text.count == 36 else { return false }
        for (index, byte) in text.enumerated() {
            let isDash = [8, 13, 18, 23].contains(index)
            guard isDash ? byte == UInt8(ascii: "-") : byte.hexadecimalValue != nil else { return false }
        }
        return true
    }

    /// Whether a field of that name holds an id that each reply has anew.
    static func namesRequests(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["request-id", "requestid", "trace-id", "traceid", "correlation-id"].contains { name.hasSuffix($0) }
    }

    /// Milliseconds or seconds since 1970 between 2001 and 2100.
    static func isTimestamp(_ text: some Collection<UInt8>) -> Bool {
        guard text.count == 13 || text.count == 10, text.allSatisfy(\.isASCIIDigit), let first = text.first else {
            return false
        }
        return first == UInt8(ascii: "1") || first == UInt8(ascii: "2")
    }
}
