/// Offsets of values in a file, in the order of the values: a byte for a value that begins within 63 bytes of the one before,
/// two within 8 KiB, and four bytes more for each ``stride`` of them.
struct PlaceTable: Sendable {
    /// Differences as zigzag numbers of seven bits a byte, the lowest first; aliases lead back.
    private var differences: [UInt8] = []
    /// The offset of each value whose number is a multiple of ``stride``, and where the differences behind it begin.
    private var marks: [(offset: UInt32, next: UInt32)] = []
    private var count = 0
    private var last = 0

    private static let stride = 256

    /// Reserves for so many values; what is not used costs no memory, only addresses.
    init(reserving count: Int) { differences.reserveCapacity(count) }

    /// `offset` is below 4 GiB.
    mutating func append(_ offset: Int) {
        if count.isMultiple(of: Self.stride) {
            marks.append((UInt32(truncatingIfNeeded: offset), UInt32(truncatingIfNeeded: differences.count)))
        } else {
            let difference = offset - last
            var rest = UInt64(bitPattern: Int64((difference << 1) ^ (difference >> 63)))
            while rest >= 0x80 {
                differences.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            differences.append(UInt8(truncatingIfNeeded: rest))
        }
        count += 1
        last = offset
    }

    /// The offset of the value with that number, which must be there.
    subscript(_ index: Int) -> Int {
        var walk = Walk(at: index - index % Self.stride, marks)
        while walk.index < index { walk.advance(differences, marks) }
        return walk.offset
    }

    /// Appends the offsets of those values once more.
    mutating func repeatPlaces(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        var walk = Walk(at: range.lowerBound - range.lowerBound % Self.stride, marks)
        while walk.index < range.lowerBound { walk.advance(differences, marks) }
        append(walk.offset)
        while walk.index + 1 < range.upperBound {
            walk.advance(differences, marks)
            append(walk.offset)
        }
    }

    /// A way through the differences.
    private struct Walk {
        private(set) var index: Int
        private(set) var offset: Int
        private var next: Int

        /// `index` is that of a mark.
        init(at index: Int, _ marks: [(offset: UInt32, next: UInt32)]) {
            self.index = index
            let mark = marks[index / PlaceTable.stride]
            (offset, next) = (Int(mark.offset), Int(mark.next))
        }

        mutating func advance(_ differences: [UInt8], _ marks: [(offset: UInt32, next: UInt32)]) {
            index += 1
            guard !index.isMultiple(of: PlaceTable.stride) else {
                self = Walk(at: index, marks)
                return
            }
            var (zigzag, shift): (UInt64, UInt64) = (0, 0)
            while differences[next] >= 0x80 {
                zigzag |= UInt64(differences[next] & 0x7F) << shift
                shift += 7
                next += 1
            }
            zigzag |= UInt64(differences[next]) << shift
            next += 1
            offset += Int(zigzag >> 1) ^ -Int(zigzag & 1)
        }
    }
}
