internal import CNGHTTP2

/// Decodes the field blocks that one end of a connection sends, in their order (RFC 7541).
///
/// Not safe from several threads.
@safe package final class HeaderDecoder {
    private let inflater: OpaquePointer
    /// The size that our SETTINGS_HEADER_TABLE_SIZE allows, in bytes.
    private var tableByteLimit = usualTableByteCount
    private var isBroken = false
    /// The block before, where it and what it was decoded with is all that a next one of the same bytes needs.
    private var repeated: Repeated?

    private struct Repeated {
        let block: [UInt8]
        let limits: Limits
        let section: Section
    }

    /// SETTINGS_HEADER_TABLE_SIZE where nobody says it (RFC 9113 §6.5.2).
    package static let usualTableByteCount = 4_096

    /// How much of one field section is kept.
    package struct Limits: Sendable, Equatable {
        /// The sum of ``HeaderField/size``; our SETTINGS_MAX_HEADER_LIST_SIZE.
        package var listByteCount: Int
        package var fieldCount: Int

        package init(listByteCount: Int = 64 << 10, fieldCount: Int = 200) {
            self.listByteCount = listByteCount
            self.fieldCount = fieldCount
        }
    }

    /// A field section with the way in which it was written.
    package struct Section: Sendable, Equatable {
        /// The fields within the limits.
        package fileprivate(set) var fields: [HeaderField] = []
        /// All items of the block, updates of the table's size too.
        package let items: [Representation]
        /// The sum of ``HeaderField/size`` of all fields.
        package fileprivate(set) var listByteCount = 0
        package fileprivate(set) var fieldCount = 0
        /// Whether fields were left out.
        package var isCut: Bool { fieldCount > fields.count }
    }

    /// nil where there is no memory.
    package init?() {
        var inflater: OpaquePointer?
        guard unsafe nghttp2_hd_inflate_new(&inflater) == 0, let inflater = unsafe inflater else { return nil }
        unsafe self.inflater = inflater
    }

    deinit { unsafe nghttp2_hd_inflate_del(inflater) }

    /// Follows our own SETTINGS_HEADER_TABLE_SIZE once the peer has acknowledged it.
    package func allowTable(ofByteCount byteCount: UInt32) {
        tableByteLimit = Int(byteCount)
        repeated = nil
        unsafe _ = nghttp2_hd_inflate_change_table_size(inflater, Int(byteCount))
    }

    /// A block was not kept whole, so that no later one can be decoded.
    func abandon() { isBroken = true }

    /// Decodes a whole block.
    ///
    /// After an error the tables of both ends differ, and every later block fails too.
    package func decode(_ block: [UInt8], _ limits: Limits = Limits()) throws(BlockError) -> Section {
        guard !isBroken else { throw BlockError(reason: .other, offset: 0) }
        // A client sends most requests of a connection with the same bytes.
        if let repeated, repeated.block == block, repeated.limits == limits { return repeated.section }
        do throws(BlockError) {
            let items = try RepresentationReader.items(of: block)
            try check(items)
            var section = Section(items: items)
            try inflate(block, items, limits, into: &section)
            repeated = items.leaveTables ? Repeated(block: block, limits: limits, section: section) : nil
            return section
        } catch {
            isBroken = true
            throw error
        }
    }

    /// What the items alone show (RFC 7541 §4.2, §6.3).
    private func check(_ items: [Representation]) throws(BlockError) {
        var hasField = false
        for item in items {
            guard case .tableSize(let size) = item.kind else {
                hasField = true
                continue
            }
            if hasField { throw BlockError(reason: .updateNotFirst, offset: item.range.lowerBound) }
            if size > tableByteLimit { throw BlockError(reason: .updateTooLarge, offset: item.range.lowerBound) }
        }
    }

    private func inflate(
        _ block: [UInt8], _ items: [Representation], _ limits: Limits, into section: inout Section
    ) throws(BlockError) {
        var position = 0
        var item = 0
        // Each call decodes one field at most, and takes bytes or says that the block has ended.
        while true {
            var field = unsafe nghttp2_nv()
            var flags: Int32 = 0
            let count = unsafe block.withUnsafeBufferPointer { bytes in
                unsafe nghttp2_hd_inflate_hd2(
                    inflater, &field, &flags, bytes.baseAddress.map { unsafe $0 + position }, block.count - position, 1)
            }
            guard count >= 0 else { throw failure(items, item) }
            position += count
            if flags & Int32(NGHTTP2_HD_INFLATE_EMIT.rawValue) != 0 {
                unsafe take(field, limits, into: &section)
                while item < items.count, !items[item].isField { item += 1 }
                item += 1
            }
            if flags & Int32(NGHTTP2_HD_INFLATE_FINAL.rawValue) != 0 { break }
            // Neither a field nor the end: the block is cut off.
            guard count > 0 || flags & Int32(NGHTTP2_HD_INFLATE_EMIT.rawValue) != 0 else {
                throw BlockError(reason: .truncated, offset: position)
            }
        }
        unsafe _ = nghttp2_hd_inflate_end_headers(inflater)
    }

    private func take(_ field: nghttp2_nv, _ limits: Limits, into section: inout Section) {
        let size = unsafe field.namelen + field.valuelen + 32
        section.fieldCount += 1
        section.listByteCount += size
        guard !section.isCut || section.fields.count + 1 == section.fieldCount,
            section.listByteCount <= limits.listByteCount, section.fieldCount <= limits.fieldCount
        else { return }
        let name = unsafe Array(UnsafeBufferPointer(start: field.name, count: field.namelen))
        let value = unsafe Array(UnsafeBufferPointer(start: field.value, count: field.valuelen))
        let isNever = unsafe field.flags & UInt8(NGHTTP2_NV_FLAG_NO_INDEX.rawValue) != 0
        section.fields.append(HeaderField(name, value, isNeverIndexed: isNever))
    }

    /// Why nghttp2 refuses the field behind `item` others; it has one code for all reasons.
    private func failure(_ items: [Representation], _ item: Int) -> BlockError {
        var index = item
        while index < items.count, !items[index].isField { index += 1 }
        guard index < items.count else { return BlockError(reason: .other, offset: items.last?.range.upperBound ?? 0) }
        let offset = items[index].range.lowerBound
        switch items[index].kind {
        case .indexed: return BlockError(reason: .indexTooLarge, offset: offset)
        case .literal(_, name: .text(let name), value: let value):
            return BlockError(reason: name.isHuffman || value.isHuffman ? .huffman : .other, offset: offset)
        case .literal(_, name: .indexed(let name), value: let value):
            // 61 fields are in the static table, so that a lower index is not what was refused.
            return BlockError(reason: name > 61 || !value.isHuffman ? .indexTooLarge : .huffman, offset: offset)
        case .tableSize: return BlockError(reason: .updateTooLarge, offset: offset)
        }
    }
}
