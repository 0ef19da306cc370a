internal import ProctorHTTP

/// How one item of a field block is encoded (RFC 7541 §6).
package struct Representation: Sendable, Equatable {
    package let kind: Kind
    /// The bytes of the item in the block.
    package let range: Range<Int>

    package enum Kind: Sendable, Equatable {
        /// An indexed field, 1 to 61 in the static table (§6.1).
        case indexed(Int)
        /// A literal field: its value, and perhaps its name, is a string literal (§6.2).
        case literal(Indexing, name: Name, value: Text)
        /// A dynamic table size update, in bytes (§6.3).
        case tableSize(Int)
    }

    package enum Indexing: String, Sendable, CaseIterable {
        /// Added to the table (§6.2.1).
        case incremental
        /// Not added to the table (§6.2.2).
        case without
        /// Not added to a table by anyone who forwards the field (§6.2.3).
        case never
    }

    package enum Name: Sendable, Equatable {
        /// The name of a field in a table.
        case indexed(Int)
        case text(Text)
    }

    /// A string literal (§5.2).
    package struct Text: Sendable, Equatable {
        package let isHuffman: Bool
        /// The number of encoded bytes.
        package let byteCount: Int
    }

    /// Whether the item is a field.
    package var isField: Bool { if case .tableSize = kind { false } else { true } }
}

extension [Representation] {
    /// Whether no item changes a table, so that the same bytes would give the same fields again.
    var leaveTables: Bool {
        allSatisfy { item in
            switch item.kind {
            case .indexed: true
            case .literal(let indexing, _, _): indexing != .incremental
            case .tableSize: false
            }
        }
    }
}

/// Why a field block cannot be decoded (RFC 7541); from then on the tables of both ends differ.
package struct BlockError: Error, Sendable, Equatable, CustomStringConvertible {
    package let reason: Reason
    /// Bytes from the beginning of the block.
    package let offset: Int

    package enum Reason: String, Sendable, CaseIterable {
        case truncated = "the block ends within an item"
        case integerTooLarge = "an integer is beyond 2^31 − 1, or is written with more than six bytes"
        case indexZero = "index 0 stands for nothing"
        case indexTooLarge = "an index is beyond both tables"
        case updateMissing =
            "the receiver made the table smaller, and the next block does not begin with an update of its size"
        case updateNotFirst = "an update of the table's size stands behind a field"
        case updateTooLarge = "an update of the table's size is beyond what the receiver allows"
        case huffman = "a string is no Huffman code: its padding is no beginning of EOS, too long, or EOS is in it"
        case other = "the block can't be decoded"
    }

    /// `index 0 stands for nothing, at byte 3 of the block`.
    package var description: String { "\(reason.rawValue), at byte \(offset) of the block" }
}

/// Finds the items of a field block without decoding their strings.
package struct RepresentationReader: Sendable {
    private let block: [UInt8]
    private var position = 0

    /// Reads all items in order, up to the first one that cannot be read.
    package static func items(of block: [UInt8]) throws(BlockError) -> [Representation] {
        var reader = RepresentationReader(block: block)
        var items: [Representation] = []
        while let item = try reader.next() { items.append(item) }
        return items
    }

    package init(block: [UInt8]) { self.block = block }

    /// nil at the end of the block.
    package mutating func next() throws(BlockError) -> Representation? {
        guard position < block.count else { return nil }
        let start = position
        let first = block[position]
        let kind: Representation.Kind
        if first & 0x80 != 0 {
            let index = try integer(prefix: 7)
            guard index > 0 else { throw BlockError(reason: .indexZero, offset: start) }
            kind = .indexed(index)
        } else if first & 0xE0 == 0x20 {
            kind = .tableSize(try integer(prefix: 5))
        } else {
            let indexing: Representation.Indexing =
                first & 0x40 != 0 ? .incremental : first & 0x10 != 0 ? .never : .without
            let index = try integer(prefix: indexing == .incremental ? 6 : 4)
            let name: Representation.Name = index == 0 ? .text(try text()) : .indexed(index)
            kind = .literal(indexing, name: name, value: try text())
        }
        return Representation(kind: kind, range: start..<position)
    }

    /// An integer with a prefix of so many bits (RFC 7541 §5.1).
    private mutating func integer(prefix bits: Int) throws(BlockError) -> Int {
        let start = position
        do throws(PrefixedInteger.Failure) {
            return try PrefixedInteger.read(block, at: &position, prefix: bits, within: .ofHPACK)
        } catch {
            switch error {
            case .truncated: throw BlockError(reason: .truncated, offset: block.count)
            case .tooLarge: throw BlockError(reason: .integerTooLarge, offset: start)
            }
        }
    }

    private mutating func text() throws(BlockError) -> Representation.Text {
        guard position < block.count else { throw BlockError(reason: .truncated, offset: block.count) }
        let isHuffman = block[position] & 0x80 != 0
        let count = try integer(prefix: 7)
        guard count <= block.count - position else { throw BlockError(reason: .truncated, offset: block.count) }
        position += count
        return Representation.Text(isHuffman: isHuffman, byteCount: count)
    }
}
