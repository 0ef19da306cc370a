import ProctorTrace

/// Bytes that belong to no request that was read, as timelines and findings tell of them.
enum ReceivedText {
    private static let limit = 60

    static func sentence(_ received: ReceivedBytes) -> String {
        let count = WireText.count(received.byteCount, "byte")
        return "\(count) \(received.kind.phrase): \(WireText.quoted(received.kept, limit: limit))"
    }

    static func sentence(_ expected: ExpectedBytes) -> String {
        expected.outcome == .met
            ? "\(WireText.count(expected.byteCount, "byte")) came as expected"
            : "wanted \(wanted(expected)), got \(got(expected))"
    }

    /// Half a sentence.
    static func wanted(_ expected: ExpectedBytes) -> String {
        let place = expected.metByteCount == 0 ? "" : " behind the first \(expected.metByteCount)"
        guard let wanted = expected.wanted else { return "\(WireText.count(expected.byteCount, "byte"))" }
        return "\(WireText.quoted(wanted, limit: limit))\(place)"
    }

    /// Half a sentence.
    static func got(_ expected: ExpectedBytes) -> String {
        let came = "\(expected.metByteCount) of \(WireText.count(expected.byteCount, "byte"))"
        return switch expected.outcome {
        case .met: "them"
        case .differed: WireText.quoted(expected.got, limit: limit)
        case .ended: "\(came), and the end of the connection"
        case .timedOut: "\(came) in time"
        }
    }
}

extension ReceivedBytes.Kind {
    /// Behind a count of bytes.
    fileprivate var phrase: String {
        switch self {
        case .refused: "that were refused"
        case .unfinished: "of what was not whole"
        case .behind: "behind the last request"
        case .late: "of a body behind its reply"
        case .opaque: "that are no HTTP"
        }
    }
}
