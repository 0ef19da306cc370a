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
