/// What requests and replies are both made of, appended byte for byte as told: nothing is checked, added or mended.
///
/// The server must be able to send what is illegal; a caller who wants a legal message hands in legal parts.
public protocol MessageWriter {}

extension MessageWriter {
    /// `Name: value` and CRLF; an empty value leaves the space after the colon.
    public static func fieldLine(
        name: some Collection<UInt8>, value: some Collection<UInt8>, into buffer: inout [UInt8]
    ) {
        buffer.append(contentsOf: name)
        buffer.append(UInt8(ascii: ":"))
        buffer.append(.space)
        buffer.append(contentsOf: value)
        lineEnd(into: &buffer)
    }

    /// CRLF: ends a line, a head, a chunk's content or a trailer section.
    public static func lineEnd(into buffer: inout [UInt8]) {
        buffer.append(.carriageReturn)
        buffer.append(.lineFeed)
    }

    /// The chunk-size line: lower-case hexadecimal, the raw extension bytes (with their `;`), CRLF.
    ///
    /// Behind one of size 0 the trailer field lines and one more `lineEnd` are to follow.
    public static func chunkHead(byteCount: Int, extensions: [UInt8] = [], into buffer: inout [UInt8]) {
        buffer.append(contentsOf: String(byteCount, radix: 16).utf8)
        buffer.append(contentsOf: extensions)
        lineEnd(into: &buffer)
    }

    /// The CRLF after a chunk's content.
    public static func chunkEnd(into buffer: inout [UInt8]) {
        lineEnd(into: &buffer)
    }

    /// Decimal digits without an allocation; a negative number keeps its sign.
    public static func decimal(_ number: Int, into buffer: inout [UInt8]) {
        if number < 0 { buffer.append(UInt8(ascii: "-")) }
        var rest = number.magnitude
        let start = buffer.count
        repeat {
            buffer.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        buffer[start...].reverse()
    }
}

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

    /// Whether these bytes are a token, as every method is (RFC 9110 §9.1), registered or not.
    public static func isMethod(_ text: String.UTF8View) -> Bool { text.isToken }
}
