/// Memory that a library writes into, owned and always of the same size.
@safe struct Scratch: ~Copyable {
    /// The most that one call of a library writes.
    static let byteCount = 65_536

    private let start: UnsafeMutablePointer<UInt8>

    init() {
        unsafe start = .allocate(capacity: Self.byteCount)
    }

    deinit {
        unsafe start.deallocate()
    }

    /// `write` gets the memory and returns how many bytes of it are to be appended.
    func append(
        to output: inout [UInt8], _ write: (UnsafeMutablePointer<UInt8>) -> Int
    ) {
        let count = unsafe min(max(write(start), 0), Self.byteCount)
        unsafe output.append(contentsOf: UnsafeBufferPointer(start: start, count: count))
    }
}
