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

    /// Reads the first Content-Disposition among the fields.
    public init?(of fields: [HTTPField]) {
        guard let field = fields.first(named: "Content-Disposition") else { return nil }
        self.init(field.bytes)
    }
}

/// `UTF-8'en'%e2%82%ac%20rates`: a parameter value with its charset (RFC 8187 §3.2).
enum ExtendedValue {
    /// Nil for a charset but UTF-8 and ISO-8859-1, for a broken escape and for bytes that are no such text.
    static func decode(_ value: [UInt8]) -> String? {
        let parts = value.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = PercentText.decode(parts[2], isStrict: true) else { return nil }
        switch FieldText.decode(parts[0]).lowercased() {
        case "utf-8": return String(validating: bytes, as: UTF8.self)
        case "iso-8859-1": return FieldText.latin1(bytes)
        default: return nil
        }
    }

    /// Always as UTF-8 and without a language.
    static func encode(_ text: String) -> [UInt8] {
        var value = Array("UTF-8''".utf8)
        for byte in text.utf8 {
            if byte.isAttributeByte { value.append(byte) } else { PercentText.append(byte, to: &value) }
        }
        return value
    }
}

extension UInt8 {
    /// `attr-char` (RFC 8187 §3.2.1): a token's bytes but for `*`, `'` and `%`.
    fileprivate var isAttributeByte: Bool {
        isTokenByte && self != UInt8(ascii: "*") && self != UInt8(ascii: "'") && self != UInt8(ascii: "%")
    }
}
