/// Bytes of a field as text.
enum FieldText {
    /// UTF-8 where the bytes are that, else one character for each byte (Latin-1), which loses nothing either.
    static func decode(_ bytes: some Collection<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return latin1(bytes)
    }

    static func latin1(_ bytes: some Collection<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(Unicode.Scalar(byte)) }
        return String(text)
    }

    /// One byte for each character; nil where one has none in Latin-1.
    static func latin1Bytes(of text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }
}
