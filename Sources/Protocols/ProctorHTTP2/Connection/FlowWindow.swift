/// How many bytes of DATA may still be sent in one direction (RFC 9113 §5.2, §6.9).
///
/// A window can be negative: a smaller SETTINGS_INITIAL_WINDOW_SIZE also reduces windows of open streams (§6.9.2).
package struct FlowWindow: Sendable, Equatable {
    /// In bytes.
    package private(set) var size: Int

    /// The largest window, 2^31 − 1.
    package static let largest: UInt32 = 0x7FFF_FFFF
    /// The initial window of the connection, and of streams unless SETTINGS say otherwise.
    package static let usual: UInt32 = 65_535

    package init(_ size: UInt32 = usual) { self.size = Int(min(size, Self.largest)) }

    /// Subtracts the bytes of a DATA frame with its padding; false if the window was too small, and is now negative.
    package mutating func consume(_ byteCount: Int) -> Bool {
        // A frame without bytes needs no window, even if the window is negative (RFC 9113 §6.9).
        let fits = byteCount == 0 || byteCount <= size
        // A frame has at most 2^24 bytes; a window far below 0 stays at the smallest value.
        size = max(size - byteCount, -Int(Self.largest) - 1)
        return fits
    }

    /// Adds the increment of a WINDOW_UPDATE; false if the window would be too large, and is then unchanged.
    package mutating func grow(_ increment: UInt32) -> Bool {
        let grown = size + Int(increment)
        guard grown <= Int(Self.largest) else { return false }
        size = grown
        return true
    }

    /// Applies a change of SETTINGS_INITIAL_WINDOW_SIZE; false if the window would be too large (§6.9.2).
    package mutating func move(from old: UInt32, to new: UInt32) -> Bool {
        let moved = size + Int(new) - Int(old)
        guard moved <= Int(Self.largest) else { return false }
        size = moved
        return true
    }
}
