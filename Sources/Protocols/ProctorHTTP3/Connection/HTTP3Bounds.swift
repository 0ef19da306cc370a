/// Bounds of what costs the receiver much and the sender little (RFC 9114 §10.5).
package struct HTTP3Bounds: Sendable, Equatable {
    /// DATA without content, and frames of unknown types, minus heads and content.
    package var emptyFrames = 1_000
    /// Frames of the control stream, minus heads and content.
    package var controlFrames = 200
    /// Unidirectional streams of unknown types.
    package var unknownStreams = 100
    /// Request streams that the peer resets, minus those that end.
    package var resets = 200
    /// Pushes of which the promise is remembered.
    package var promises = 100
    /// Bytes that are kept of one stream behind a section that waits for insertions.
    package var waitingByteCount = 256 << 10
    /// Bytes of one frame that is no DATA.
    package var frameByteCount = 128 << 10
    /// Fields that are kept of one section.
    package var fieldCount = 200

    package init() {}
}

/// Counts against one bound.
struct LoadMeter: Sendable, Equatable {
    private var count = 0

    /// Counts one; returns whether it is the first one beyond the bound.
    mutating func exceeds(_ bound: Int) -> Bool {
        count += 1
        return count == bound + 1
    }

    /// Called for something useful, which makes up for one that was counted.
    mutating func earn() { count = max(0, count - 1) }
}
