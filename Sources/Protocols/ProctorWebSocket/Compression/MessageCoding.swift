internal import ProctorBase
package import ProctorCoding

/// Inflates the messages of one direction of a connection (RFC 7692 §7.2.2).
///
/// One owner at a time. Memory does not grow with the content, however well it was compressed: one call gives
/// ``outputBound`` bytes at most.
package final class MessageInflater {
    /// What stands in place of the four bytes that a sender leaves out (§7.2.1).
    package static let tail: [UInt8] = [0x00, 0x00, 0xFF, 0xFF]
    package static let outputBound = CodingDecoder.outputBound
    /// Blocks with BFINAL in one message, each of which costs the receiver a copy of the window.
    package static let finalBlockBound = 256

    private let inflater: ZlibInflater
    private var finalBlockCount = 0

    /// `windowBits`, 8 to 15: content that refers to what is farther back is refused.
    ///
    /// `window` is that of another object, which has inflated the messages before.
    package init(windowBits: Int = 15, window: [UInt8] = []) throws(CodingFailure) {
        inflater = try ZlibInflater(.raw, name: "DEFLATE", windowBits: min(15, max(8, windowBits)))
        if !window.isEmpty { inflater.setWindow(window) }
    }

    /// The last content, to which the next message may refer: 32 KiB at most.
    package var window: [UInt8] { inflater.window }

    /// Takes bytes from `offset` on, which it moves; true means: call again with the same bytes.
    package func inflate(
        _ bytes: Span<UInt8>, at offset: inout Int, into output: inout [UInt8]
    ) throws(CodingFailure) -> Bool {
        guard offset < bytes.count || !inflater.isBetweenBlocks else { return false }
        let step = try inflater.step(bytes, at: &offset, into: &output)
        guard step == .ended else { return step == .more }
        // BFINAL ends no message (§7.2.3.4).
        finalBlockCount += 1
        guard finalBlockCount <= Self.finalBlockBound else {
            throw CodingFailure(.tooLarge, "a message has more than \(Self.finalBlockBound) blocks with BFINAL")
        }
        inflater.resetKeepingWindow()
        return offset < bytes.count
    }

    /// Ends a message, behind its tail; throws where that is within a block.
    package func finishMessage() throws(CodingFailure) {
        finalBlockCount = 0
        guard inflater.isBetweenBlocks else { throw CodingFailure(.truncated, "DEFLATE: the last block is cut off") }
    }
}

/// Deflates the messages of one direction of a connection (RFC 7692 §7.2.1); one owner at a time.
package final class MessageDeflater {
    private let deflater: ZlibDeflater

    /// `windowBits` is 8 to 15, and `level` 0 to 9; `window` is the end of the messages before, which another object has
    /// deflated.
    package init(windowBits: Int = 15, level: Int? = nil, window: [UInt8] = []) throws(CodingFailure) {
        // zlib has no window of 8 bits; with 9 it refers to 250 bytes back at most, which is within 8.
        deflater = try ZlibDeflater(level: level, isRaw: true, windowBits: Int32(min(15, max(9, windowBits))))
        if !window.isEmpty { deflater.setWindow(window.span) }
    }

    /// The payload of the message, which may refer to the messages before.
    package func deflate(_ content: Span<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        deflate(piece: content, into: &output)
        return finishMessage(&output)
    }

    /// A part of a message, of which ``finishMessage(_:)`` makes the payload.
    package func deflate(piece: Span<UInt8>, into output: inout [UInt8]) {
        deflater.encode(piece, isLast: false, into: &output)
    }

    /// The payload of the message whose parts were deflated into `output`.
    package func finishMessage(_ output: inout [UInt8]) -> [UInt8] {
        deflater.flush(into: &output)
        // The head of an empty stored block (§7.2.3.6).
        guard output.suffix(4) == MessageInflater.tail[...] else { return output + [0x00] }
        output.removeLast(4)
        return output.isEmpty ? [0x00] : output
    }

    /// Begins without the messages before.
    package func reset() { deflater.reset() }
}
