import ProctorBase

package enum EngineStep {
    /// All input is consumed, and all output is appended.
    case starved
    /// Another call may give more output.
    case more
    /// The stream, member or frame is complete; later bytes are not consumed.
    case ended
}

/// Decodes one format; owns the state of its library.
protocol DecodingEngine: AnyObject {
    /// Decodes bytes from `offset` on, as many as give at most ``Scratch/byteCount`` bytes; true means that another
    /// call may give more.
    ///
    /// Failures have offset 0; the caller knows the offset.
    func step(_ bytes: Span<UInt8>, at offset: inout Int, into output: inout [UInt8]) throws(CodingFailure) -> Bool

    /// Throws if the input must not end here.
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

/// One brotli stream; bytes after it are refused.
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
