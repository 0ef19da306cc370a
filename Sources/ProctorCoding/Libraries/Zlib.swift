import CZlib

/// zlib's `z_stream` at an address of its own, which zlib keeps.
///
/// The owner ends the stream by `deflateEnd` or `inflateEnd` before it is freed.
@safe struct ZlibStream: ~Copyable {
    let pointer: UnsafeMutablePointer<z_stream>

    init() {
        unsafe pointer = .allocate(capacity: 1)
        unsafe pointer.initialize(to: z_stream())
    }

    deinit {
        unsafe pointer.deallocate()
    }

    /// Points the stream at as much of `input` as it can count; returns how much that is.
    func setInput(_ input: UnsafeBufferPointer<UInt8>) -> Int {
        let count = min(input.count, 1 << 30)
        // zlib reads from `next_in` only; the type is not const for old compilers' sake.
        unsafe pointer.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        unsafe pointer.pointee.avail_in = UInt32(count)
        return count
    }

    /// Points it at memory of ``Scratch``.
    func setOutput(_ memory: UnsafeMutablePointer<UInt8>) {
        unsafe pointer.pointee.next_out = memory
        unsafe pointer.pointee.avail_out = UInt32(Scratch.byteCount)
    }

    /// Bytes of the input that were not taken.
    var inputLeft: Int { Int(unsafe pointer.pointee.avail_in) }

    /// Bytes that stand in the output.
    var outputCount: Int { Scratch.byteCount - Int(unsafe pointer.pointee.avail_out) }

    /// What zlib says of its last failure; a constant of zlib.
    var complaint: String? {
        guard let text = unsafe pointer.pointee.msg else { return nil }
        return unsafe String(cString: text)
    }
}

/// The two numbers by which the gzip format is checked.
enum ZlibChecksum {
    /// CRC-32 (RFC 1952 §8) of what gave `crc` so far, 0 at the beginning, and then of these bytes.
    static func crc32(_ crc: UInt32, _ bytes: Span<UInt8>) -> UInt32 {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe UInt32(truncatingIfNeeded: crc32_z(UInt(crc), buffer.baseAddress, buffer.count))
        }
    }
}

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

/// Memory that a library writes into, owned and always of the same size.
@safe struct Scratch: ~Copyable {
    /// The most that one call of a library writes.
    static let byteCount = 65_536

    private let start: UnsafeMutablePointer<UInt8>

    init() {
        unsafe start = .allocate(capacity: Self.byteCount)
    }

    deinit {
        unsafe start.deallocate()
    }

    /// `write` gets the memory and returns how many bytes of it are to be appended.
    func append(
        to output: inout [UInt8], _ write: (UnsafeMutablePointer<UInt8>) -> Int
    ) {
        let count = unsafe min(max(write(start), 0), Self.byteCount)
        unsafe output.append(contentsOf: UnsafeBufferPointer(start: start, count: count))
    }
}
