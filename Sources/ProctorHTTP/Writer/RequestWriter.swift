/// Appends the parts of a request to a buffer; fields and chunks are written by `MessageWriter`.
public enum RequestWriter: MessageWriter {
    /// `GET /path HTTP/1.1` and CRLF (RFC 9112 §3).
    ///
    /// Method and target must hold neither spaces nor line ends, or the peer reads another request than was meant:
    /// `ClientURL` gives such targets, and `RequestWriter.isMethod` tells of a method.
    public static func requestLine(
        method: some Collection<UInt8>, target: some Collection<UInt8>, version: HTTPVersion = .http11,
        into buffer: inout [UInt8]
    ) {
        buffer.append(contentsOf: method)
        buffer.append(.space)
        buffer.append(contentsOf: target)
        buffer.append(.space)
        // What nearly every request says needs no text made for it.
        buffer.append(contentsOf: version == .http11 ? "HTTP/1.1".utf8 : version.description.utf8)
        lineEnd(into: &buffer)
    }

    /// All of them in order, as they are; the `lineEnd` that ends the head is to follow.
    ///
    /// Whether a field can stand in a head without ending its line, `HTTPField.isSendable` tells.
    public static func fieldLines(_ fields: [HTTPField], into buffer: inout [UInt8]) {
        for field in fields { fieldLine(name: field.name.utf8, value: field.bytes, into: &buffer) }
    }

    /// Whether these bytes are a token, as every method is (RFC 9110 §9.1); methods nobody registered are, too.
    public static func isMethod(_ text: String.UTF8View) -> Bool { text.isToken }
}
