import CZlib

/// The decompressing half of zlib, for one of the three formats around DEFLATE.
@safe struct ZlibInflater: ~Copyable {
    /// What stands around the compressed bytes; the value is what zlib wants for its window.
    enum Format: Int32 {
        /// RFC 1951
        case raw = -15
        /// RFC 1950
        case zlib = 15
        /// RFC 1952, one member
        case gzip = 31
    }

    private let stream = ZlibStream()
    private let scratch = Scratch()
    private let name: String

    init(_ format: Format, name: String) throws(CodingFailure) {
        self.name = name
        let code = unsafe inflateInit2_(
            stream.pointer, format.rawValue, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else { throw CodingFailure(.memory, "zlib does not start: code \(code)") }
    }

    deinit {
        unsafe _ = inflateEnd(stream.pointer)
    }

    /// The next stream begins.
    func reset() {
        unsafe _ = inflateReset(stream.pointer)
    }

    /// Takes from `offset` on what gives at most ``Scratch/byteCount`` bytes.
    func step(
        _ bytes: Span<UInt8>, at offset: inout Int, into output: inout [UInt8]
    ) throws(CodingFailure) -> EngineStep {
        var code = Z_OK
        unsafe bytes.extracting(offset..<bytes.count).withUnsafeBufferPointer { input in
            let count = unsafe stream.setInput(input)
            unsafe scratch.append(to: &output) { memory in
                unsafe stream.setOutput(memory)
                code = unsafe inflate(stream.pointer, Z_NO_FLUSH)
                return stream.outputCount
            }
            offset += count - stream.inputLeft
        }
        switch code {
        case Z_STREAM_END: return .ended
        // Z_BUF_ERROR: nothing could be done, for want of input.
        case Z_OK, Z_BUF_ERROR:
            let isFull = stream.outputCount == Scratch.byteCount
            return isFull || offset < bytes.count ? .more : .starved
        case Z_NEED_DICT: throw CodingFailure(.unsupported, "\(name) wants a preset dictionary (RFC 1950 §2.2)")
        case Z_MEM_ERROR: throw CodingFailure(.memory, "zlib got no memory")
        default: throw failure
        }
    }

    /// zlib's sentences are part of its interface; nothing else tells its data errors apart.
    private var failure: CodingFailure {
        let complaint = stream.complaint ?? "the compressed bytes are damaged"
        let kind: CodingFailure.Kind =
            switch complaint {
            case "incorrect data check", "header crc mismatch": .checksum
            case "incorrect length check": .length
            case "unknown compression method", "unknown header flags set": .unsupported
            default: .corrupt
            }
        return CodingFailure(kind, "\(name): \(complaint)")
    }
}
