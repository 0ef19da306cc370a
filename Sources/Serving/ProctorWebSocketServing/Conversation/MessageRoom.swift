internal import ProctorServing

/// What one WebSocket holds of the server's room for messages; on the loop's thread only.
///
/// Short messages are not counted, so that most need no look at what all loops share.
struct MessageRoom: ~Copyable {
    private let usage: ServerUsage
    private var byteCount = 0
    private var mostByteCount = 0

    /// Room is taken in such portions, and none for messages up to the first.
    private static let portionByteCount = ServerUsage.messageByteLimit >> 10

    init(_ usage: ServerUsage) { self.usage = usage }

    deinit {
        if byteCount > 0 { usage.releaseMessage(byteCount) }
        MemoryReturn.noteFreed(mostByteCount)
    }

    /// Takes room for a message that has so many bytes by now; false where the server has none.
    mutating func takeRoom(for messageByteCount: Int) -> Bool {
        while messageByteCount > byteCount + Self.portionByteCount {
            guard usage.holdMessage(Self.portionByteCount) else { return false }
            byteCount += Self.portionByteCount
            mostByteCount = max(mostByteCount, byteCount)
        }
        return true
    }

    /// The message is over.
    mutating func release() {
        guard byteCount > 0 else { return }
        usage.releaseMessage(byteCount)
        byteCount = 0
    }
}
