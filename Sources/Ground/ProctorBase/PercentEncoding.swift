/// The percent-encoding of RFC 3986 §2.1.
package enum PercentEncoding {
    /// Escapes all characters except unreserved ones (§2.3) and those in `kept`.
    package static func encode(_ text: String, keeping kept: String = "") -> String {
        text.utf8.map { byte in
            byte.isASCIILetter || byte.isASCIIDigit || "-._~".utf8.contains(byte) || kept.utf8.contains(byte)
                ? String(UnicodeScalar(byte)) : "%" + byte.hexadecimal(uppercase: true)
        }.joined()
    }
}
