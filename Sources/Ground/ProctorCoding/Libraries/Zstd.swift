import CZstd

/// zstd's encoder (RFC 8878) for one frame, with a window that every HTTP client supports.
@safe final class ZstdCompressor: EncodingEngine {
    /// As a power of two: RFC 9659 §3 permits at most 8 MiB for `zstd`.
    static let windowBits: Int32 = 23

    private let context: OpaquePointer
    private let scratch = Scratch()

    init(level: Int?, hasChecksum: Bool) throws(CodingFailure) {
        guard let context = unsafe ZSTD_createCCtx() else { throw CodingFailure(.memory, "zstd does not start") }
        unsafe self.context = unsafe context
        let level = Int32(truncatingIfNeeded: level ?? Int(ZSTD_CLEVEL_DEFAULT))
        unsafe _ = ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level)
        unsafe _ = ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, hasChecksum ? 1 : 0)
        // Only these levels have a greater window by default.
        if level >= 20 { unsafe _ = ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, Self.windowBits) }
    }

    deinit {
        unsafe _ = ZSTD_freeCCtx(context)
    }

    func encode(_ bytes: Span<UInt8>, isLast: Bool, into output: inout [UInt8]) throws(CodingFailure) {
        var code = 0
        unsafe bytes.withUnsafeBufferPointer { buffer in
            var input = unsafe ZSTD_inBuffer(src: buffer.baseAddress, size: buffer.count, pos: 0)
            var hasMore = true
            while hasMore {
                unsafe scratch.append(to: &output) { memory in
                    var room = unsafe ZSTD_outBuffer(dst: memory, size: Scratch.byteCount, pos: 0)
                    code = unsafe ZSTD_compressStream2(context, &room, &input, isLast ? ZSTD_e_end : ZSTD_e_continue)
                    return unsafe room.pos
                }
                // On success the code is the number of bytes that are still to be written.
                hasMore = unsafe ZSTD_isError(code) == 0 && (isLast ? code > 0 : input.pos < input.size)
            }
        }
        guard ZSTD_isError(code) == 0 else {
            throw CodingFailure(.memory, unsafe "zstd: \(String(cString: ZSTD_getErrorName(code)))")
        }
    }
}

@safe struct ZstdDecompressor: ~Copyable {
    private static let blockHeaderByteCount = 3

    private let context: OpaquePointer
    private let scratch = Scratch()
    /// The bytes that the decoder needs next: at most one block, without the header of the next block.
    private var wanted = 1
    /// Whether output of a block may wait for room; it is appended before more input is consumed.
    private var isFull = false

    init() throws(CodingFailure) {
        guard let context = unsafe ZSTD_createDCtx() else { throw CodingFailure(.memory, "zstd does not start") }
        unsafe self.context = unsafe context
        unsafe _ = ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, ZstdCompressor.windowBits)
    }

    deinit {
        unsafe _ = ZSTD_freeDCtx(context)
    }

    /// Decodes bytes from `offset` on, as many as give at most ``Scratch/byteCount`` bytes.
    ///
    /// zstd gets at most one block at a time: after a failed call it is unknown what it has written, and those bytes
    /// must not belong to a correct block.
    mutating func step(
        _ bytes: Span<UInt8>, at offset: inout Int, into output: inout [UInt8]
    ) throws(CodingFailure) -> EngineStep {
        var code = 0
        var fills = false
        let limit = isFull ? 0 : wanted
        unsafe bytes.extracting(offset..<bytes.count).withUnsafeBufferPointer { buffer in
            var input = unsafe ZSTD_inBuffer(src: buffer.baseAddress, size: min(buffer.count, limit), pos: 0)
            unsafe scratch.append(to: &output) { memory in
                var room = unsafe ZSTD_outBuffer(dst: memory, size: Scratch.byteCount, pos: 0)
                code = unsafe ZSTD_decompressStream(context, &room, &input)
                fills = unsafe room.pos == room.size
                return unsafe room.pos
            }
            offset += unsafe input.pos
        }
        guard ZSTD_isError(code) == 0 else { throw failure(code) }
        isFull = fills
        wanted = code > Self.blockHeaderByteCount ? code - Self.blockHeaderByteCount : max(1, code)
        if code == 0 { return .ended }
        return isFull || offset < bytes.count ? .more : .starved
    }

    private func failure(_ code: Int) -> CodingFailure {
        let text = unsafe String(cString: ZSTD_getErrorName(code))
        let kind: CodingFailure.Kind =
            switch ZSTD_getErrorCode(code) {
            case ZSTD_error_checksum_wrong: .checksum
            case ZSTD_error_frameParameter_windowTooLarge: .tooLarge
            case ZSTD_error_frameParameter_unsupported, ZSTD_error_version_unsupported, ZSTD_error_dictionary_wrong,
                ZSTD_error_dictionary_corrupted:
                .unsupported
            case ZSTD_error_memory_allocation: .memory
            default: .corrupt
            }
        let bound = kind == .tooLarge ? "; RFC 9659 allows 8 MiB" : ""
        return CodingFailure(kind, "zstd: \(text)\(bound)")
    }
}
