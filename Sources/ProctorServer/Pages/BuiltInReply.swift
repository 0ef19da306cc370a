internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal

/// A small text reply of the server itself, as opposed to one of a fixture.
struct BuiltInReply: Sendable {
    let status: Int
    let contentType: String
    let body: [UInt8]
    var fields: [(name: String, value: String)] = []

    init(status: Int, contentType: String = "text/plain; charset=utf-8", body: String) {
        self.init(status: status, contentType: contentType, bytes: Array(body.utf8))
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

    /// The bytes that answer a request; a HEAD gets the head alone.
    ///
    /// `request` is nil when no head could be read.
    ///
    /// `closes` says that the connection ends after it whatever the request says.
    func bytes(for request: RequestHead?, closes: Bool = false) -> [UInt8] {
        var bytes = head(for: request, closes: closes)
        if request?.hasMethod("HEAD") != true { bytes += body }
        return bytes
    }

    /// The same reply for the journal of a scenario.
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
        var lines = [
            (name: "Content-Type", value: contentType), ("Content-Length", String(body.count)),
            ("Cache-Control", "no-store"),
        ]
        lines += fields
        if closes || request?.keepsConnection != true || request?.version == .http10 {
            lines.append(("Connection", "close"))
        }
        return lines
    }

    /// What a request that can't be read is told: the journal's sentence.
    static func refusal(_ violation: Violation) -> BuiltInReply {
        BuiltInReply(
            status: violation.status,
            body: """
                proctor could not read this request.

                \(violation.kind.rawValue) at byte \(violation.offset) of the request
                \(violation.sentence)
                (\(violation.section))

                """)
    }

    /// Told to a client that repeats itself.
    static func beyondBound(status: Int) -> BuiltInReply {
        BuiltInReply(
            status: status,
            body: """
                this run has seen the same too often, and answers no more.

                its journal says what, and how often.

                """)
    }

    /// Told in plain HTTP to a client that speaks it where TLS is spoken.
    static func plainHTTP(secured address: String) -> BuiltInReply {
        BuiltInReply(
            status: 400,
            body: """
                this port speaks TLS, and what came is plain HTTP.

                use \(address)

                """)
    }

    /// Told to a connection beyond the limit.
    static func tooManyConnections(limit: Int) -> BuiltInReply {
        BuiltInReply(
            status: 503,
            body: """
                proctor has \(limit) open connections on this address, which is its limit.
                Close some, or wait until others have ended.

                """)
    }
}
