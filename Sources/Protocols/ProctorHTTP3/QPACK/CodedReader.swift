internal import ProctorHTTP

/// Reads integers and strings of QPACK one behind the other (RFC 9204 §4.1).
struct CodedReader {
    let bytes: [UInt8]
    var position: Int

    /// nil at the end of the bytes, which is no failure of a reader in the middle of a stream.
    enum Failure: Error {
        case truncated
        case integerTooLarge
        case huffman
        case stringTooLong
    }

    mutating func integer(prefix bits: Int) throws(Failure) -> Int {
        do throws(PrefixedInteger.Failure) {
            return try PrefixedInteger.read(bytes, at: &position, prefix: bits, within: .ofQPACK)
        } catch {
            throw error == .truncated ? .truncated : .integerTooLarge
        }
    }

    /// A string whose length has a prefix of so many bits, behind the bit H; nil bound: no longer than the bytes.
    mutating func string(prefix bits: Int, atMost bound: Int = .max) throws(Failure) -> [UInt8] {
        guard position < bytes.count else { throw .truncated }
        let isHuffman = bytes[position] & 1 << UInt8(bits) != 0
        let count = try integer(prefix: bits)
        // The longest code of a byte has 30 bits.
        guard count <= (isHuffman ? bound.multipliedReportingOverflow(by: 4).partialValue : bound) || bound == .max
        else { throw .stringTooLong }
        guard count <= bytes.count - position else { throw .truncated }
        let coded = bytes[position..<position + count]
        position += count
        guard isHuffman else { return Array(coded) }
        guard let text = HuffmanCode.decode(coded) else { throw .huffman }
        return text
    }
}

extension PrefixedInteger {
    /// Writes a string whose length has a prefix of so many bits, behind the bit H; coded if that is shorter.
    static func append(string text: [UInt8], prefix bits: Int, first: UInt8, to bytes: inout [UInt8]) {
        let coded = HuffmanCode.encode(text)
        if coded.count < text.count {
            append(coded.count, prefix: bits, first: first | 1 << UInt8(bits), to: &bytes)
            bytes += coded
        } else {
            append(text.count, prefix: bits, first: first, to: &bytes)
            bytes += text
        }
    }
}
