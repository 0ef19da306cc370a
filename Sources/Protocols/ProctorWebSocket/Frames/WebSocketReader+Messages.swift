internal import ProctorBase

extension WebSocketReader {
    /// A lawful message that is one frame, without compression.
    package struct WholeMessage {
        package let head: WebSocketFrameHead
        /// The offset of the frame: bytes from the first byte behind the handshake.
        package let offset: Int
        package let content: [UInt8]
    }

    /// The next message, where all of it is there in one lawful frame of less than 64 KiB; nil for everything else, of which
    /// ``next(_:at:)`` gives the events.
    ///
    /// `position` is moved behind what was read. Most messages are such ones, and one call costs less than five events.
    package mutating func nextWholeMessage(
        _ bytes: borrowing Span<UInt8>, at position: inout Int
    ) -> WholeMessage? {
        let isMasked = role == .server
        guard isBetweenMessages, bytes.count - position >= (isMasked ? 6 : 2) else { return nil }
        let start = position
        guard bytes[start] == 0x81 || bytes[start] == 0x82, (bytes[start + 1] & 0x80 != 0) == isMasked else {
            return nil
        }
        var byteCount = Int(bytes[start + 1] & 0x7F)
        var form = LengthForm.short
        if byteCount == 126 {
            guard bytes.count - start >= 4 else { return nil }
            byteCount = Int(bytes[start + 2]) << 8 | Int(bytes[start + 3])
            form = .medium
        }
        let headByteCount = 2 + form.rawValue + (isMasked ? 4 : 0)
        guard byteCount != 127 || form == .medium, form == .short || byteCount > 125,
            bytes.count - start >= headByteCount + byteCount,
            byteCount <= min(limits.frameByteCount, limits.messageByteCount)
        else { return nil }
        var key: MaskingKey?
        if isMasked {
            let place = start + headByteCount - 4
            key = MaskingKey(
                UInt32(bytes[place]) << 24 | UInt32(bytes[place + 1]) << 16 | UInt32(bytes[place + 2]) << 8
                    | UInt32(bytes[place + 3]))
        }
        let payload = bytes.extracting(start + headByteCount..<start + headByteCount + byteCount)
        let content = key?.apply(to: payload, at: 0) ?? payload.array
        let opcode = Opcode(rawValue: bytes[start])
        if opcode == .text {
            var text = UTF8Check()
            guard text.firstWrongByte(in: content.span) == nil, text.missingByteCount == 0 else { return nil }
        }
        let offset = offset
        skip(headByteCount + byteCount)
        position += headByteCount + byteCount
        return WholeMessage(
            head: WebSocketFrameHead(whole: opcode, key, form, byteCount: byteCount), offset: offset, content: content)
    }
}
