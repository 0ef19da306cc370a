import CZlib

/// zlib's `z_stream` at an address of its own, which zlib keeps.
///
/// Whoever holds it ends it by `deflateEnd` or `inflateEnd` before it goes.
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
