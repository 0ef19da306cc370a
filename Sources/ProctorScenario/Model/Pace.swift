/// How fast bytes go: so many at a time, at fixed moments counted from the first.
public struct Pace: Sendable, Equatable {
    /// 1 or more.
    public let byteCount: Int
    /// From one portion to the next.
    public let interval: Duration
    /// What is paced.
    public let scope: Scope

    /// The part of a reply that keeps the pace.
    public enum Scope: String, Sendable, CaseIterable {
        /// The body as framed; the head goes at once.
        case body
        /// Everything from the first byte of the first head.
        case reply
    }

    /// `byteCount` must be positive.
    public init(byteCount: Int, interval: Duration, scope: Scope = .body) {
        self.byteCount = byteCount
        self.interval = interval
        self.scope = scope
    }
}

/// Where a reply is cut into writes that the peer must read apart, counted from its first byte.
public enum Slicing: Sendable, Equatable {
    case everyByte
    /// Every so many bytes, 1 or more.
    case size(Int)
    /// Before these bytes; ascending, without 0.
    case offsets([Int])
    /// Between every CR and the LF after it, in heads and chunk framing.
    case midCRLF
    /// Within every chunk size that has two digits or more, and before the CR of the others.
    case midChunkSize
    /// Within every character of the content that has two bytes or more.
    case midUTF8
    /// Into this many slices at most, at places that follow from the seed alone.
    case random(seed: UInt64, count: Int)
}
