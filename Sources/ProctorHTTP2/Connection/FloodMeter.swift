/// How much of what costs the receiver much and the sender little may come on a connection (RFC 9113 §10.5).
package struct FloodBounds: Sendable, Equatable {
    /// RST_STREAM of the peer that no finished stream stands against.
    package var resets = 200
    /// SETTINGS that no request or content stands against; the same for the following.
    package var settings = 100
    package var pings = 200
    /// WINDOW_UPDATE of fewer bytes count against ``windowUpdates``.
    package var smallIncrement = 1_024
    /// Streams that are open, half-closed or reserved at once, whatever SETTINGS said.
    package var streams = 1_000
    /// DATA, HEADERS and CONTINUATION without content and without an end, and frames of unknown types.
    package var emptyFrames = 1_000
    package var windowUpdates = 10_000
    /// PRIORITY and PRIORITY_UPDATE.
    package var priorities = 1_000
    /// Frames of one field block.
    package var blockFrames = 100
    /// Bytes of one field block as it comes.
    package var blockBytes = 128 << 10

    package init() {}
}

/// Counts what comes against one bound.
struct FloodMeter: Sendable {
    private var count = 0

    /// Whether one more is within the bound.
    mutating func spend(of bound: Int) -> Bool {
        count += count <= bound ? 1 : 0
        return count <= bound
    }

    /// Something useful came.
    mutating func earn() { count = max(0, count - 1) }

    mutating func clear() { count = 0 }
}
