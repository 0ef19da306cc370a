internal import ProctorHTTP

/// The dynamic table of one direction (RFC 9204 §3.2): fields by absolute index, of which the oldest are evicted.
struct DynamicTable: Sendable, Equatable {
    /// In bytes; changed by the encoder alone.
    private(set) var capacity = 0
    /// The sum of ``HeaderField/size``.
    private(set) var size = 0
    /// The number of insertions since the beginning; also the absolute index of the next one.
    private(set) var insertCount = 0
    /// The fields in the order of their insertion; the first `gone` of them are evicted.
    private var fields: [HeaderField] = []
    private var gone = 0

    /// The absolute index of the oldest field.
    var oldest: Int { insertCount - (fields.count - gone) }

    subscript(absolute index: Int) -> HeaderField? {
        oldest..<insertCount ~= index ? fields[fields.count - (insertCount - index)] : nil
    }

    /// How many of the oldest fields a table of this size keeps no more, beside a new field of so many bytes.
    func evictions(for byteCount: Int, capacity: Int? = nil) -> Int {
        let room = (capacity ?? self.capacity) - byteCount
        var (rest, count) = (size, 0)
        while rest > room, gone + count < fields.count {
            rest -= fields[gone + count].size
            count += 1
        }
        return count
    }

    mutating func setCapacity(_ byteCount: Int) {
        evict(evictions(for: 0, capacity: byteCount))
        capacity = byteCount
    }

    /// Returns false for a field that is larger than the table.
    mutating func insert(_ field: HeaderField) -> Bool {
        guard field.size <= capacity else { return false }
        evict(evictions(for: field.size))
        fields.append(field)
        size += field.size
        insertCount += 1
        return true
    }

    private mutating func evict(_ count: Int) {
        for index in gone..<gone + count { size -= fields[index].size }
        gone += count
        // Now and then, so that an eviction does not move all other fields.
        if gone > 16, gone > fields.count / 2 {
            fields.removeFirst(gone)
            gone = 0
        }
    }
}
