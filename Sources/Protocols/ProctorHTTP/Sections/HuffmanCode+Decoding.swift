extension HuffmanCode {
    /// The symbols in the order of their codes, and where the codes of each length begin and end.
    private struct Order {
        var symbols: [Int] = []
        /// The first code, by length of 0 to 30 bits.
        var first = [UInt64](repeating: 0, count: 31)
        /// The code behind the last one, by length.
        var end = [UInt64](repeating: 0, count: 31)
        /// The place of the first code in `symbols`, by length.
        var place = [Int](repeating: 0, count: 31)

        init() {
            var next: UInt64 = 0
            for length in 1...30 {
                next <<= 1
                first[length] = next
                place[length] = symbols.count
                for symbol in lengths.indices where lengths[symbol] == length {
                    symbols.append(symbol)
                    next += 1
                }
                end[length] = next
            }
        }
    }

    private static let order = Order()
    private static let shortest = 5
    private static let longest = 30

    /// The text of a code; nil if EOS is in it, or if its padding is no beginning of EOS or longer than 7 bits (RFC 7541
    /// §5.2).
    package static func decode(_ code: ArraySlice<UInt8>) -> [UInt8]? {
        let order = Self.order
        var text: [UInt8] = []
        text.reserveCapacity(code.count * 8 / shortest)
        var bits: UInt64 = 0
        var bitCount = 0
        var position = code.startIndex
        while true {
            while bitCount <= longest, position < code.endIndex {
                bits = bits << 8 | UInt64(code[position])
                bitCount += 8
                position += 1
            }
            var length = shortest
            while length <= longest, length <= bitCount, bits >> UInt64(bitCount - length) >= order.end[length] {
                length += 1
            }
            guard length <= longest, length <= bitCount else { break }
            let symbol = order.symbols[
                order.place[length] + Int(bits >> UInt64(bitCount - length) - order.first[length])]
            guard symbol != eos else { return nil }
            text.append(UInt8(symbol))
            bitCount -= length
            bits &= 1 << UInt64(bitCount) - 1
        }
        return bitCount < 8 && bits == 1 << UInt64(bitCount) - 1 ? text : nil
    }
}
