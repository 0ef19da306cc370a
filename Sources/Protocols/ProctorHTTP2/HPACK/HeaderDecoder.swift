internal import CNGHTTP2
package import ProctorHTTP

/// Decodes the field blocks that one end of a connection sends, in their order (RFC 7541).
///
/// Not safe from several threads.
@safe package final class HeaderDecoder {
    /// nil between ``rest()`` and the next block.
    private var inflater: OpaquePointer?
    private var resting: RestingTable?
    /// The size in bytes that our SETTINGS_HEADER_TABLE_SIZE permits.
    private var tableByteLimit = usualTableByteCount
    private var isBroken = false
    /// Whether the next block must begin with a dynamic table size update.
    private var awaitsUpdate = false
    /// The last block with its section, if the same bytes would give the same section again.
    private var repeated: Repeated?

    private struct Repeated {
        let block: [UInt8]
        let limits: Limits
        let section: Section
    }

    /// The initial SETTINGS_HEADER_TABLE_SIZE (RFC 9113 §6.5.2).
    package static let usualTableByteCount = 4_096

    package typealias Limits = FieldSectionLimits

    /// A field section and how it was encoded.
    package struct Section: Sendable, Equatable {
        /// The fields within the limits.
        package fileprivate(set) var fields: [HeaderField] = []
        /// All items of the block, including dynamic table size updates.
        package let items: [Representation]
        /// The sum of ``HeaderField/size`` of all fields.
        package fileprivate(set) var listByteCount = 0
        package fileprivate(set) var fieldCount = 0
        /// Whether fields beyond the limits were left out.
        package var isCut: Bool { fieldCount > fields.count }
    }

    /// nil if there is no memory.
    package init?() {
        guard let made = unsafe Self.inflater() else { return nil }
        unsafe inflater = made
    }

    deinit { if let inflater = unsafe inflater { unsafe nghttp2_hd_inflate_del(inflater) } }

    private static func inflater() -> OpaquePointer? {
        var made: OpaquePointer?
        guard unsafe nghttp2_hd_inflate_new(&made) == 0 else { return nil }
        return unsafe made
    }

    /// Applies our own SETTINGS_HEADER_TABLE_SIZE; called once the peer has acknowledged it.
    package func allowTable(ofByteCount byteCount: UInt32) {
        guard let inflater = unsafe wake() else { return isBroken = true }
        // An encoder whose table is no larger already need not say so.
        if unsafe nghttp2_hd_inflate_get_max_dynamic_table_size(inflater) > Int(byteCount) { awaitsUpdate = true }
        tableByteLimit = Int(byteCount)
        repeated = nil
        unsafe _ = nghttp2_hd_inflate_change_table_size(inflater, Int(byteCount))
    }

    /// Called when a block was not kept as a whole, so that no later one can be decoded.
    func abandon() { isBroken = true }

    /// Decodes a complete block.
    ///
    /// After an error the tables of both ends differ, and decoding every later block fails too.
    package func decode(_ block: [UInt8], _ limits: Limits = Limits()) throws(BlockError) -> Section {
        guard !isBroken else { throw BlockError(reason: .other, offset: 0) }
        // A client encodes most requests of a connection by the same bytes.
        if let repeated, repeated.block == block, repeated.limits == limits { return repeated.section }
        do throws(BlockError) {
            let items = try RepresentationReader.items(of: block)
            try check(items)
            guard let inflater = unsafe wake() else { throw BlockError(reason: .other, offset: 0) }
            var section = Section(items: items)
            try unsafe Self.inflate(block, items, limits, with: inflater, into: &section)
            awaitsUpdate = false
            repeated = items.leaveTables ? Repeated(block: block, limits: limits, section: section) : nil
            return section
        } catch {
            isBroken = true
            throw error
        }
    }

    /// Checks what needs only the items, without the tables (RFC 7541 §4.2, §6.3).
    private func check(_ items: [Representation]) throws(BlockError) {
        if awaitsUpdate, items.first?.isField ?? true { throw BlockError(reason: .updateMissing, offset: 0) }
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

    private static func inflate(
        _ block: [UInt8], _ items: [Representation], _ limits: Limits, with inflater: OpaquePointer,
        into section: inout Section
    ) throws(BlockError) {
        var position = 0
        var item = 0
        // Each call decodes at most one field, and consumes bytes or reports the end of the block.
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
                unsafe append(field, limits, into: &section)
                while item < items.count, !items[item].isField { item += 1 }
                item += 1
            }
            if flags & Int32(NGHTTP2_HD_INFLATE_FINAL.rawValue) != 0 { break }
            // Neither a field nor the end: the block is truncated.
            guard count > 0 || flags & Int32(NGHTTP2_HD_INFLATE_EMIT.rawValue) != 0 else {
                throw BlockError(reason: .truncated, offset: position)
            }
        }
        unsafe _ = nghttp2_hd_inflate_end_headers(inflater)
    }

    private static func append(_ field: nghttp2_nv, _ limits: Limits, into section: inout Section) {
        let size = unsafe field.namelen + field.valuelen + 32
        section.fieldCount += 1
        section.listByteCount += size
        guard !section.isCut || section.fields.count + 1 == section.fieldCount,
            section.listByteCount <= limits.listByteCount, section.fieldCount <= limits.fieldCount
        else { return }
        let isNever = unsafe field.flags & UInt8(NGHTTP2_NV_FLAG_NO_INDEX.rawValue) != 0
        unsafe section.fields.append(HeaderField(field.nameBytes, field.valueBytes, isNeverIndexed: isNever))
    }

    /// Why nghttp2 refuses the field after `item` others; it has one code for all reasons.
    private static func failure(_ items: [Representation], _ item: Int) -> BlockError {
        var index = item
        while index < items.count, !items[index].isField { index += 1 }
        guard index < items.count else { return BlockError(reason: .other, offset: items.last?.range.upperBound ?? 0) }
        let offset = items[index].range.lowerBound
        switch items[index].kind {
        case .indexed: return BlockError(reason: .indexTooLarge, offset: offset)
        case .literal(_, name: .text(let name), value: let value):
            return BlockError(reason: name.isHuffman || value.isHuffman ? .huffman : .other, offset: offset)
        case .literal(_, name: .indexed(let name), value: let value):
            // The static table has 61 fields, so nghttp2 cannot have refused a lower index.
            return BlockError(reason: name > 61 || !value.isHuffman ? .indexTooLarge : .huffman, offset: offset)
        case .tableSize: return BlockError(reason: .updateTooLarge, offset: offset)
        }
    }

    // MARK: Resting

    /// Frees memory until the next block; decoding is the same as without this call.
    package func rest() {
        repeated = nil
        guard !awaitsUpdate, let awake = unsafe inflater else { return }
        resting = unsafe RestingTable(
            byteCount: nghttp2_hd_inflate_get_max_dynamic_table_size(awake),
            count: nghttp2_hd_inflate_get_num_table_entries(awake)
        ) { unsafe nghttp2_hd_inflate_get_table_entry(awake, $0) }
        unsafe nghttp2_hd_inflate_del(awake)
        unsafe inflater = nil
    }

    /// nil if there is no memory.
    private func wake() -> OpaquePointer? {
        if let inflater = unsafe inflater { return unsafe inflater }
        // Without memory the contents of the table are lost, and no later block can be decoded.
        guard let table = resting.take(), let made = unsafe Self.inflater() else { return nil }
        unsafe _ = nghttp2_hd_inflate_change_table_size(made, tableByteLimit)
        var section = Section(items: [])
        do throws(BlockError) {
            try unsafe Self.inflate(table.block, [], .all, with: made, into: &section)
        } catch {
            unsafe nghttp2_hd_inflate_del(made)
            return nil
        }
        unsafe inflater = made
        return unsafe made
    }
}
