import ProctorBase

enum EngineStep {
    /// All input was taken, and all output was given.
    case starved
    /// Another call may give more output.
    case more
    /// The stream, member or frame is whole; bytes behind it were not taken.
    case ended
}

/// Reads one format; owns the state of its library.
protocol DecodingEngine: AnyObject {
    /// Takes bytes from `offset` on, as many as give at most ``Scratch/byteCount`` bytes; true means that another call
    /// may give more.
    ///
    /// Failures have offset 0; the caller knows the place.
    func step(_ bytes: Span<UInt8>, at offset: inout Int, into output: inout [UInt8]) throws(CodingFailure) -> Bool

    /// Refuses an end of the input at this place.
    func finish() throws(CodingFailure)
}

final class IdentityDecoding: DecodingEngine {
    func step(_ bytes: Span<UInt8>, at offset: inout Int, into output: inout [UInt8]) -> Bool {
        let count = min(bytes.count - offset, Scratch.byteCount)
        output.append(bytes.extracting(offset..<offset + count))
        offset += count
        return offset < bytes.count
    }

    func finish() {}
}

/// One brotli stream; bytes behind it are refused.
final class BrotliDecoding: DecodingEngine {
    private let decompressor: BrotliDecompressor
    private var hasEnded = false

    init() throws(CodingFailure) {
        decompressor = try BrotliDecompressor()
    }

    func step(_ bytes: Span<UInt8>, at offset: inout Int, into output: inout [UInt8]) throws(CodingFailure) -> Bool {
        if hasEnded {
            guard offset == bytes.count else { throw CodingFailure(.trailing, "bytes stand behind the end of br") }
            return false
        }
        let step = try decompressor.step(bytes, at: &offset, into: &output)
        hasEnded = step == .ended
        return hasEnded ? offset < bytes.count : step == .more
    }

    func finish() throws(CodingFailure) {
        guard hasEnded else { throw CodingFailure(.truncated, "br ends before its last block") }
    }
}
