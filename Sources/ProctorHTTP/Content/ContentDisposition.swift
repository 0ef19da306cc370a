/// What Content-Disposition says (RFC 6266).
public struct ContentDisposition: Sendable, Equatable {
    /// In lower case; anything but `inline` means the same as `attachment` (§4.2).
    public let type: String
    /// As it was sent, whatever it would do to a file system; see `FileName`.
    public let filename: String?

    /// Nil where no type stands first, unless a parameter stands in its place, as from many servers.
    public init?(_ value: [UInt8]) {
        var cursor = FieldCursor(value)
        cursor.skipBlanks()
        guard let token = cursor.takeToken() else { return nil }
        cursor.skipBlanks()
        if cursor.current == UInt8(ascii: "=") {
            // `filename="a"` with no type: read as a parameter, which is what was meant.
            cursor = FieldCursor([UInt8(ascii: ";")] + value)
            type = "attachment"
        } else {
            type = FieldText.decode(token).lowercased()
        }
        let parameters = FieldParameters(&cursor)
        // §4.3: the one that can say which letters it means is preferred, if it can be read.
        filename =
            parameters["filename*"].flatMap(ExtendedValue.decode) ?? parameters["filename"].map { FieldText.decode($0) }
    }

    /// Of the first such field.
    public init?(of fields: [HTTPField]) {
        guard let field = fields.first(named: "Content-Disposition") else { return nil }
        self.init(field.bytes)
    }
}
