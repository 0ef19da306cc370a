import CZlib

/// Holds a `z_stream` at a fixed address, because zlib keeps the address.
///
/// The owner calls `deflateEnd` or `inflateEnd` before the memory is freed.
@safe struct ZlibStream: ~Copyable {
    let pointer: UnsafeMutablePointer<z_stream>

    init() {
        unsafe pointer = .allocate(capacity: 1)
        unsafe pointer.initialize(to: z_stream())
    }

    deinit {
        unsafe pointer.deallocate()
    }

    /// Sets the input to the beginning of `input`, as much as zlib can count; returns its byte count.
    func setInput(_ input: UnsafeBufferPointer<UInt8>) -> Int {
        let count = min(input.count, 1 << 30)
        // zlib only reads from `next_in`; its type is not const because of old compilers.
        unsafe pointer.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        unsafe pointer.pointee.avail_in = UInt32(count)
        return count
    }

    /// Sets the output to memory of ``Scratch``.
    func setOutput(_ memory: UnsafeMutablePointer<UInt8>) {
        unsafe pointer.pointee.next_out = memory
        unsafe pointer.pointee.avail_out = UInt32(Scratch.byteCount)
    }

    var inputLeft: Int { Int(unsafe pointer.pointee.avail_in) }

    var outputCount: Int { Scratch.byteCount - Int(unsafe pointer.pointee.avail_out) }

    /// zlib's text about its last failure, which is a constant of zlib.
    var complaint: String? {
        guard let text = unsafe pointer.pointee.msg else { return nil }
        return unsafe String(cString: text)
    }
}

enum ZlibChecksum {
    /// The CRC-32 (RFC 1952 §8) of these bytes behind those with the value `crc`, which is 0 at the beginning.
    static func crc32(_ crc: UInt32, _ bytes: Span<UInt8>) -> UInt32 {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe UInt32(truncatingIfNeeded: crc32_z(UInt(crc), buffer.baseAddress, buffer.count))
        }
    }
}

/// zlib's decompressor, for one of the three formats around DEFLATE.
@safe struct ZlibInflater: ~Copyable {
    /// The format around the compressed bytes; the value is zlib's parameter for the window.
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

    func reset() {
        unsafe _ = inflateReset(stream.pointer)
    }

    /// Takes bytes from `offset` on, as many as give at most ``Scratch/byteCount`` bytes.
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
        // Z_BUF_ERROR: no progress is possible, because input is missing.
        case Z_OK, Z_BUF_ERROR:
            let isFull = stream.outputCount == Scratch.byteCount
            return isFull || offset < bytes.count ? .more : .starved
        case Z_NEED_DICT: throw CodingFailure(.unsupported, "\(name) wants a preset dictionary (RFC 1950 §2.2)")
        case Z_MEM_ERROR: throw CodingFailure(.memory, "zlib got no memory")
        default: throw failure
        }
    }

    /// zlib's texts are part of its interface; nothing else tells its data errors apart.
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

/// zlib's compressor: DEFLATE (RFC 1951), raw or between the header and checksum of RFC 1950.
@safe final class ZlibDeflater: EncodingEngine {
    private let stream = ZlibStream()
    private let scratch = Scratch()

    init(level: Int?, isRaw: Bool) throws(CodingFailure) {
        // Negative window bits mean raw; 8 is zlib's default memory level.
        let code = unsafe deflateInit2_(
            stream.pointer, Int32(truncatingIfNeeded: level ?? -1), Z_DEFLATED, isRaw ? -15 : 15, 8,
            Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else { throw CodingFailure(.memory, "zlib does not start: code \(code)") }
    }

    deinit {
        unsafe _ = deflateEnd(stream.pointer)
    }

    func encode(_ bytes: Span<UInt8>, isLast: Bool, into output: inout [UInt8]) {
        unsafe bytes.withUnsafeBufferPointer { whole in
            var rest = unsafe whole[...]
            repeat {
                let count = unsafe stream.setInput(UnsafeBufferPointer(rebasing: rest))
                unsafe rest = rest.dropFirst(count)
                drain(unsafe isLast && rest.isEmpty ? Z_FINISH : Z_NO_FLUSH, into: &output)
            } while unsafe !rest.isEmpty
        }
    }

    /// Begins the next stream, with the same level.
    func reset() {
        unsafe _ = deflateReset(stream.pointer)
    }

    /// Runs until zlib has output space left: then it has taken all input, and no output waits.
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

/// Memory of a fixed size for the output of a library, owned by this value.
@safe struct Scratch: ~Copyable {
    /// The most bytes that one call of a library writes.
    static let byteCount = 65_536

    private let start: UnsafeMutablePointer<UInt8>

    init() {
        unsafe start = .allocate(capacity: Self.byteCount)
    }

    deinit {
        unsafe start.deallocate()
    }

    /// `write` gets the memory and returns how many bytes of it are appended.
    func append(
        to output: inout [UInt8], _ write: (UnsafeMutablePointer<UInt8>) -> Int
    ) {
        let count = unsafe min(max(write(start), 0), Self.byteCount)
        unsafe output.append(contentsOf: UnsafeBufferPointer(start: start, count: count))
    }
}
