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

    /// Sets the input to as much of `input` as zlib can count; returns its byte count.
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
    /// The CRC-32 (RFC 1952 §8) after these bytes, where `crc` is the value of all earlier ones, 0 at the beginning.
    static func crc32(_ crc: UInt32, _ bytes: Span<UInt8>) -> UInt32 {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe UInt32(truncatingIfNeeded: crc32_z(UInt(crc), buffer.baseAddress, buffer.count))
        }
    }
}

/// zlib's decompressor, for one of the three formats around DEFLATE.
@safe package struct ZlibInflater: ~Copyable {
    /// The format around the compressed bytes; the value is zlib's parameter for the window.
    package enum Format: Int32 {
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
    /// Whether bytes come out one at a time, since zlib looks only between two calls whether the window is exceeded.
    private let isBoundToWindow: Bool

    /// `windowBits`, 8 to 15, is the window that the compressed bytes must keep within; smaller ones are slow to check.
    package init(_ format: Format, name: String, windowBits: Int = 15) throws(CodingFailure) {
        self.name = name
        isBoundToWindow = windowBits < 15
        let code = unsafe inflateInit2_(
            stream.pointer, format == .raw ? -Int32(windowBits) : format.rawValue, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else { throw CodingFailure(.memory, "zlib does not start: code \(code)") }
    }

    deinit {
        unsafe _ = inflateEnd(stream.pointer)
    }

    func reset() {
        unsafe _ = inflateReset(stream.pointer)
    }

    /// Begins the next stream of raw DEFLATE, which may refer to the content of the one before.
    package func resetKeepingWindow() {
        let window = window
        unsafe _ = inflateReset(stream.pointer)
        setWindow(window)
    }

    /// The content that raw DEFLATE may refer to, 32 KiB at most.
    package var window: [UInt8] {
        // Without memory it tells the count, so that the array has no more room than that.
        var count: UInt32 = 0
        unsafe _ = inflateGetDictionary(stream.pointer, nil, &count)
        // The standard library would write the count into the storage that all empty arrays share.
        guard count > 0 else { return [] }
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(count)) { memory, filled in
            unsafe _ = inflateGetDictionary(stream.pointer, memory.baseAddress, &count)
            filled = Int(count)
        }
    }

    package func setWindow(_ window: [UInt8]) {
        unsafe window.withUnsafeBufferPointer { memory in
            unsafe _ = inflateSetDictionary(stream.pointer, memory.baseAddress, UInt32(memory.count))
        }
    }

    /// Whether the last call stopped before the head of a block, for which it had no more input; another call without
    /// input makes it false.
    package var isBetweenBlocks: Bool { unsafe stream.pointer.pointee.data_type & 128 != 0 }

    /// Takes bytes from `offset` on, as many as give at most ``Scratch/byteCount`` bytes.
    package func step(
        _ bytes: Span<UInt8>, at offset: inout Int, into output: inout [UInt8]
    ) throws(CodingFailure) -> EngineStep {
        var code = Z_OK
        unsafe bytes.extracting(offset..<bytes.count).withUnsafeBufferPointer { input in
            let count = unsafe stream.setInput(input)
            unsafe scratch.append(to: &output) { memory in
                unsafe stream.setOutput(memory)
                code = isBoundToWindow ? inflateByByte() : unsafe inflate(stream.pointer, Z_NO_FLUSH)
                return stream.outputCount
            }
            offset += count - stream.inputLeft
        }
        switch code {
        case Z_STREAM_END: return .ended
        // Z_BUF_ERROR means that no progress is possible without more input.
        case Z_OK, Z_BUF_ERROR:
            let isFull = stream.outputCount == Scratch.byteCount
            return isFull || offset < bytes.count ? .more : .starved
        case Z_NEED_DICT: throw CodingFailure(.unsupported, "\(name) wants a preset dictionary (RFC 1950 §2.2)")
        case Z_MEM_ERROR: throw CodingFailure(.memory, "zlib got no memory")
        default: throw failure
        }
    }

    /// Fills the output as one call does, with a call for each byte.
    private func inflateByByte() -> Int32 {
        var room = Scratch.byteCount
        while true {
            unsafe stream.pointer.pointee.avail_out = 1
            let code = unsafe inflate(stream.pointer, Z_NO_FLUSH)
            let isWritten = unsafe stream.pointer.pointee.avail_out == 0
            if isWritten { room -= 1 }
            unsafe stream.pointer.pointee.avail_out = UInt32(room)
            guard isWritten, code == Z_OK, room > 0, !isBetweenBlocks else { return code }
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
@safe package final class ZlibDeflater: EncodingEngine {
    private let stream = ZlibStream()
    private let scratch = Scratch()

    /// `windowBits` is 9 to 15.
    package init(level: Int?, isRaw: Bool, windowBits: Int32 = 15) throws(CodingFailure) {
        // Negative window bits mean raw; 8 is zlib's default memory level.
        let code = unsafe deflateInit2_(
            stream.pointer, Int32(truncatingIfNeeded: level ?? -1), Z_DEFLATED, isRaw ? -windowBits : windowBits, 8,
            Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else { throw CodingFailure(.memory, "zlib does not start: code \(code)") }
    }

    deinit {
        unsafe _ = deflateEnd(stream.pointer)
    }

    package func encode(_ bytes: Span<UInt8>, isLast: Bool, into output: inout [UInt8]) {
        unsafe bytes.withUnsafeBufferPointer { whole in
            var rest = unsafe whole[...]
            repeat {
                let count = unsafe stream.setInput(UnsafeBufferPointer(rebasing: rest))
                unsafe rest = rest.dropFirst(count)
                drain(unsafe isLast && rest.isEmpty ? Z_FINISH : Z_NO_FLUSH, into: &output)
            } while unsafe !rest.isEmpty
        }
    }

    /// Writes all that was taken, and an empty stored block behind it; nothing where nothing was taken since the last one.
    package func flush(into output: inout [UInt8]) { drain(Z_SYNC_FLUSH, into: &output) }

    /// Lets raw DEFLATE that has not begun refer to content before it.
    package func setWindow(_ window: Span<UInt8>) {
        unsafe window.withUnsafeBufferPointer { memory in
            unsafe _ = deflateSetDictionary(stream.pointer, memory.baseAddress, UInt32(memory.count))
        }
    }

    /// Begins the next stream, with the same level.
    package func reset() {
        unsafe _ = deflateReset(stream.pointer)
    }

    /// Calls zlib until it leaves output space free: then all input is consumed, and no output waits.
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

    /// `write` gets the memory and returns how many of its bytes to append.
    func append(
        to output: inout [UInt8], _ write: (UnsafeMutablePointer<UInt8>) -> Int
    ) {
        let count = unsafe min(max(write(start), 0), Self.byteCount)
        unsafe output.append(contentsOf: UnsafeBufferPointer(start: start, count: count))
    }
}
