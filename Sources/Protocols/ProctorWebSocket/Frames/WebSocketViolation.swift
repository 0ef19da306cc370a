/// A departure of a peer's frames from RFC 6455 or RFC 7692, or from a bound of the reader.
package struct WebSocketViolation: Error, Sendable, Equatable {
    package let kind: Kind
    /// Bytes from the first byte behind the handshake to the byte that is wrong.
    ///
    /// Of compressed data it is the first byte of the message, since zlib does not say which byte made which.
    package let offset: Int
    /// Of the frame; of a message its first frame's.
    package let opcode: Opcode
    /// What came, for the sentence: a number, a name or quoted bytes.
    package let detail: String

    package init(_ kind: Kind, at offset: Int, _ opcode: Opcode, detail: String = "") {
        self.kind = kind
        self.offset = offset
        self.opcode = opcode
        self.detail = detail
    }

    /// The code of the Close frame that answers it; nil where the receiver reads on, and where nobody is left to read it.
    package var closeCode: CloseCode? { kind.row.code }

    /// The section of the rule, such as `RFC 6455 §5.2`.
    package var section: String { kind.row.section }

    /// The error and what is right.
    package var sentence: String { "\(opcode): \(kind.row.sentence)\(detail.isEmpty ? "" : "; here it is \(detail)")" }
}

extension WebSocketViolation: CustomStringConvertible {
    /// `mask-missing at byte 1: … (RFC 6455 §5.1)`.
    package var description: String { "\(kind.rawValue) at byte \(offset): \(sentence) (\(section))" }
}

extension WebSocketViolation {
    /// One name for each departure; the raw values are stable for ever, fixtures and journals hold them.
    package enum Kind: String, Sendable, CaseIterable {
        // Single frames.
        case maskMissing = "mask-missing"
        case maskPresent = "mask-present"
        case reservedBit = "reserved-bit"
        case unknownOpcode = "unknown-opcode"
        case lengthNotMinimal = "length-not-minimal"
        case lengthTopBit = "length-top-bit"
        case controlFrameTooLong = "control-frame-too-long"
        case controlFrameFragmented = "control-frame-fragmented"

        // Messages.
        case continuationWithoutStart = "continuation-without-start"
        case messageInterrupted = "message-interrupted"
        case badUTF8 = "bad-utf8"
        case incompleteUTF8 = "incomplete-utf8"

        // Close.
        case closeBodyOfOneByte = "close-body-of-one-byte"
        case badCloseCode = "bad-close-code"
        case closeCodeOutOfRange = "close-code-out-of-range"
        case badCloseReason = "bad-close-reason"
        case frameAfterClose = "frame-after-close"
        case endedWithinFrame = "ended-within-frame"
        case endedWithinMessage = "ended-within-message"
        case endedWithoutClose = "ended-without-close"

        // Compression.
        case compressionBitMisplaced = "compression-bit-misplaced"
        case badCompressedData = "bad-compressed-data"

        // Bounds; each is ours (RFC 6455 §10.4).
        case frameTooLong = "frame-too-long"
        case messageTooLong = "message-too-long"
        case tooManyFragments = "too-many-fragments"
    }

    /// What the specification says of a kind.
    struct Row {
        let section: String
        let code: CloseCode?
        let sentence: String

        init(_ section: String, _ code: CloseCode?, _ sentence: String) {
            self.section = section
            self.code = code
            self.sentence = sentence
        }
    }
}

extension WebSocketViolation.Kind {
    var row: WebSocketViolation.Row {
        switch self {
        case .maskMissing: .init("RFC 6455 §5.1", .protocolError, "a client masks every frame")
        case .maskPresent: .init("RFC 6455 §5.1", .protocolError, "a server masks no frame")
        case .reservedBit:
            .init(
                "RFC 6455 §5.2", .protocolError,
                "RSV1, RSV2 and RSV3 are 0 where no agreed extension gives them a meaning")
        case .unknownOpcode:
            .init("RFC 6455 §5.2", .protocolError, "the opcodes are 0, 1, 2, 8, 9 and 10; the others are reserved")
        case .lengthNotMinimal:
            .init("RFC 6455 §5.2", .protocolError, "the length is said in the fewest bytes")
        case .lengthTopBit:
            .init("RFC 6455 §5.2", .protocolError, "the first bit of a length of eight bytes is 0")
        case .controlFrameTooLong:
            .init("RFC 6455 §5.5", .protocolError, "a control frame has a payload of 125 bytes at most")
        case .controlFrameFragmented: .init("RFC 6455 §5.5", .protocolError, "a control frame has FIN")
        case .continuationWithoutStart:
            .init(
                "RFC 6455 §5.4", .protocolError, "a continuation follows a frame of its message that had no FIN")
        case .messageInterrupted:
            .init(
                "RFC 6455 §5.4", .protocolError, "a new message begins behind the last frame of the one before")
        case .badUTF8: .init("RFC 6455 §8.1", .invalidPayload, "the content of a text message is UTF-8")
        case .incompleteUTF8:
            .init("RFC 6455 §8.1", .invalidPayload, "a text message ends behind a whole character")
        case .closeBodyOfOneByte:
            .init("RFC 6455 §5.5.1", .protocolError, "the payload of a Close frame is empty, or begins with two bytes")
        case .badCloseCode:
            .init(
                "RFC 6455 §7.4", .protocolError,
                "a Close frame has a code of 1000 to 1003, 1007 to 1014, or 3000 to 4999")
        case .closeCodeOutOfRange: .init("RFC 6455 §7.4.2", nil, "codes go up to 4999")
        case .badCloseReason:
            .init("RFC 6455 §5.5.1", .invalidPayload, "the reason of a Close frame is UTF-8")
        case .frameAfterClose: .init("RFC 6455 §5.5.1", nil, "behind a Close frame no data frame is sent")
        case .endedWithinFrame:
            .init("RFC 6455 §7.1.5", nil, "a connection ends behind a Close frame, not within a frame")
        case .endedWithinMessage:
            .init("RFC 6455 §7.1.5", nil, "a connection ends behind a Close frame, not within a message")
        case .endedWithoutClose: .init("RFC 6455 §7.1.5", nil, "a connection ends behind a Close frame")
        case .compressionBitMisplaced:
            .init(
                "RFC 7692 §6", .protocolError,
                "RSV1, which says that a message is compressed, is set in its first frame alone")
        case .badCompressedData:
            .init(
                "RFC 7692 §7.2.2", .invalidPayload,
                "a compressed message with 00 00 FF FF behind it is DEFLATE, within the agreed window")
        case .frameTooLong:
            .init("RFC 6455 §10.4", .messageTooBig, "a frame has no more bytes than the receiver reads")
        case .messageTooLong:
            .init("RFC 6455 §10.4", .messageTooBig, "a message has no more bytes than the receiver reads")
        case .tooManyFragments:
            .init("RFC 6455 §10.4", .messageTooBig, "a message has no more frames than the receiver reads")
        }
    }
}
