internal import CNGHTTP2

/// What a coder has in its dynamic table while it has given back its memory: a block that fills an empty table with the
/// same fields (RFC 7541 §2.3.2).
struct RestingTable {
    /// An update of the table's size, and its fields, the oldest first.
    let block: [UInt8]

    /// Fields of the static table (RFC 7541 Appendix A).
    private static let staticCount = 61

    /// `byteCount` is the size that the table may have, `count` that of the fields in both tables; `field` has the field
    /// of an index, which is valid until the table changes.
    init(byteCount: Int, count: Int, field: (Int) -> UnsafePointer<nghttp2_nv>?) {
        var block = RawBlock()
        block.tableSize(byteCount)
        for index in (Self.staticCount..<max(Self.staticCount, count)).reversed() {
            guard let found = unsafe field(index + 1)?.pointee else { continue }
            block.literal(.incremental, name: unsafe found.nameBytes, value: unsafe found.valueBytes)
        }
        self.block = block.bytes
    }
}

extension nghttp2_nv {
    /// Copies; the memory belongs to who made the field.
    var nameBytes: [UInt8] { unsafe Array(UnsafeBufferPointer(start: name, count: namelen)) }
    var valueBytes: [UInt8] { unsafe Array(UnsafeBufferPointer(start: value, count: valuelen)) }
}
