import ProctorBase

/// A reply of HTTP/2 or HTTP/3, in the form that a reply of HTTP/1.1 has (RFC 9113 §8.3.2, RFC 9114 §4.3.2).
extension ReplyHead {
    /// The head of a stream, interim or final; `fields` are without pseudo-header fields.
    ///
    /// `contentLength` is the value of all Content-Length fields, nil if there is none. `hasNoContent` is true for
    /// replies to HEAD, and if the stream ends with the head.
    package init(
        status: Int, fields: [(name: [UInt8], value: [UInt8])], contentLength: Int?, hasNoContent: Bool,
        version: HTTPVersion = .http2
    ) {
        var bytes = Array("HTTP/\(version.major) \(status) \r\n".utf8)
        let line = StatusLine(status: status, version: version, end: bytes.count)
        var entries: [FieldSection.Entry] = []
        entries.reserveCapacity(fields.count)
        for field in fields {
            let start = bytes.count
            ReplyWriter.fieldLine(name: field.name, value: field.value, into: &bytes)
            entries.append(
                FieldSection.Entry(
                    start: start, nameEnd: start + field.name.count,
                    value: start + field.name.count + 2..<bytes.count - 2, lineEnd: bytes.count - 2))
        }
        ReplyWriter.lineEnd(into: &bytes)
        let framing: ReplyFraming =
            hasNoContent || Self.hasNoContent(status) ? .none : contentLength.map { .length($0) } ?? .stream
        self.init(
            fields: FieldSection(bytes: bytes, unfolded: [], entries: entries), line: line, framing: framing)
    }
}
