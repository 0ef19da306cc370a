internal import ProctorBase
internal import ProctorTrace

/// Bytes that came and stand in no journal yet: the first of them, and how many there are.
struct UnreadBytes {
    private(set) var kept: [UInt8] = []
    private(set) var byteCount = 0

    var isEmpty: Bool { byteCount == 0 }

    /// `limit` is for all that are kept.
    mutating func take(_ bytes: Span<UInt8>, keeping limit: Int = ReceivedBytes.keptByteLimit) {
        byteCount += bytes.count
        let room = min(bytes.count, limit - kept.count)
        if room > 0 { kept.append(bytes.extracting(first: room)) }
    }

    mutating func removeAll() { self = UnreadBytes() }

    /// What the journal says of them, once; nil where there are none.
    mutating func event(_ kind: ReceivedBytes.Kind) -> JournalEvent? {
        guard !isEmpty else { return nil }
        defer { removeAll() }
        return .bytesReceived(ReceivedBytes(kind, kept: kept, byteCount: byteCount))
    }
}
