#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

// Pages as bytes, without their zeros. A page that is not all zeros is a byte with its number, and its words of eight bytes in order. A
// word is a byte whose bits tell which of its bytes are not zero, the lowest bit first, and these; behind a word of zeros stands a byte
// that counts further ones.

/// Writes pages into room that is given.
@safe struct PackedWriter {
    var next: UnsafeMutableRawPointer
    let end: UnsafeMutableRawPointer

    private static let wordCount = SystemPages.packedByteCount / 8
    /// The most bytes of a page: nine for each word, and its number.
    private static let mostOfPage = 9 * wordCount + 1

    /// False if the room may be too small; `number` is below 256.
    mutating func append(_ page: UnsafeRawPointer, number: Int) -> Bool {
        guard unsafe !Self.isZero(page) else { return true }
        guard unsafe end - next >= Self.mostOfPage else { return false }
        write(UInt8(truncatingIfNeeded: number))
        let words = unsafe page.assumingMemoryBound(to: UInt64.self)
        var index = 0
        while index < Self.wordCount {
            let word = unsafe words[index]
            index += 1
            if word == 0 {
                let first = index
                while index < Self.wordCount, index - first < 255, unsafe words[index] == 0 { index += 1 }
                write(0)
                write(UInt8(index - first))
            } else {
                writeWord(word)
            }
        }
        return true
    }

    private mutating func writeWord(_ word: UInt64) {
        let place = unsafe next
        write(0)
        var bits: UInt8 = 0
        for index in 0..<8 {
            let byte = UInt8(truncatingIfNeeded: word >> UInt64(8 * index))
            guard byte != 0 else { continue }
            bits |= 1 << UInt8(index)
            write(byte)
        }
        unsafe place.storeBytes(of: bits, as: UInt8.self)
    }

    private mutating func write(_ byte: UInt8) {
        unsafe next.storeBytes(of: byte, as: UInt8.self)
        unsafe next += 1
    }

    /// Whether each byte is the one behind it, and the first one zero.
    private static func isZero(_ page: UnsafeRawPointer) -> Bool {
        unsafe page.load(as: UInt64.self) == 0 && memcmp(page, page + 8, SystemPages.packedByteCount - 8) == 0
    }
}

/// Reads what ``PackedWriter`` has written, into pages that are zeros.
@safe struct PackedReader {
    let bytes: UnsafeRawBufferPointer

    func copyAll(to base: UnsafeMutableRawPointer) {
        var position = 0
        while unsafe position < bytes.count {
            let page = unsafe base + Int(bytes[position]) * SystemPages.packedByteCount
            position += 1
            var offset = 0
            while offset < SystemPages.packedByteCount {
                let bits = unsafe bytes[position]
                position += 1
                if bits == 0 {
                    offset += 8 + 8 * Int(unsafe bytes[position])
                    position += 1
                    continue
                }
                var word: UInt64 = 0
                for index in 0..<8 where bits & 1 << UInt8(index) != 0 {
                    word |= unsafe UInt64(bytes[position]) << UInt64(8 * index)
                    position += 1
                }
                unsafe (page + offset).storeBytes(of: word, as: UInt64.self)
                offset += 8
            }
        }
    }
}
