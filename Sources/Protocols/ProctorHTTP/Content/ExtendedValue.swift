/// `UTF-8'en'%e2%82%ac%20rates`: a parameter value with its charset (RFC 8187 §3.2).
package enum ExtendedValue {
    /// nil for charsets other than UTF-8 and ISO-8859-1, invalid escapes and invalid text.
    package static func decode(_ value: [UInt8]) -> String? {
        let parts = value.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = PercentText.decode(parts[2], isStrict: true) else { return nil }
        switch FieldText.decode(parts[0]).lowercased() {
        case "utf-8": return String(validating: bytes, as: UTF8.self)
        case "iso-8859-1": return FieldText.latin1(bytes)
        default: return nil
        }
    }

    /// Always in UTF-8 and without a language.
    package static func encode(_ text: String) -> [UInt8] {
        var value = Array("UTF-8''".utf8)
        for byte in text.utf8 {
            if byte.isAttributeByte { value.append(byte) } else { PercentText.append(byte, to: &value) }
        }
        return value
    }
}

extension UInt8 {
    /// `attr-char` (RFC 8187 §3.2.1).
    fileprivate var isAttributeByte: Bool {
        isTokenByte && self != UInt8(ascii: "*") && self != UInt8(ascii: "'") && self != UInt8(ascii: "%")
    }
}
