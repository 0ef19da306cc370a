internal import ProctorBase
internal import ProctorHTTP

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
        var bytes: [UInt8] = []
        ReplyWriter.statusLine(
            status: status, reason: Array((StatusPhrase.registered(status) ?? "").utf8), into: &bytes)
        ReplyWriter.fieldLine(name: "Content-Type".utf8, value: contentType.utf8, into: &bytes)
        ReplyWriter.fieldLine(name: "Content-Length".utf8, value: String(body.count).utf8, into: &bytes)
        ReplyWriter.fieldLine(name: "Cache-Control".utf8, value: "no-store".utf8, into: &bytes)
        for field in fields { ReplyWriter.fieldLine(name: field.name.utf8, value: field.value.utf8, into: &bytes) }
        if closes || request?.keepsAlive != true || request?.version == .http10 {
            ReplyWriter.fieldLine(name: "Connection".utf8, value: "close".utf8, into: &bytes)
        }
        ReplyWriter.lineEnd(into: &bytes)
        if request?.hasMethod("HEAD") != true { bytes += body }
        return bytes
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
