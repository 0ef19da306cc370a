/// The Huffman code of HPACK (RFC 7541 Appendix B), which QPACK has too (RFC 9204 §4.1.2).
package enum HuffmanCode {
    /// The number of bits in the code of each byte, and of EOS after them.
    ///
    /// The code is canonical, so the lengths define it: shorter codes come first, and codes of equal length are in the
    /// order of their bytes.
    static let lengths: [UInt8] = [
        13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28,
        28, 28, 28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7,
        8, 15, 6, 12, 10, 13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19,
        13, 14, 6, 15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13,
        28, 20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21,
        22, 23, 22, 23, 23, 24, 22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23,
        22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23, 26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25,
        19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25,
        25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26, 30,
    ]

    /// The bits of each code, right-aligned, by byte; EOS last.
    private static let codes: [UInt32] = {
        var codes = [UInt32](repeating: 0, count: lengths.count)
        var next: UInt32 = 0
        for length in UInt8(1)...30 {
            next <<= 1
            for symbol in lengths.indices where lengths[symbol] == length {
                codes[symbol] = next
                next += 1
            }
        }
        return codes
    }()

    /// The symbol EOS, which no text contains.
    package static let eos = 256

    /// The code of a text, padded with the first bits of EOS, which are ones (RFC 7541 §5.2).
    package static func encode(_ text: [UInt8]) -> [UInt8] { encode(symbols: text.map(Int.init)) }

    /// The code of symbols, which may include ``eos``, illegal in a text.
    package static func encode(symbols: [Int]) -> [UInt8] {
        var bytes: [UInt8] = []
        var bits: UInt64 = 0
        var count: UInt64 = 0
        for symbol in symbols where lengths.indices.contains(symbol) {
            bits = bits << UInt64(lengths[symbol]) | UInt64(codes[symbol])
            count += UInt64(lengths[symbol])
            while count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        if count > 0 { bytes.append(UInt8(truncatingIfNeeded: bits << (8 - count) | ((1 << (8 - count)) - 1))) }
        return bytes
    }
}
