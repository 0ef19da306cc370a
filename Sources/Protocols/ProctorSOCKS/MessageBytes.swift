import ProctorBase

/// The bytes of one message so far, and where it begins among those of its end; a message has 524 bytes at most.
struct MessageBytes: Sendable {
    private(set) var bytes: [UInt8] = []
    /// Bytes of the messages before it.
    private(set) var start = 0

    var count: Int { bytes.count }
    var isEmpty: Bool { bytes.isEmpty }

    subscript(index: Int) -> UInt8 { bytes[index] }
    subscript(range: Range<Int>) -> [UInt8] { Array(bytes[range]) }

    mutating func append(_ byte: UInt8) { bytes.append(byte) }

    mutating func beginNext() {
        start += bytes.count
        bytes = []
    }

    func violation(_ kind: SOCKSViolation.Kind, at index: Int) -> SOCKSViolation {
        SOCKSViolation(kind, at: start + index)
    }

    func number(at index: Int) -> UInt16 { UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1]) }

    /// The address and port of SOCKS 5 whose type stands at `index`, and their byte count; nil: more bytes are needed
    /// (RFC 1928 §5).
    func address(at index: Int) throws(SOCKSViolation) -> (address: SOCKSAddress, port: UInt16, byteCount: Int)? {
        guard bytes.count > index else { return nil }
        let start = index + 1
        let address: SOCKSAddress
        let end: Int
        switch bytes[index] {
        case 1:
            end = start + 4
            guard bytes.count >= end + 2 else { return nil }
            address = .ipv4(self[start..<end])
        case 4:
            end = start + 16
            guard bytes.count >= end + 2 else { return nil }
            address = .ipv6(self[start..<end])
        case 3:
            guard bytes.count > start else { return nil }
            end = start + 1 + Int(bytes[start])
            guard bytes.count >= end + 2 else { return nil }
            address = .name(self[start + 1..<end])
        default: throw violation(.badAddressType, at: index)
        }
        return (address, number(at: end), end + 2 - index)
    }
}
