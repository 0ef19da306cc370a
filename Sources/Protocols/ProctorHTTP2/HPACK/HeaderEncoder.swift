internal import CNGHTTP2
package import ProctorHTTP

/// Encodes the field blocks that we send on one connection, in their order (RFC 7541).
///
/// Not safe from several threads.
@safe package final class HeaderEncoder {
    /// nil between ``rest()`` and the next block.
    private var deflater: OpaquePointer?
    private var resting: RestingTable?
    /// The size that the peer permits, in bytes.
    private var tableByteLimit = largestTableByteCount
    /// Whether the next block must begin with a dynamic table size update.
    private var owesUpdate = false
    /// The last section with its block, if that block changed no table.
    private var repeated: (fields: [HeaderField], block: Block)?

    /// The largest table that is used, whatever the peer permits, in bytes.
    package static let largestTableByteCount = 4_096

    /// A field block and how it is encoded.
    package struct Block: Sendable, Equatable {
        package let bytes: [UInt8]
        package let items: [Representation]
    }

    /// nil if there is no memory.
    package init?() {
        guard let made = unsafe Self.deflater() else { return nil }
        unsafe deflater = made
    }

    deinit { if let deflater = unsafe deflater { unsafe nghttp2_hd_deflate_del(deflater) } }

    private static func deflater() -> OpaquePointer? {
        var made: OpaquePointer?
        guard unsafe nghttp2_hd_deflate_new(&made, largestTableByteCount) == 0 else { return nil }
        return unsafe made
    }

    /// Applies the peer's SETTINGS in their order (RFC 7541 §4.2).
    package func follow(_ settings: [Setting]) {
        for setting in settings where setting.identifier == .headerTableSize {
            allowTable(ofByteCount: setting.value)
        }
    }

    /// Applies the peer's SETTINGS_HEADER_TABLE_SIZE; if the size changes, the next block begins with an update.
    package func allowTable(ofByteCount byteCount: UInt32) {
        guard Int(byteCount) != tableByteLimit, let deflater = unsafe wake() else { return }
        tableByteLimit = Int(byteCount)
        repeated = nil
        owesUpdate = true
        unsafe _ = nghttp2_hd_deflate_change_table_size(deflater, Int(byteCount))
    }

    /// Encodes the fields as short as nghttp2 can; nil if there is no memory.
    package func encode(_ fields: [HeaderField]) -> Block? {
        // Arrays that share one buffer compare as equal at once.
        if let repeated, repeated.fields == fields { return repeated.block }
        repeated = nil
        guard let deflater = unsafe wake(), let bytes = unsafe Self.encode(fields, with: deflater) else { return nil }
        owesUpdate = false
        let block = Block(bytes: bytes, items: (try? RepresentationReader.items(of: bytes)) ?? [])
        if block.items.leaveTables { repeated = (fields, block) }
        return block
    }

    private static func encode(_ fields: [HeaderField], with deflater: OpaquePointer) -> [UInt8]? {
        var text: [UInt8] = []
        text.reserveCapacity(fields.reduce(0) { $0 + $1.name.count + $1.value.count })
        for field in fields { text += field.name + field.value }
        return unsafe text.withUnsafeMutableBufferPointer { bytes in
            // nghttp2 reads through these pointers only during the calls below.
            var start = 0
            var list: [nghttp2_nv] = unsafe []
            unsafe list.reserveCapacity(fields.count)
            for field in fields {
                var item = unsafe nghttp2_nv()
                unsafe item.name = bytes.baseAddress.map { unsafe $0 + start }
                unsafe item.namelen = field.name.count
                start += field.name.count
                unsafe item.value = bytes.baseAddress.map { unsafe $0 + start }
                unsafe item.valuelen = field.value.count
                start += field.value.count
                unsafe item.flags = field.isNeverIndexed ? UInt8(NGHTTP2_NV_FLAG_NO_INDEX.rawValue) : 0
                unsafe list.append(item)
            }
            let bound = unsafe nghttp2_hd_deflate_bound(deflater, list, list.count)
            var isDone = false
            let coded = unsafe [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
                let written = unsafe nghttp2_hd_deflate_hd(
                    deflater, buffer.baseAddress, buffer.count, list, list.count)
                isDone = written >= 0
                count = max(0, written)
            }
            return isDone ? coded : nil
        }
    }

    // MARK: Resting

    /// Frees memory until the next block; encoding is the same as without this call.
    package func rest() {
        repeated = nil
        // Only nghttp2 knows with which updates the next block begins.
        guard !owesUpdate, let awake = unsafe deflater else { return }
        resting = unsafe RestingTable(
            byteCount: nghttp2_hd_deflate_get_max_dynamic_table_size(awake),
            count: nghttp2_hd_deflate_get_num_table_entries(awake)
        ) { unsafe nghttp2_hd_deflate_get_table_entry(awake, $0) }
        unsafe nghttp2_hd_deflate_del(awake)
        unsafe deflater = nil
    }

    /// nil if there is no memory.
    private func wake() -> OpaquePointer? {
        if let deflater = unsafe deflater { return unsafe deflater }
        // Without memory the contents of the table are lost, and no later block can be encoded.
        guard let table = resting.take(), let made = unsafe Self.deflater() else { return nil }
        unsafe _ = nghttp2_hd_deflate_change_table_size(made, tableByteLimit)
        // The peer has already received the update and the fields that are encoded here.
        guard let fields = try? HeaderDecoder()?.decode(table.block, .all).fields,
            unsafe Self.encode(fields, with: made) != nil
        else {
            unsafe nghttp2_hd_deflate_del(made)
            return nil
        }
        unsafe deflater = made
        return unsafe made
    }
}
