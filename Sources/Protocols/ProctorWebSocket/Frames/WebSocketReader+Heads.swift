extension WebSocketReader {
    /// Reports what is wrong with a head, in the order of its bytes, and says what becomes of the payload.
    mutating func judge(_ head: WebSocketFrameHead, at start: Int) -> PayloadUse {
        let opcode = head.opcode
        judgeBits(head, at: start)
        var use = PayloadUse.nothing
        if !opcode.isKnown {
            report(.unknownOpcode, at: start, opcode)
        } else if opcode.isControl {
            if !head.isFinal { report(.controlFrameFragmented, at: start, opcode) }
            use = head.payloadByteCount <= 125 ? .control : .nothing
        } else if hasClosed {
            if !saidFrameAfterClose { report(.frameAfterClose, at: start, opcode) }
            saidFrameAfterClose = true
            message = nil
        } else {
            use = openFragment(head, at: start) ? .content : .nothing
        }
        switch (role, head.maskingKey) {
        case (.server, nil): report(.maskMissing, at: start + 1, opcode)
        case (.client, .some): report(.maskPresent, at: start + 1, opcode)
        default: break
        }
        if opcode.isControl, opcode.isKnown, use == .nothing {
            report(.controlFrameTooLong, at: start + 1, opcode, "\(head.payloadByteCount) bytes")
        }
        judgeLength(head, at: start)
        if use == .content, isBroken || !fits(head, at: start) { use = .nothing }
        return use
    }

    private mutating func judgeBits(_ head: WebSocketFrameHead, at start: Int) {
        var wrong = head.reserved.subtracting(permittedBits)
        if inflation != nil, wrong.contains(.rsv1) {
            wrong.remove(.rsv1)
            if head.opcode == .continuation || head.opcode.isControl {
                report(.compressionBitMisplaced, at: start, head.opcode)
            }
        }
        if !wrong.isEmpty { report(.reservedBit, at: start, head.opcode, "\(wrong)") }
    }

    private mutating func judgeLength(_ head: WebSocketFrameHead, at start: Int) {
        let length = head.payloadByteCount
        if length >> 63 != 0 {
            report(.lengthTopBit, at: start + 2, head.opcode, "\(length)")
            isBroken = true
        } else if head.lengthForm != .minimal(for: length) {
            report(.lengthNotMinimal, at: start + 2, head.opcode, "\(length) in \(head.lengthForm.rawValue) bytes")
        }
    }

    /// Whether the frame belongs to a message that is read; opens one where it is the first.
    private mutating func openFragment(_ head: WebSocketFrameHead, at start: Int) -> Bool {
        if head.opcode == .continuation {
            guard message != nil else {
                report(.continuationWithoutStart, at: start, head.opcode)
                return false
            }
        } else {
            if let before = message {
                report(
                    .messageInterrupted, at: start, head.opcode, "a message within a \(before.kind.rawValue) message")
                if before.isCompressed { inflation?.lose() }
            }
            let isCompressed = inflation != nil && head.reserved.contains(.rsv1)
            if isCompressed { inflation?.startMessage() }
            let kind: WebSocketEvent.MessageKind = head.opcode == .text ? .text : .binary
            message = OpenMessage(
                kind: kind, opcode: head.opcode, isCompressed: isCompressed, offset: start,
                isDropped: isCompressed && inflation?.isLost == true, text: kind == .text ? UTF8Check() : nil)
        }
        message?.fragmentCount += 1
        return message?.isDropped == false
    }

    /// Whether the bounds permit the frame; a message that exceeds one is dropped.
    private mutating func fits(_ head: WebSocketFrameHead, at start: Int) -> Bool {
        guard let open = message else { return false }
        let length = head.payloadByteCount
        if open.fragmentCount > limits.fragmentCount {
            report(.tooManyFragments, at: start, head.opcode, "one more than the \(limits.fragmentCount) that are read")
        } else if length > UInt64(limits.frameByteCount) {
            report(
                .frameTooLong, at: start + 1, head.opcode, "\(length) bytes, and \(limits.frameByteCount) are read")
        } else if !open.isCompressed, UInt64(open.byteCount) + length > UInt64(limits.messageByteCount) {
            report(
                .messageTooLong, at: start + 1, head.opcode,
                "\(UInt64(open.byteCount) + length) bytes, and \(limits.messageByteCount) are read")
        } else {
            if head.opcode != .continuation { emit(.messageBegan(open.kind, isCompressed: open.isCompressed)) }
            return true
        }
        dropMessage()
        return false
    }

    /// Leaves the rest of the message out.
    mutating func dropMessage() {
        if message?.isCompressed == true { inflation?.lose() }
        message?.isDropped = true
    }
}
