package import ProctorBase
package import ProctorHTTP
internal import ProctorJournal

/// A small text reply of the server itself, not of a fixture.
package struct BuiltInReply: Sendable {
    package let status: Int
    package let contentType: String
    package let body: [UInt8]
    package var fields: [(name: String, value: String)] = []
    package var cacheControl = "no-store"
    /// Sent behind ``body`` as long as the stream lasts; nil: the reply ends with ``body``.
    package var stream: (any ReplyStream)?

    package init(status: Int, contentType: String = "text/plain; charset=utf-8", body: String) {
        self.init(status: status, contentType: contentType, bytes: Array(body.utf8))
    }

    package init(status: Int, lines: [String]) {
        self.init(status: status, body: lines.joined(separator: "\n") + "\n")
    }

    package init(status: Int, json: consuming JSONText) {
        json.lineEnd()
        self.init(status: status, contentType: "application/json", bytes: json.bytes)
    }

    package init(status: Int, contentType: String, bytes: [UInt8]) {
        (self.status, self.contentType) = (status, contentType)
        body = bytes
    }

    /// The bytes that answer a request, nil for a malformed head; HEAD gets the head alone.
    ///
    /// `closes`: the connection ends after the reply, whatever the request says.
    package func bytes(for request: RequestHead?, closes: Bool = false) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512 + body.count)
        ReplyWriter.statusLine(status: status, reason: ReplySection.reason(of: status), into: &bytes)
        for line in lines(for: request, closes: closes) {
            ReplyWriter.fieldLine(name: line.name, value: line.value, into: &bytes)
        }
        ReplyWriter.lineEnd(into: &bytes)
        if request?.hasMethod("HEAD") != true { bytes += body }
        return bytes
    }

    /// The reply for a wire; `isNoted`: a journal has it.
    package func laidOut(
        for request: RequestHead, closes: Bool, as layout: WireLayout, isNoted: Bool = true
    ) -> LaidOutReply {
        // Nothing but its bytes is looked at.
        if layout == .bytes, !isNoted { return LaidOutReply([.bytes(bytes(for: request, closes: closes))]) }
        let isHead = request.hasMethod("HEAD")
        let content = isHead ? [] : body
        return LaidOutReply(
            section(for: request, closes: closes), content,
            sent: isNoted ? SentContent(reading: [ContentPiece(content)]) : nil, endsReply: stream == nil || isHead,
            as: layout)
    }

    private func section(for request: RequestHead?, closes: Bool) -> ReplySection {
        ReplySection(
            status: status,
            fields: lines(for: request, closes: closes).map { .init(Array($0.name.utf8), Array($0.value.utf8)) })
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

    package static func refusal(_ violation: Violation) -> BuiltInReply {
        BuiltInReply(
            status: violation.status,
            lines: [
                "proctor could not read this request.", "",
                "\(violation.kind.rawValue) at byte \(violation.offset) of the request", violation.sentence,
                "(\(violation.section))",
            ])
    }

    package static func beyondBound(status: Int) -> BuiltInReply {
        BuiltInReply(
            status: status,
            lines: [
                "this run has seen the same too often, and answers no more.", "",
                "its journal says what, and how often.",
            ])
    }

    package static func plainHTTP(secured address: String) -> BuiltInReply {
        BuiltInReply(
            status: 400, lines: ["this port speaks TLS, and what came is plain HTTP.", "", "use \(address)"])
    }

    /// `isWhole`: the limit is that of all addresses together.
    package static func tooManyConnections(limit: Int, isWhole: Bool) -> BuiltInReply {
        BuiltInReply(
            status: 503,
            lines: [
                "proctor has \(limit) open connections\(isWhole ? "" : " on this address"), which is its limit.",
                "Close some, or wait until others have ended.",
            ])
    }
}
