/// Appends the common parts of requests and replies byte for byte, without checks.
///
/// The server must be able to send illegal messages; for legal ones callers must pass legal parts.
package protocol MessageWriter {}

extension MessageWriter {
    /// Appends `Name: value` and CRLF; with an empty value the space after the colon stays.
    package static func fieldLine(
        name: some Collection<UInt8>, value: some Collection<UInt8>, into buffer: inout [UInt8]
    ) {
        buffer.append(contentsOf: name)
        buffer.append(UInt8(ascii: ":"))
        buffer.append(.space)
        buffer.append(contentsOf: value)
        lineEnd(into: &buffer)
    }

    /// Not generic, since a generic call from another module is not specialised.
    package static func fieldLine(name: String, value: String, into buffer: inout [UInt8]) {
        buffer.append(contentsOf: name.utf8)
        buffer.append(UInt8(ascii: ":"))
        buffer.append(.space)
        buffer.append(contentsOf: value.utf8)
        lineEnd(into: &buffer)
    }

    /// CRLF.
    package static func lineEnd(into buffer: inout [UInt8]) {
        buffer.append(.carriageReturn)
        buffer.append(.lineFeed)
    }

    /// Appends the chunk-size line: lower-case hexadecimal, the raw extension bytes (with their `;`), CRLF.
    ///
    /// After size 0 the trailer fields and one more `lineEnd` follow.
    package static func chunkHead(byteCount: Int, extensions: [UInt8] = [], into buffer: inout [UInt8]) {
        buffer.append(contentsOf: String(byteCount, radix: 16).utf8)
        buffer.append(contentsOf: extensions)
        lineEnd(into: &buffer)
    }

    package static func chunkEnd(into buffer: inout [UInt8]) {
        lineEnd(into: &buffer)
    }

    /// Appends decimal digits without allocating; a negative number keeps its sign.
    package static func decimal(_ number: Int, into buffer: inout [UInt8]) {
        if number < 0 { buffer.append(UInt8(ascii: "-")) }
        let magnitude = number.magnitude
        var unit: UInt = 1
        while magnitude / unit >= 10 { unit *= 10 }
        while unit > 0 {
            buffer.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude / unit % 10))
            unit /= 10
        }
    }
}

/// Appends the parts of a reply; `MessageWriter` writes fields and chunks.
package enum ReplyWriter: MessageWriter {
    /// Appends `HTTP/1.1 200 OK` and CRLF; an empty reason keeps the space before it (RFC 9112 §4).
    package static func statusLine(
        version: HTTPVersion = .http11, status: Int, reason: [UInt8], into buffer: inout [UInt8]
    ) {
        statusLine(version: Array(version.description.utf8), status: status, reason: reason, into: &buffer)
    }

    /// Appends a status line with any bytes as the version, for scenarios that give them.
    package static func statusLine(version: [UInt8], status: Int, reason: [UInt8], into buffer: inout [UInt8]) {
        buffer.append(contentsOf: version)
        buffer.append(.space)
        decimal(status, into: &buffer)
        buffer.append(.space)
        buffer.append(contentsOf: reason)
        lineEnd(into: &buffer)
    }
}

/// Appends the parts of a request; `MessageWriter` writes fields and chunks.
package enum RequestWriter: MessageWriter {
    /// Appends `GET /path HTTP/1.1` and CRLF (RFC 9112 §3).
    ///
    /// Method and target must not contain spaces or line ends; use the target of a `ClientURL` and check the method by
    /// `RequestWriter.isMethod`.
    package static func requestLine(
        method: some Collection<UInt8>, target: some Collection<UInt8>, version: HTTPVersion = .http11,
        into buffer: inout [UInt8]
    ) {
        buffer.append(contentsOf: method)
        buffer.append(.space)
        buffer.append(contentsOf: target)
        buffer.append(.space)
        // Makes no text for the usual version.
        buffer.append(contentsOf: version == .http11 ? "HTTP/1.1".utf8 : version.description.utf8)
        lineEnd(into: &buffer)
    }

    /// Appends all fields in order; the `lineEnd` of the head follows.
    ///
    /// Check fields by `HTTPField.isSendable`.
    package static func fieldLines(_ fields: [HTTPField], into buffer: inout [UInt8]) {
        for field in fields { fieldLine(name: field.name.utf8, value: field.bytes, into: &buffer) }
    }

    /// Whether the bytes are a token (RFC 9110 §9.1), registered or not.
    package static func isMethod(_ text: String.UTF8View) -> Bool { text.isToken }
}
