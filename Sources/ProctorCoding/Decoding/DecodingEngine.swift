import ProctorBase

/// How a library stands after one call.
enum EngineStep {
    /// Everything was taken, and all that it gives was given.
    case starved
    /// Called again, it may give more.
    case more
    /// The stream, member or frame is whole; bytes behind it were not taken.
    case ended
}

/// One format as it is read; owns the state of its library.
protocol DecodingEngine: AnyObject {
    /// Takes from `offset` on, at most up to `bytes.count`, what gives at most ``Scratch/byteCount`` bytes; true:
    /// called again, it may give more.
    ///
    /// Failures are at offset 0; the caller knows the place.
    func step(_ bytes: Span<UInt8>, at offset: inout Int, into output: inout [UInt8]) throws(CodingFailure) -> Bool

    /// Refuses an end at this place.
    func finish() throws(CodingFailure)
}

/// Nothing is changed.
final class IdentityDecoding: DecodingEngine {
    func step(_ bytes: Span<UInt8>, at offset: inout Int, into output: inout [UInt8]) -> Bool {
        let count = min(bytes.count - offset, Scratch.byteCount)
        output.append(bytes.extracting(offset..<offset + count))
        offset += count
        return offset < bytes.count
    }

    func finish() {}
}

/// One brotli stream, and nothing behind it.
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
