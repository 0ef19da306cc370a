/// One field line, as views into the bytes that arrived.
public struct FieldLine: Sendable, Equatable {
    /// In the sender's letter case.
    public let name: ArraySlice<UInt8>
    /// Without whitespace at either end; a folded value is unfolded to single spaces (RFC 9112 §5.2).
    public let value: ArraySlice<UInt8>
    /// Everything from the name to before the line end, folds included.
    public let raw: ArraySlice<UInt8>
}
