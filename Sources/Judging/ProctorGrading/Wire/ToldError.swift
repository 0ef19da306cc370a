import ProctorJournal

/// An error that the client told the server: it ends a connection, or a stream of it.
struct ToldError: Sendable, Equatable {
    /// How it was told: `GOAWAY`, `alert`.
    let word: String
    /// The name of the error: `PROTOCOL_ERROR`, `unknown_ca`.
    let code: String
    /// What says that the connection, or the stream, ends with it.
    let section: String
    /// The index in ``WireRecord/connections``.
    let connection: Int
    /// nil: the connection as a whole ends.
    let stream: UInt32?
    let sequence: UInt64
    let nanoseconds: UInt64

    /// nil for an entry that tells no error of the client's.
    init?(_ entry: JournalEntry, on connection: Int) {
        switch entry.event {
        case .frame(let frame) where frame.party == .client:
            guard let told = Self.told(by: frame), !Self.codesWithoutError.contains(told.code) else { return nil }
            (word, code, section) = (frame.type, told.code, told.section)
            stream = told.isOfStream ? frame.stream : nil
        case .alert(let alert) where alert.party == .client && alert.isFatal && alert.number != Self.closeNotify:
            (word, code, section, stream) = ("alert", alert.name, "RFC 8446 §6.2", nil)
        // An alert that came after the server had left the handshake, before there were keys.
        case .bytesReceived(let received) where received.kind == .behind:
            guard let number = Self.fatalAlert(in: received.kept) else { return nil }
            (word, code, section, stream) = ("alert", "\(number)", "RFC 8446 §6.2", nil)
        default: return nil
        }
        self.connection = connection
        (sequence, nanoseconds) = (entry.sequence, entry.nanoseconds)
    }

    private static func told(by frame: FrameNote) -> (code: String, section: String, isOfStream: Bool)? {
        switch (frame.type, frame.detail) {
        case ("GOAWAY", .goAway(_, let code, _)): (code, "RFC 9113 §5.4.1", false)
        case ("RST_STREAM", .code(let code)): (code, "RFC 9113 §5.4.2", true)
        case ("RESET_STREAM", .code(let code)), ("STOP_SENDING", .code(let code)): (code, "RFC 9114 §8", true)
        case ("CONNECTION_CLOSE", .close(let code, let isOfTransport, _)):
            (code, isOfTransport ? "RFC 9000 §10.2" : "RFC 9114 §8", false)
        default: nil
        }
    }

    /// The codes of an end that is no error, and of a request that the client gives up or a push that it refuses
    /// (RFC 9113 §7, RFC 9114 §8.1, RFC 9000 §20.1).
    private static let codesWithoutError: Set<String> = [
        "NO_ERROR", "CANCEL", "REFUSED_STREAM", "H3_NO_ERROR", "H3_REQUEST_CANCELLED", "H3_REQUEST_REJECTED", "0x0",
    ]

    private static let closeNotify: UInt8 = 0

    /// The number of the fatal alert that is a whole record in the clear (RFC 8446 §5.1, §6); nil for other bytes.
    private static func fatalAlert(in record: [UInt8]) -> UInt8? {
        let isAlert = record.count == 7 && record[0] == 21 && record[1] == 3 && record[3...5].elementsEqual([0, 2, 2])
        guard isAlert, record[6] != closeNotify else { return nil }
        return record[6]
    }
}
