package import ProctorHTTP

/// Writes frames, lawful or not (RFC 9113 §4.1).
package enum FrameWriter {
    /// Appends a frame; `statedByteCount`, at most 16,777,215, replaces the length in its header.
    package static func append(_ frame: Frame, statedByteCount: Int? = nil, to bytes: inout [UInt8]) {
        bytes.reserveCapacity(bytes.count + Frame.headByteCount + frame.payload.count)
        appendHead(frame, payloadByteCount: statedByteCount ?? frame.payload.count, to: &bytes)
        bytes += frame.payload
    }

    /// Appends a DATA frame without padding, whose content is elsewhere.
    package static func appendData(
        _ content: ArraySlice<UInt8>, on stream: UInt32, endsStream: Bool, to bytes: inout [UInt8]
    ) {
        let head = Frame(.data, flags: endsStream ? .endStream : [], stream: stream)
        appendHead(head, payloadByteCount: content.count, to: &bytes)
        bytes += content
    }

    /// Appends a HEADERS frame with a whole field block.
    package static func appendHeaders(_ block: [UInt8], on stream: UInt32, endsStream: Bool, to bytes: inout [UInt8]) {
        let head = Frame(.headers, flags: endsStream ? [.endHeaders, .endStream] : .endHeaders, stream: stream)
        appendHead(head, payloadByteCount: block.count, to: &bytes)
        bytes += block
    }

    /// Appends the frame header of a payload that is sent separately.
    package static func appendHead(_ frame: Frame, payloadByteCount: Int, to bytes: inout [UInt8]) {
        let length = UInt32(truncatingIfNeeded: payloadByteCount)
        bytes.append(UInt8(truncatingIfNeeded: length >> 16))
        bytes.append(UInt8(truncatingIfNeeded: length >> 8))
        bytes.append(UInt8(truncatingIfNeeded: length))
        bytes.append(frame.type.rawValue)
        bytes.append(frame.flags.rawValue)
        BigEndian.append(frame.stream | (frame.hasReservedBit ? ~Frame.streamMask : 0), to: &bytes)
    }
}

extension Frame {
    /// A DATA frame; `padding` is the number of bytes after the content, 0 to 255, or nil for a frame without padding.
    package static func data(
        _ content: some Collection<UInt8>, on stream: UInt32, endsStream: Bool = false, padding: UInt8? = nil
    ) -> Frame {
        padded(.data, endsStream ? .endStream : [], stream, head: [], content, padding)
    }

    /// A HEADERS frame with a field block, or its beginning.
    package static func headers(
        _ block: some Collection<UInt8>, on stream: UInt32, endsStream: Bool = false, endsHeaders: Bool = true,
        dependency: StreamDependency? = nil, padding: UInt8? = nil
    ) -> Frame {
        var flags: FrameFlags = []
        if endsStream { flags.insert(.endStream) }
        if endsHeaders { flags.insert(.endHeaders) }
        if dependency != nil { flags.insert(.priority) }
        return padded(.headers, flags, stream, head: dependency?.bytes ?? [], block, padding)
    }

    /// A HEADERS frame and its CONTINUATION frames, each with at most `most` bytes of the field block.
    package static func headers(
        dividing block: [UInt8], on stream: UInt32, endsStream: Bool, most: Int, padding: UInt8? = nil
    ) -> [Frame] {
        divided(block, on: stream, most: most) { part, endsHeaders in
            headers(part, on: stream, endsStream: endsStream, endsHeaders: endsHeaders, padding: padding)
        }
    }

    /// A PUSH_PROMISE frame and its CONTINUATION frames, each with a payload of at most `most` bytes, 5 or more.
    package static func pushPromise(
        _ promised: UInt32, dividing block: [UInt8], on stream: UInt32, most: Int
    ) -> [Frame] {
        divided(block, on: stream, most: most - 4) { part, endsHeaders in
            pushPromise(promised, part, on: stream, endsHeaders: endsHeaders)
        }
    }

    private static func divided(
        _ block: [UInt8], on stream: UInt32, most: Int, first: (ArraySlice<UInt8>, Bool) -> Frame
    ) -> [Frame] {
        var rest = block.dropFirst(most)
        var frames = [first(block.prefix(most), rest.isEmpty)]
        while !rest.isEmpty {
            let next = rest.prefix(most)
            rest = rest.dropFirst(most)
            frames.append(continuation(next, on: stream, endsHeaders: rest.isEmpty))
        }
        return frames
    }

    package static func continuation(
        _ block: some Collection<UInt8>, on stream: UInt32, endsHeaders: Bool = true
    ) -> Frame {
        Frame(.continuation, flags: endsHeaders ? .endHeaders : [], stream: stream, payload: Array(block))
    }

    package static func priority(_ dependency: StreamDependency, on stream: UInt32) -> Frame {
        Frame(.priority, stream: stream, payload: dependency.bytes)
    }

    package static func resetStream(_ stream: UInt32, _ code: ErrorCode) -> Frame {
        Frame(.resetStream, stream: stream, payload: words(code.rawValue))
    }

    package static func settings(_ settings: [Setting]) -> Frame {
        var payload: [UInt8] = []
        payload.reserveCapacity(6 * settings.count)
        for setting in settings {
            payload.append(UInt8(truncatingIfNeeded: setting.identifier.rawValue >> 8))
            payload.append(UInt8(truncatingIfNeeded: setting.identifier.rawValue))
            BigEndian.append(setting.value, to: &payload)
        }
        return Frame(.settings, payload: payload)
    }

    package static let settingsAck = Frame(.settings, flags: .ack)

    /// A PUSH_PROMISE frame on the stream of the request to which it belongs.
    package static func pushPromise(
        _ promised: UInt32, _ block: some Collection<UInt8>, on stream: UInt32, endsHeaders: Bool = true,
        padding: UInt8? = nil
    ) -> Frame {
        padded(.pushPromise, endsHeaders ? .endHeaders : [], stream, head: words(promised), block, padding)
    }

    /// A PING frame; lawful if `opaque` has eight bytes.
    package static func ping(_ opaque: [UInt8], isAck: Bool = false) -> Frame {
        Frame(.ping, flags: isAck ? .ack : [], payload: opaque)
    }

    package static func goAway(lastStream: UInt32, _ code: ErrorCode, debug: [UInt8] = []) -> Frame {
        Frame(.goAway, payload: words(lastStream, code.rawValue) + debug)
    }

    /// A WINDOW_UPDATE frame; for the connection if `stream` is 0.
    package static func windowUpdate(_ increment: UInt32, on stream: UInt32 = 0) -> Frame {
        Frame(.windowUpdate, stream: stream, payload: words(increment))
    }

    package static func priorityUpdate(_ stream: UInt32, _ value: [UInt8]) -> Frame {
        Frame(.priorityUpdate, payload: words(stream) + value)
    }

    private static func padded(
        _ type: FrameType, _ flags: FrameFlags, _ stream: UInt32, head: [UInt8], _ content: some Collection<UInt8>,
        _ padding: UInt8?
    ) -> Frame {
        guard let padding else { return Frame(type, flags: flags, stream: stream, payload: head + Array(content)) }
        let payload = [padding] + head + Array(content) + [UInt8](repeating: 0, count: Int(padding))
        return Frame(type, flags: flags.union(.padded), stream: stream, payload: payload)
    }

    private static func words(_ words: UInt32...) -> [UInt8] {
        words.reduce(into: []) { BigEndian.append($1, to: &$0) }
    }
}

extension StreamDependency {
    fileprivate var bytes: [UInt8] {
        var bytes: [UInt8] = []
        BigEndian.append(stream | (isExclusive ? ~Frame.streamMask : 0), to: &bytes)
        bytes.append(UInt8(weight - 1))
        return bytes
    }
}
