internal import ProctorGrading
internal import ProctorJournal

/// The flow-control windows that the server gave the client on one connection of HTTP/2 (RFC 9113 §6.9).
struct SentWindows {
    /// The largest initial window of a stream that the server announced; nil when it announced none.
    private var initial: UInt32?
    /// The entry of the client's first acknowledgement of SETTINGS; from then on the client knows the server's
    /// SETTINGS.
    private var acknowledged: UInt64?
    private var increments: [UInt32: [(nanoseconds: UInt64, byteCount: Int)]] = [:]

    /// The initial window before the client knows the server's SETTINGS (§6.9.2).
    private static let presumed: UInt32 = 65_535

    mutating func record(_ frame: FrameNote, at sequence: UInt64, _ nanoseconds: UInt64) {
        let isAcknowledgement = frame.flags.contains("ACK")
        switch frame.detail {
        case .settings(let settings) where frame.party == .server:
            for setting in settings where setting.name == "INITIAL_WINDOW_SIZE" {
                initial = max(initial ?? 0, UInt32(clamping: setting.value))
            }
        case .increment(let byteCount) where frame.party == .server && frame.stream != 0:
            increments[frame.stream, default: []].append((nanoseconds, Int(byteCount)))
        default:
            if frame.type == "SETTINGS", isAcknowledgement, frame.party == .client {
                acknowledged = acknowledged ?? sequence
            }
        }
    }

    /// The windows of a stream whose request has that entry; nil when the client may not have known the SETTINGS by
    /// then.
    subscript(stream: UInt32, before sequence: UInt64) -> SendingWindow? {
        guard let acknowledged, acknowledged < sequence else { return nil }
        return SendingWindow(initial: Int(initial ?? Self.presumed), increments: increments[stream] ?? [])
    }
}
