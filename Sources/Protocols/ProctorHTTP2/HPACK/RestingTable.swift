internal import CNGHTTP2

/// The contents of a dynamic table while its coder has freed its memory (RFC 7541 §2.3.2).
///
/// It is stored as a block that adds the same fields to an empty table.
struct RestingTable {
    /// An update of the table's size and the fields of the table, the oldest first.
    let block: [UInt8]

    /// The number of fields in the static table (RFC 7541 Appendix A).
    private static let staticCount = 61

    /// `byteCount` is the permitted size of the table, `count` the number of fields in both tables.
    ///
    /// `field` returns the field of an index, which is valid until the table changes.
    init(byteCount: Int, count: Int, field: (Int) -> UnsafePointer<nghttp2_nv>?) {
        var block = RawBlock()
        block.tableSize(byteCount)
        for index in (Self.staticCount..<max(Self.staticCount, count)).reversed() {
            guard let entry = unsafe field(index + 1)?.pointee else { continue }
            block.literal(.incremental, name: unsafe entry.nameBytes, value: unsafe entry.valueBytes)
        }
        self.block = block.bytes
    }
}

extension nghttp2_nv {
    /// A copy; the memory belongs to the code that made the field.
    var nameBytes: [UInt8] { unsafe Array(UnsafeBufferPointer(start: name, count: namelen)) }
    var valueBytes: [UInt8] { unsafe Array(UnsafeBufferPointer(start: value, count: valuelen)) }
}
