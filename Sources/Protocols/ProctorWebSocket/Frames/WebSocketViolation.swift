import ProctorBase

/// A departure of a peer's frames from RFC 6455 or RFC 7692, or from a bound of the reader.
package struct WebSocketViolation: Error, Sendable, Equatable {
    package let kind: Kind
    /// Bytes from the first byte behind the handshake to the byte that is wrong.
    ///
    /// Of compressed data it is the first byte of the message, since zlib does not say which byte made which.
    package let offset: Int
    /// The opcode of the frame, or of a message's first frame.
    package let opcode: Opcode
    /// What came, for the sentence: a number, a name or quoted bytes.
    package let detail: String

    package init(_ kind: Kind, at offset: Int, _ opcode: Opcode, detail: String = "") {
        (self.kind, self.offset, self.opcode, self.detail) = (kind, offset, opcode, detail)
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

        init(_ cells: TableCells) {
            section = cells["section"]
            code = cells.valueIfAny("close code") { UInt16($0).map(CloseCode.init) }
            sentence = cells["sentence"]
        }
    }
}

extension WebSocketViolation.Kind {
    private static let table = ContainedTable<Self, WebSocketViolation.Row>("websocket-violations") {
        WebSocketViolation.Row($0)
    }

    var row: WebSocketViolation.Row { Self.table[self] }
}
