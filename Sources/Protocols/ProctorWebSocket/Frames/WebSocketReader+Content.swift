internal import ProctorBase

extension WebSocketReader {
    /// Bytes of the open message, inflated; `start` is where the first one stands, nil where they were inflated.
    mutating func readContent(_ bytes: [UInt8], at start: Int?) {
        guard let open = message, !open.isDropped, !bytes.isEmpty else { return }
        message?.byteCount += bytes.count
        guard let wrong = message?.text?.firstWrongByte(in: bytes.span) else { return emit(.content(bytes)) }
        message?.text = nil
        if wrong > 0 { emit(.content(Array(bytes[..<wrong]))) }
        let byte = "0x" + String(UInt16(bytes[wrong]) | 0x100, radix: 16).dropFirst()
        report(
            .badUTF8, at: start.map { $0 + wrong } ?? open.offset, open.opcode,
            "\(byte) at byte \(open.byteCount + wrong) of the message")
        emit(.content(Array(bytes[wrong...])))
    }

    /// Behind the last frame of the message.
    mutating func endMessage() {
        guard let open = message else { return }
        message = nil
        guard !open.isDropped else { return }
        if let text = open.text, text.missingByteCount > 0 {
            report(
                .incompleteUTF8, at: open.isCompressed ? open.offset : offset, open.opcode,
                "\(Plural.count(text.missingByteCount, "byte")) too early")
        }
        emit(.messageEnded)
    }

    /// One step of what waits to be inflated.
    mutating func inflate() {
        guard let (content, fault) = inflation?.step(), let open = message else { return }
        let room = limits.messageByteCount - open.byteCount
        readContent(content.count > room ? Array(content.prefix(room)) : content, at: nil)
        if content.count > room {
            report(
                .messageTooLong, at: open.offset, open.opcode,
                "more than \(limits.messageByteCount) bytes, inflated, and no more are read")
        } else if let fault {
            report(.badCompressedData, at: open.offset, open.opcode, fault)
        } else {
            return
        }
        dropMessage()
    }

    /// A control frame with its whole payload, which begins at `start`.
    mutating func readControl(_ head: WebSocketFrameHead, _ payload: [UInt8], at start: Int) {
        switch head.opcode {
        case .ping: emit(.ping(payload))
        case .pong: emit(.pong(payload))
        default: readClose(payload, at: start)
        }
    }

    private mutating func readClose(_ payload: [UInt8], at start: Int) {
        hasClosed = true
        guard payload.count >= 2 else {
            if !payload.isEmpty { report(.closeBodyOfOneByte, at: start, .close) }
            return emit(.close(nil, reason: []))
        }
        let code = CloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
        switch code.permission {
        case .permitted: break
        case .forbidden: report(.badCloseCode, at: start, .close, "\(code)")
        case .undefined: report(.closeCodeOutOfRange, at: start, .close, "\(code)")
        }
        let reason = Array(payload[2...])
        var text = UTF8Check()
        if let wrong = text.firstWrongByte(in: reason.span) {
            report(.badCloseReason, at: start + 2 + wrong, .close, "\"\(EscapedText.escape(reason, limit: 48))\"")
        } else if text.missingByteCount > 0 {
            report(.badCloseReason, at: start + payload.count, .close, "\"\(EscapedText.escape(reason, limit: 48))\"")
        }
        emit(.close(code, reason: reason))
    }
}
