import CZlib

/// The compressing half of zlib: DEFLATE (RFC 1951), raw or between the header and checksum of RFC 1950.
@safe struct ZlibDeflater: ~Copyable {
    private let stream = ZlibStream()
    private let scratch = Scratch()

    init(level: Int?, isRaw: Bool) throws(CodingFailure) {
        // Negative bits of the window mean raw; 8 is zlib's own measure of memory.
        let code = unsafe deflateInit2_(
            stream.pointer, Int32(truncatingIfNeeded: level ?? -1), Z_DEFLATED, isRaw ? -15 : 15, 8,
            Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else { throw CodingFailure(.memory, "zlib does not start: code \(code)") }
    }

    deinit {
        unsafe _ = deflateEnd(stream.pointer)
    }

    /// Takes all of the bytes; the end of the stream is written when they are the last ones.
    func deflate(_ bytes: Span<UInt8>, isLast: Bool, into output: inout [UInt8]) {
        unsafe bytes.withUnsafeBufferPointer { whole in
            var rest = unsafe whole[...]
            repeat {
                let count = unsafe stream.setInput(UnsafeBufferPointer(rebasing: rest))
                unsafe rest = rest.dropFirst(count)
                drain(unsafe isLast && rest.isEmpty ? Z_FINISH : Z_NO_FLUSH, into: &output)
            } while unsafe !rest.isEmpty
        }
    }

    /// The next stream begins, with the same level.
    func reset() {
        unsafe _ = deflateReset(stream.pointer)
    }

    /// Until zlib has room left: then nothing of the input is left, and nothing waits to be written.
    private func drain(_ flush: Int32, into output: inout [UInt8]) {
        var isFull = true
        while isFull {
            unsafe scratch.append(to: &output) { memory in
                unsafe stream.setOutput(memory)
                unsafe _ = CZlib.deflate(stream.pointer, flush)
                return stream.outputCount
            }
            isFull = stream.outputCount == Scratch.byteCount
        }
    }
}
