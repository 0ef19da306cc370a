/// Moving bytes between spans and arrays, where the standard library has no call for it yet.
extension Span<UInt8> {
    /// One allocation and one copy.
    package var array: [UInt8] {
        unsafe withUnsafeBufferPointer { unsafe Array($0) }
    }
}

extension [UInt8] {
    /// One copy, and at most one allocation.
    package mutating func append(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
