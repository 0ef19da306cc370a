/// Bounds of frames that cost the receiver much and the sender little (RFC 9113 §10.5).
package struct FloodBounds: Sendable, Equatable {
    /// RST_STREAM of the peer, minus its streams that finished.
    package var resets = 200
    /// SETTINGS, minus received heads and content; so are the bounds of the following members.
    package var settings = 100
    package var pings = 200
    /// WINDOW_UPDATE with fewer bytes counts against ``windowUpdates``.
    package var smallIncrement = 1_024
    /// Streams that are open, half-closed or reserved at once, whatever SETTINGS permit.
    package var streams = 1_000
    /// DATA, HEADERS and CONTINUATION without content and without END_STREAM or END_HEADERS, and frames of unknown
    /// types.
    package var emptyFrames = 1_000
    package var windowUpdates = 10_000
    /// PRIORITY and PRIORITY_UPDATE.
    package var priorities = 1_000
    /// Frames of one field block.
    package var blockFrames = 100
    /// Received bytes of one field block.
    package var blockBytes = 128 << 10

    package init() {}
}

/// Counts frames against one bound.
struct FloodMeter: Sendable {
    private var count = 0

    /// Counts one frame; returns whether it is within the bound.
    mutating func spend(of bound: Int) -> Bool {
        count += count <= bound ? 1 : 0
        return count <= bound
    }

    /// Called for a useful frame, which makes up for one counted frame.
    mutating func earn() { count = max(0, count - 1) }
}
