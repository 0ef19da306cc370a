package import ProctorHTTP

/// A violation in what a peer sends on its streams, of RFC 9114, RFC 9204, RFC 9218, RFC 9220 or RFC 9297.
package struct HTTP3Violation: Error, Sendable, Equatable {
    package let kind: Kind
    /// What the violation ends.
    package let scope: ViolationScope
    package let stream: UInt64
    /// Bytes from the beginning of the stream to the frame or the instruction.
    package let offset: Int
    /// nil if the violation is none of a frame.
    package let frame: HTTP3FrameType?
    /// What was received, for the sentence: a number, a name or quoted bytes.
    package let detail: String

    package init(_ kind: Kind, on stream: UInt64, at offset: Int, frame: HTTP3FrameType? = nil, detail: String = "") {
        self.kind = kind
        scope = kind.row.scope
        (self.stream, self.offset, self.frame, self.detail) = (stream, offset, frame, detail)
    }

    /// The code of the answer; nil if there is no answer.
    package var code: HTTP3Code? { scope == .none ? nil : kind.row.code }

    /// The section of the rule, such as `RFC 9114 §7.2.1`.
    package var section: String { ruleOfType ?? kind.row.section }

    /// The section of the frame's type, if it has a MUST of its own for this kind.
    private var ruleOfType: String? {
        guard kind == .frameOnWrongStream else { return nil }
        return switch frame {
        case .data?: "RFC 9114 §7.2.1"
        case .headers?: "RFC 9114 §7.2.2"
        case .cancelPush?: "RFC 9114 §7.2.3"
        case .settings?: "RFC 9114 §7.2.4"
        case .pushPromise?: "RFC 9114 §7.2.5"
        case .goAway?: "RFC 9114 §7.2.6"
        case .maxPushID?: "RFC 9114 §7.2.7"
        case .priorityUpdate?, .pushPriorityUpdate?: "RFC 9218 §7.2"
        default: nil
        }
    }

    /// The error and the correct form.
    package var sentence: String {
        "\(frame.map { "\($0) " } ?? "")on stream \(stream): \(kind.row.sentence)"
            + (detail.isEmpty ? "" : "; here it is \(detail)")
    }
}

extension HTTP3Violation: CustomStringConvertible {
    /// `wrong-length at byte 24: …  (RFC 9114 §7.1)`.
    package var description: String { "\(kind.rawValue) at byte \(offset): \(sentence) (\(section))" }
}
