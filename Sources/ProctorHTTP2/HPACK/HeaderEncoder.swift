internal import CNGHTTP2

/// Encodes the field blocks that we send on one connection, in their order (RFC 7541).
///
/// Not safe from several threads.
@safe package final class HeaderEncoder {
    private let deflater: OpaquePointer
    /// The section before with its block, where that changed no table.
    private var repeated: (fields: [HeaderField], block: [UInt8])?

    /// The largest table that is used, whatever the peer allows, in bytes.
    package static let largestTableByteCount = 4_096

    /// nil where there is no memory.
    package init?() {
        var deflater: OpaquePointer?
        guard unsafe nghttp2_hd_deflate_new(&deflater, Self.largestTableByteCount) == 0,
            let deflater = unsafe deflater
        else { return nil }
        unsafe self.deflater = deflater
    }

    deinit { unsafe nghttp2_hd_deflate_del(deflater) }

    /// Follows the peer's SETTINGS_HEADER_TABLE_SIZE; the next block begins with an update where one is needed.
    package func allowTable(ofByteCount byteCount: UInt32) {
        repeated = nil
        unsafe _ = nghttp2_hd_deflate_change_table_size(deflater, Int(byteCount))
    }

    /// Appends the block of the fields, which nghttp2 writes as short as it can; false where there is no memory, and
    /// then nothing is appended.
    package func encode(_ fields: [HeaderField], to block: inout [UInt8]) -> Bool {
        // Arrays of one buffer are equal at once.
        if let repeated, repeated.fields == fields {
            block += repeated.block
            return true
        }
        var text: [UInt8] = []
        text.reserveCapacity(fields.reduce(0) { $0 + $1.name.count + $1.value.count })
        for field in fields { text += field.name + field.value }
        let coded: [UInt8]? = unsafe text.withUnsafeMutableBufferPointer { bytes in
            // nghttp2 reads through these pointers during the calls below alone.
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
        guard let coded else {
            repeated = nil
            return false
        }
        let leavesTables = (try? RepresentationReader.items(of: coded))?.leaveTables ?? false
        repeated = leavesTables ? (fields, coded) : nil
        block += coded
        return true
    }
}
