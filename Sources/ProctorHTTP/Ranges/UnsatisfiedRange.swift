/// What the Content-Range of a 416 says: `bytes */1234` (RFC 9110 §14.4).
public struct UnsatisfiedRange: Sendable, Equatable {
    /// Of the whole, in bytes.
    public let length: Int

    /// A negative length is none.
    public init(length: Int) { self.length = max(0, length) }

    /// Nil for another unit, for a range with bytes in it, and for a length that `Int` can't hold.
    public init?(_ value: [UInt8]) {
        var cursor = FieldCursor(value)
        guard let unit = cursor.takeToken(), FieldText.decode(unit).lowercased() == "bytes", cursor.take(.space),
            cursor.take(UInt8(ascii: "*")), cursor.take(UInt8(ascii: "/")),
            let length = value[cursor.index...].saturatedNumber, length < Int.max
        else { return nil }
        self.length = length
    }

    /// The value of the field.
    public var bytes: [UInt8] { Array("bytes */\(length)".utf8) }
}
