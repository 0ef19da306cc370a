import CZstd

/// zstd's decoder (RFC 8878), frame after frame.
@safe struct ZstdDecompressor: ~Copyable {
    private static let blockHeaderByteCount = 3

    private let context: OpaquePointer
    private let scratch = Scratch()
    /// What the decoder asks for next, a block at most, without the header of the block behind it.
    private var wanted = 1
    /// Some of a block may wait for room; it goes out before anything is taken.
    private var isFull = false

    init() throws(CodingFailure) {
        guard let context = unsafe ZSTD_createDCtx() else { throw CodingFailure(.memory, "zstd does not start") }
        unsafe self.context = unsafe context
        unsafe _ = ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, ZstdCompressor.windowBits)
    }

    deinit {
        unsafe _ = ZSTD_freeDCtx(context)
    }

    /// Takes from `offset` on what gives at most ``Scratch/byteCount`` bytes.
    ///
    /// It gets no more than one block: where a call fails, zstd does not tell what that call has written, and that
    /// must not be a block which was right.
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
