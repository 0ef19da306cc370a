package import ProctorHTTP

/// A violation in a peer's frames of RFC 9113, RFC 7541, RFC 8441 or RFC 9218.
package struct HTTP2Violation: Error, Sendable, Equatable {
    package let kind: Kind
    /// What the violation ends.
    package let scope: ViolationScope
    /// Bytes from the first byte of the connection to the frame.
    package let offset: Int
    package let frame: FrameType
    /// The stream of the frame; 0 means the connection.
    package let stream: UInt32
    /// What was received, for the sentence: a number, a name or quoted bytes.
    package let detail: String

    package init(
        _ kind: Kind, _ scope: ViolationScope? = nil, at offset: Int, frame: FrameType, stream: UInt32,
        detail: String = ""
    ) {
        self.kind = kind
        self.scope = scope ?? kind.row.scope
        (self.offset, self.frame, self.stream, self.detail) = (offset, frame, stream, detail)
    }

    /// The error code of the answer; nil if there is no answer.
    package var errorCode: ErrorCode? { scope == .none ? nil : kind.row.code }

    /// The section of the rule, such as `RFC 9113 §6.1`.
    package var section: String { ruleOfType ?? kind.row.section }

    /// The section of the frame's type, if it has a MUST of its own for this kind; nil if only §4 has one.
    private var ruleOfType: String? {
        switch (kind, frame) {
        case (.missingStream, .data), (.paddingTooLong, .data): "RFC 9113 §6.1"
        case (.missingStream, .headers), (.paddingTooLong, .headers): "RFC 9113 §6.2"
        case (.missingStream, .priority), (.wrongLength, .priority): "RFC 9113 §6.3"
        case (.missingStream, .resetStream), (.wrongLength, .resetStream): "RFC 9113 §6.4"
        case (.unwantedStream, .settings), (.wrongLength, .settings): "RFC 9113 §6.5"
        case (.missingStream, .pushPromise), (.paddingTooLong, .pushPromise): "RFC 9113 §6.6"
        case (.unwantedStream, .ping), (.wrongLength, .ping): "RFC 9113 §6.7"
        case (.unwantedStream, .goAway): "RFC 9113 §6.8"
        case (.wrongLength, .windowUpdate): "RFC 9113 §6.9"
        case (.missingStream, .continuation): "RFC 9113 §6.10"
        case (.unwantedStream, .priorityUpdate): "RFC 9218 §7.1"
        default: nil
        }
    }

    /// The error and the correct form.
    package var sentence: String {
        let place = stream == 0 ? "" : " on stream \(stream)"
        return "\(frame)\(place): \(kind.row.sentence)\(detail.isEmpty ? "" : "; here it is \(detail)")"
    }
}

extension HTTP2Violation: CustomStringConvertible {
    /// `wrong-length at byte 24: …  (RFC 9113 §6.4)`.
    package var description: String { "\(kind.rawValue) at byte \(offset): \(sentence) (\(section))" }
}
