/// Appends the parts of a reply to a buffer; fields and chunks are written by `MessageWriter`.
public enum ReplyWriter: MessageWriter {
    /// `HTTP/1.1 200 OK` and CRLF; an empty reason keeps the space before it, as RFC 9112 §4 wants.
    public static func statusLine(
        version: HTTPVersion = .http11, status: Int, reason: [UInt8], into buffer: inout [UInt8]
    ) {
        statusLine(version: Array(version.description.utf8), status: status, reason: reason, into: &buffer)
    }

    /// With the version as raw bytes, for a fixture that writes its own.
    public static func statusLine(version: [UInt8], status: Int, reason: [UInt8], into buffer: inout [UInt8]) {
        buffer.append(contentsOf: version)
        buffer.append(.space)
        decimal(status, into: &buffer)
        buffer.append(.space)
        buffer.append(contentsOf: reason)
        lineEnd(into: &buffer)
    }
}
