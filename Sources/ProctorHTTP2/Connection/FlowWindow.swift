/// How many bytes of DATA may still be sent in one direction (RFC 9113 §5.2, §6.9).
///
/// A window can be below 0: a smaller SETTINGS_INITIAL_WINDOW_SIZE takes from what is open already (§6.9.2).
package struct FlowWindow: Sendable, Equatable {
    /// Bytes.
    package private(set) var size: Int

    /// The largest window, 2^31 − 1.
    package static let largest: UInt32 = 0x7FFF_FFFF
    /// Of the connection, and of streams unless SETTINGS say otherwise.
    package static let usual: UInt32 = 65_535

    package init(_ size: UInt32 = usual) { self.size = Int(min(size, Self.largest)) }

    /// Takes bytes of a DATA frame, its padding too; false where they do not fit, and then the window is below 0.
    package mutating func take(_ byteCount: Int) -> Bool {
        // A frame of no bytes needs no room, even where a window is below 0 (RFC 9113 §6.9).
        let fits = byteCount == 0 || byteCount <= size
        // A frame has up to 2^24 bytes, and a window that is far below 0 stays where it is.
        size = max(size - byteCount, -Int(Self.largest) - 1)
        return fits
    }

    /// Grows by a WINDOW_UPDATE; false where it would be too large, and then it stays as it is.
    package mutating func grow(_ increment: UInt32) -> Bool {
        let grown = size + Int(increment)
        guard grown <= Int(Self.largest) else { return false }
        size = grown
        return true
    }

    /// Follows a change of SETTINGS_INITIAL_WINDOW_SIZE; false where it would be too large (§6.9.2).
    package mutating func move(from old: UInt32, to new: UInt32) -> Bool {
        let moved = size + Int(new) - Int(old)
        guard moved <= Int(Self.largest) else { return false }
        size = moved
        return true
    }
}
