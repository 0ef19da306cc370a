internal import ProctorBase

/// Bytes that came and were not read yet; reading them costs no copy of those behind.
struct BufferedBytes {
    private var bytes: [UInt8] = []
    /// Where the unread ones begin.
    private var offset = 0

    mutating func append(_ more: borrowing Span<UInt8>) {
        if offset == bytes.count {
            bytes.removeAll(keepingCapacity: true)
            offset = 0
        }
        bytes.append(more)
    }

    /// Lends the bytes to a reader, which moves the offset behind what it has read.
    mutating func read<Event>(_ read: (borrowing Span<UInt8>, inout Int) -> Event) -> Event {
        var place = offset
        let event = read(bytes.span, &place)
        offset = place
        return event
    }

    /// A copy of bytes that a reader named by their range; before the next ``append(_:)``.
    func copy(_ range: Range<Int>) -> ArraySlice<UInt8> { bytes[range] }

    /// A copy of all bytes that were not read.
    var rest: [UInt8] { Array(bytes[offset...]) }
}
