internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal

/// A small text reply of the server itself, not of a fixture.
struct BuiltInReply: Sendable {
    let status: Int
    let contentType: String
    let body: [UInt8]
    var fields: [(name: String, value: String)] = []
    var cacheControl = "no-store"
    /// Sent behind ``body`` as long as the stream lasts; nil: the reply ends with ``body``.
    var stream: JournalStream?

    init(status: Int, contentType: String = "text/plain; charset=utf-8", body: String) {
        self.init(status: status, contentType: contentType, bytes: Array(body.utf8))
    }

    init(status: Int, lines: [String]) {
        self.init(status: status, body: lines.joined(separator: "\n") + "\n")
    }

    init(status: Int, json: consuming JSONText) {
        json.lineEnd()
        self.init(status: status, contentType: "application/json", bytes: json.bytes)
    }

    init(status: Int, contentType: String, bytes: [UInt8]) {
        self.status = status
        self.contentType = contentType
        body = bytes
    }

    /// The bytes that answer a request, nil for a malformed head; HEAD gets the head alone.
    ///
    /// `closes`: the connection ends after the reply, whatever the request says.
    func bytes(for request: RequestHead?, closes: Bool = false) -> [UInt8] {
        var bytes = head(for: request, closes: closes)
        if request?.hasMethod("HEAD") != true { bytes += body }
        return bytes
    }

    func sent(to request: RequestHead?, closes: Bool = false) -> SentReply {
        let content = request?.hasMethod("HEAD") == true ? [] : body
        return SentReply(
            status: status,
            fields: FieldSection(
                lines(for: request, closes: closes).map { (Array($0.name.utf8), Array($0.value.utf8)) }),
            headByteCount: head(for: request, closes: closes).count,
            content: SentContent(reading: [ContentPiece(content)]))
    }

    private func head(for request: RequestHead?, closes: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        ReplyWriter.statusLine(
            status: status, reason: Array((StatusPhrase.registered(status) ?? "").utf8), into: &bytes)
        for line in lines(for: request, closes: closes) {
            ReplyWriter.fieldLine(name: line.name.utf8, value: line.value.utf8, into: &bytes)
        }
        ReplyWriter.lineEnd(into: &bytes)
        return bytes
    }

    private func lines(for request: RequestHead?, closes: Bool) -> [(name: String, value: String)] {
        var lines: [(name: String, value: String)] = []
        lines.reserveCapacity(12)
        if status != 304 { lines.append(("Content-Type", contentType)) }
        switch stream {
        case nil where status != 304: lines.append(("Content-Length", String(body.count)))
        case .some where request?.version != .http10: lines.append(("Transfer-Encoding", "chunked"))
        default: break
        }
        lines.append(("Cache-Control", cacheControl))
        lines += PageSecurity.fields(of: contentType)
        lines += fields
        if closes || request?.keepsConnection != true || request?.version == .http10 {
            lines.append(("Connection", "close"))
        }
        return lines
    }

    static func refusal(_ violation: Violation) -> BuiltInReply {
        BuiltInReply(
            status: violation.status,
            lines: [
                "proctor could not read this request.", "",
                "\(violation.kind.rawValue) at byte \(violation.offset) of the request", violation.sentence,
                "(\(violation.section))",
            ])
    }

    static func beyondBound(status: Int) -> BuiltInReply {
        BuiltInReply(
            status: status,
            lines: [
                "this run has seen the same too often, and answers no more.", "",
                "its journal says what, and how often.",
            ])
    }

    static func plainHTTP(secured address: String) -> BuiltInReply {
        BuiltInReply(
            status: 400, lines: ["this port speaks TLS, and what came is plain HTTP.", "", "use \(address)"])
    }

    /// `isWhole`: the limit is that of all addresses together.
    static func tooManyConnections(limit: Int, isWhole: Bool) -> BuiltInReply {
        BuiltInReply(
            status: 503,
            lines: [
                "proctor has \(limit) open connections\(isWhole ? "" : " on this address"), which is its limit.",
                "Close some, or wait until others have ended.",
            ])
    }
}
