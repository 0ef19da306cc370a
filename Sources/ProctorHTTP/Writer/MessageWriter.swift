/// What requests and replies are both made of, appended byte for byte as told: nothing is checked, added or mended.
///
/// The server must be able to send what is illegal; whoever wants a legal message hands in legal parts.
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
    public static func chunkHead(byteCount: Int, extensions: [UInt8] = [], into buffer: inout [UInt8]) {
        buffer.append(contentsOf: String(byteCount, radix: 16).utf8)
        buffer.append(contentsOf: extensions)
        lineEnd(into: &buffer)
    }

    /// The CRLF after a chunk's content.
    public static func chunkEnd(into buffer: inout [UInt8]) {
        lineEnd(into: &buffer)
    }

    /// `0` and CRLF; the trailer field lines and one more `lineEnd` are to follow.
    public static func lastChunk(extensions: [UInt8] = [], into buffer: inout [UInt8]) {
        chunkHead(byteCount: 0, extensions: extensions, into: &buffer)
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
