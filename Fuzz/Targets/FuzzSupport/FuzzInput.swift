/// The bytes libFuzzer made, taken from the front; at their end come zeros.
public struct FuzzInput {
    private var rest: ArraySlice<UInt8>

    /// Copies the bytes, so that nothing outlives the call.
    public init(_ start: UnsafePointer<UInt8>?, _ count: Int) {
        rest = unsafe Array(UnsafeBufferPointer(start: start, count: count))[...]
    }

    /// A part of another input.
    public init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    /// What has not been taken.
    public var remaining: [UInt8] { Array(rest) }

    /// The next byte.
    public mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// The next two bytes as a number, low byte first.
    public mutating func number() -> Int { Int(byte()) | Int(byte()) << 8 }

    /// Everything up to `separator`, which is taken too, or to the end.
    public mutating func section(endingWith separator: UInt8) -> [UInt8] {
        let section = Array(rest.prefix { $0 != separator })
        rest = rest.dropFirst(section.count + 1)
        return section
    }
}
