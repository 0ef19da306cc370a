package import ProctorHTTP
internal import ProctorJournal
internal import ProctorScenario

/// A final reply that is a head and content in memory, with a Content-Length and nothing else that the planner would have
/// to work out: it is written straight away, for one request.
package struct PlainReply {
    let status: Int
    /// With its CRLF.
    let statusLine: [UInt8]

    package init(status: Int, statusLine: [UInt8]) { (self.status, self.statusLine) = (status, statusLine) }

    /// Longer content is planned as any other is.
    static let contentByteLimit = SentContent.keptByteLimit
    /// Longer heads are read as a client reads them, who may refuse them.
    static let headByteLimit = 4096

    /// `fields` are those before Content-Length; nil where head or content are longer than the bounds.
    package func written(
        _ fields: consuming FieldSectionWriter, content: [UInt8], omitsContent: Bool
    ) -> ShortReply? {
        guard content.count <= Self.contentByteLimit else { return nil }
        fields.addContentLength(content.count)
        let headByteCount = statusLine.count + fields.bytes.count + 2
        guard headByteCount <= Self.headByteLimit else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(headByteCount + (omitsContent ? 0 : content.count))
        bytes.append(contentsOf: statusLine)
        bytes.append(contentsOf: fields.bytes)
        ReplyWriter.lineEnd(into: &bytes)
        if !omitsContent { bytes.append(contentsOf: content) }
        let sent = SentReply(
            status: status, fields: fields.section(), headByteCount: headByteCount,
            content: omitsContent ? .empty : SentContent(byteCount: content.count, kept: content),
            isOfOneRequest: true)
        return ShortReply(status: status, bytes: bytes, reply: sent)
    }

    /// Whether a field of that name is about framing, codings, cookies or the connection.
    ///
    /// By the length first, so that most names cost nothing.
    package static func isSpecial(_ name: Span<UInt8>) -> Bool {
        switch name.count {
        case 10: name.equalsIgnoringCase("connection") || name.equalsIgnoringCase("set-cookie")
        case 14: name.equalsIgnoringCase("content-length")
        case 16: name.equalsIgnoringCase("content-encoding")
        case 17: name.equalsIgnoringCase("transfer-encoding")
        default: false
        }
    }

    /// Whether a client reads the bytes of a field as they are.
    static func isText(_ bytes: [UInt8]) -> Bool {
        for byte in bytes where byte < 0x20 && byte != 0x09 || byte == 0x7F { return false }
        return true
    }

    /// Whether a status has content, as far as it alone says so (RFC 9110 §6.4.1).
    package static func isPlain(_ status: Int) -> Bool { status >= 200 && !ReplyHead.hasNoContent(status) }
}

/// Status lines of HTTP/1.1 with the registered phrases, made once.
package enum StatusLines {
    private static let made: [[UInt8]] = (100...999).map { line($0, StatusPhrase.registered($0) ?? "") }

    /// With its CRLF.
    package static func registered(_ status: Int) -> [UInt8] {
        made.indices.contains(status - 100) ? made[status - 100] : line(status, "")
    }

    package static func line(_ status: Int, _ reason: String) -> [UInt8] {
        var bytes: [UInt8] = []
        ReplyWriter.statusLine(status: status, reason: Array(reason.utf8), into: &bytes)
        return bytes
    }
}
