internal import ProctorHTTP

/// Writes a field block item by item, in any representation, lawful or not (RFC 7541 §5, §6).
///
/// It has no table: the caller knows the contents of the receiver's table.
package struct RawBlock: Sendable, Equatable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// A field of a table; a receiver refuses index 0.
    package mutating func indexed(_ index: Int) { integer(index, prefix: 7, first: 0x80) }

    /// A literal field whose name has an index, or is text if the index is 0.
    package mutating func literal(
        _ indexing: Representation.Indexing, nameIndex: Int = 0, name: [UInt8] = [], value: [UInt8],
        isHuffman: Bool = false
    ) {
        switch indexing {
        case .incremental: integer(nameIndex, prefix: 6, first: 0x40)
        case .without: integer(nameIndex, prefix: 4, first: 0x00)
        case .never: integer(nameIndex, prefix: 4, first: 0x10)
        }
        if nameIndex == 0 { text(name, isHuffman: isHuffman) }
        text(value, isHuffman: isHuffman)
    }

    package mutating func tableSize(_ size: Int) { integer(size, prefix: 5, first: 0x20) }

    /// A string literal; `statedByteCount` replaces its length.
    package mutating func text(_ text: [UInt8], isHuffman: Bool = false, statedByteCount: Int? = nil) {
        let coded = isHuffman ? HuffmanCode.encode(text) : text
        integer(statedByteCount ?? coded.count, prefix: 7, first: isHuffman ? 0x80 : 0x00)
        bytes += coded
    }

    /// A string literal with the Huffman bit and any bytes.
    package mutating func huffman(_ coded: [UInt8]) {
        integer(coded.count, prefix: 7, first: 0x80)
        bytes += coded
    }

    package mutating func append(_ raw: [UInt8]) { bytes += raw }

    package mutating func integer(_ value: Int, prefix bits: Int, first: UInt8) {
        PrefixedInteger.append(value, prefix: bits, first: first, to: &bytes)
    }
}
