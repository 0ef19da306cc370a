/// Bytes that grow at their end; removing bytes keeps the memory, and the one owner frees it.
///
/// `@usableFromInline` on a `package` type lets other modules inline its inlinable functions; without it the module's
/// file does not contain their bodies (Swift 6.3.1).
///
/// An array checks before each write whether it is shared, and appends by a function call. One journal line has about
/// sixty parts of a few bytes each, so this type writes through a pointer. Each write must follow a ``reserve(_:)`` of
/// at least its size.
@safe @usableFromInline package struct GrowingBytes: ~Copyable {
    @usableFromInline var start: UnsafeMutablePointer<UInt8>
    @usableFromInline var capacity: Int
    @usableFromInline var end = 0

    /// The number of bytes.
    @inlinable package var count: Int { end }

    package init(capacity: Int = 256) {
        self.capacity = max(capacity, 16)
        unsafe start = .allocate(capacity: self.capacity)
    }

    deinit { unsafe start.deallocate() }

    /// A copy of all bytes.
    package var array: [UInt8] { unsafe Array(UnsafeBufferPointer(start: start, count: end)) }

    /// Lends the bytes for the time of a call.
    @inlinable package func withSpan<Result>(_ body: (borrowing Span<UInt8>) -> Result) -> Result {
        unsafe body(UnsafeBufferPointer(start: start, count: end).span)
    }

    // MARK: Room

    /// Makes room for this many bytes after the last one.
    @inlinable
    @inline(__always)
    package mutating func reserve(_ byteCount: Int) {
        if capacity &- end < byteCount { grow(byteCount) }
    }

    @inline(never)
    @usableFromInline
    mutating func grow(_ byteCount: Int) {
        let larger = max(2 * capacity, end + byteCount)
        let other = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        unsafe other.update(from: start, count: end)
        unsafe start.deallocate()
        unsafe start = other
        capacity = larger
    }

    /// Removes all bytes; frees memory of more than `limit` bytes.
    package mutating func removeAll(keepingCapacityUpTo limit: Int) {
        if capacity > limit { self = GrowingBytes() } else { end = 0 }
    }

    /// Removes the first bytes.
    package mutating func removeFirst(_ byteCount: Int) {
        precondition(byteCount >= 0 && byteCount <= end, "\(byteCount) bytes of \(end)")
        unsafe start.update(from: start + byteCount, count: end - byteCount)
        end -= byteCount
    }

    /// Removes all bytes after the first `byteCount`.
    @inlinable
    package mutating func truncate(to byteCount: Int) {
        precondition(byteCount >= 0 && byteCount <= end, "no length of \(byteCount) in \(end) bytes")
        end = byteCount
    }

    // MARK: Appending

    @inlinable
    @inline(__always)
    package mutating func append(_ byte: UInt8) {
        reserve(1)
        unsafe start[end] = byte
        end &+= 1
    }

    @inlinable
    @inline(__always)
    package mutating func append(_ bytes: borrowing Span<UInt8>) {
        let count = bytes.count
        reserve(count)
        unsafe bytes.withUnsafeBufferPointer { buffer in
            if let base = buffer.baseAddress { unsafe (start + end).update(from: base, count: count) }
        }
        end &+= count
    }

    @inlinable
    @inline(__always)
    package mutating func appendText(_ text: StaticString) {
        let count = text.utf8CodeUnitCount
        reserve(count)
        unsafe (start + end).update(from: text.utf8Start, count: count)
        end &+= count
    }

    /// Appends the first `count` bytes of a constant whose length is a multiple of 16, 16 at a time.
    @inlinable
    @inline(__always)
    package mutating func appendPadded(_ bytes: [UInt8], count: Int) {
        reserve(bytes.count)
        unsafe bytes.withUnsafeBufferPointer { buffer in
            let source = UnsafeRawBufferPointer(buffer)
            let target = unsafe UnsafeMutableRawPointer(start + end)
            var offset = 0
            while offset < count {
                let part = unsafe source.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
                unsafe target.storeBytes(of: part, toByteOffset: offset, as: SIMD16<UInt8>.self)
                offset &+= 16
            }
        }
        end &+= count
    }

    /// Appends the lowest bytes of a word, at most 8; the caller has reserved room for 8.
    @inlinable
    @inline(__always)
    mutating func appendToReserved(_ word: UInt64, byteCount: Int) {
        precondition(capacity &- end >= 8 && byteCount >= 0 && byteCount <= 8, "no room for a word")
        unsafe UnsafeMutableRawPointer(start + end).storeBytes(of: word.littleEndian, as: UInt64.self)
        end &+= byteCount
    }

    /// Appends a whole number in decimal digits.
    @inlinable
    @inline(__always)
    package mutating func appendDecimal(_ number: UInt64) {
        if number < 10 { return append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number)) }
        if number < 100_000_000 { appendFewDigits(of: number) } else { appendDigits(of: number) }
    }

    /// At most eight digits.
    @usableFromInline
    mutating func appendFewDigits(of number: UInt64) {
        reserve(8)
        appendWithoutZeros(Self.digits(of: number))
    }

    @usableFromInline
    mutating func appendDigits(of number: UInt64) {
        reserve(24)
        let eightDigits: UInt64 = 100_000_000
        let (higher, lowest) = (number / eightDigits, number % eightDigits)
        if higher < eightDigits {
            appendWithoutZeros(Self.digits(of: higher))
        } else {
            appendWithoutZeros(Self.digits(of: higher / eightDigits))
            appendToReserved(Self.digits(of: higher % eightDigits) | Self.zeros, byteCount: 8)
        }
        appendToReserved(Self.digits(of: lowest) | Self.zeros, byteCount: 8)
    }

    private static var zeros: UInt64 { 0x3030_3030_3030_3030 }

    /// Eight decimal digits of a number below 100,000,000, each from 0 to 9, the first in the lowest byte.
    ///
    /// Divides by multiplication in lanes of one word: first two numbers of four digits, then four of two, then eight
    /// of one.
    @inline(__always)
    private static func digits(of number: UInt64) -> UInt64 {
        let fours = number / 10_000 | (number % 10_000) << 32
        let hundreds = (fours &* 10_486) >> 20 & 0x7F_0000_007F
        let twos = hundreds | (fours &- 100 &* hundreds) << 16
        let tens = (twos &* 103) >> 10 & 0x000F_000F_000F_000F
        return tens | (twos &- 10 &* tens) << 8
    }

    /// Appends eight digits without leading zeros, at least one digit.
    @inline(__always)
    private mutating func appendWithoutZeros(_ digits: UInt64) {
        let zeroCount = min(digits.trailingZeroBitCount / 8, 7)
        appendToReserved(
            (digits | Self.zeros) &>> UInt64(truncatingIfNeeded: 8 &* zeroCount), byteCount: 8 &- zeroCount)
    }

    // MARK: In one go

    /// Makes room and lets a closure write there; the closure returns how many bytes it wrote.
    ///
    /// For loops that would otherwise read the fields of this value again for each byte.
    @inline(__always)
    mutating func appendInPlace(atMost byteCount: Int, _ write: (UnsafeMutableRawPointer) -> Int) {
        reserve(byteCount)
        let written = unsafe write(UnsafeMutableRawPointer(start + end))
        precondition(written >= 0 && written <= byteCount, "\(written) bytes in the place of \(byteCount)")
        end &+= written
    }
}
