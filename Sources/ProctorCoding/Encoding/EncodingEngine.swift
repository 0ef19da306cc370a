import ProctorBase

/// One format as it is written; owns the state of its library.
protocol EncodingEngine: AnyObject {
    /// Takes all of the bytes; what comes out depends on how they are cut.
    func encode(_ bytes: Span<UInt8>, into output: inout [UInt8]) throws(CodingFailure)

    /// The end of the format; called once, as the last.
    func finish(into output: inout [UInt8]) throws(CodingFailure)
}

/// Nothing is changed.
final class IdentityEngine: EncodingEngine {
    func encode(_ bytes: Span<UInt8>, into output: inout [UInt8]) { output.append(bytes) }
    func finish(into output: inout [UInt8]) {}
}

/// Raw DEFLATE or the zlib format, each of which is "deflate" to somebody.
final class DeflateEngine: EncodingEngine {
    private let deflater: ZlibDeflater

    init(level: Int?, isRaw: Bool) throws(CodingFailure) {
        deflater = try ZlibDeflater(level: level, isRaw: isRaw)
    }

    func encode(_ bytes: Span<UInt8>, into output: inout [UInt8]) {
        deflater.deflate(bytes, isLast: false, into: &output)
    }

    func finish(into output: inout [UInt8]) {
        deflater.deflate(Span(), isLast: true, into: &output)
    }
}

/// One brotli stream.
final class BrotliEngine: EncodingEngine {
    private let compressor: BrotliCompressor

    init(level: Int?) throws(CodingFailure) {
        compressor = try BrotliCompressor(level: level)
    }

    func encode(_ bytes: Span<UInt8>, into output: inout [UInt8]) throws(CodingFailure) {
        try compressor.compress(bytes, isLast: false, into: &output)
    }

    func finish(into output: inout [UInt8]) throws(CodingFailure) {
        try compressor.compress(Span(), isLast: true, into: &output)
    }
}

/// One zstd frame.
final class ZstdEngine: EncodingEngine {
    private let compressor: ZstdCompressor

    init(level: Int?, hasChecksum: Bool) throws(CodingFailure) {
        compressor = try ZstdCompressor(level: level, hasChecksum: hasChecksum)
    }

    func encode(_ bytes: Span<UInt8>, into output: inout [UInt8]) throws(CodingFailure) {
        try compressor.compress(bytes, isLast: false, into: &output)
    }

    func finish(into output: inout [UInt8]) throws(CodingFailure) {
        try compressor.compress(Span(), isLast: true, into: &output)
    }
}
