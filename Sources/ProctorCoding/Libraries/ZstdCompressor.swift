import CZstd

/// zstd's encoder (RFC 8878), one frame, with a window that every client of HTTP can hold.
@safe struct ZstdCompressor: ~Copyable {
    /// As a power of two: 8 MiB is what RFC 9659 §3 allows under the name `zstd`.
    static let windowBits: Int32 = 23

    private let context: OpaquePointer
    private let scratch = Scratch()

    init(level: Int?, hasChecksum: Bool) throws(CodingFailure) {
        guard let context = unsafe ZSTD_createCCtx() else { throw CodingFailure(.memory, "zstd does not start") }
        unsafe self.context = unsafe context
        let level = Int32(truncatingIfNeeded: level ?? Int(ZSTD_CLEVEL_DEFAULT))
        unsafe _ = ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level)
        unsafe _ = ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, hasChecksum ? 1 : 0)
        // Only these levels would take a greater one by themselves.
        if level >= 20 { unsafe _ = ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, Self.windowBits) }
    }

    deinit {
        unsafe _ = ZSTD_freeCCtx(context)
    }

    /// Takes all of the bytes; the end of the frame is written when they are the last ones.
    func compress(_ bytes: Span<UInt8>, isLast: Bool, into output: inout [UInt8]) throws(CodingFailure) {
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
                // The code of a step that goes well is how much still waits to be written.
                hasMore = unsafe ZSTD_isError(code) == 0 && (isLast ? code > 0 : input.pos < input.size)
            }
        }
        guard ZSTD_isError(code) == 0 else {
            throw CodingFailure(.memory, unsafe "zstd: \(String(cString: ZSTD_getErrorName(code)))")
        }
    }
}
