/// The grammar of tokens (RFC 6750 §2.1).
package enum BearerText {
    /// Whether it is a b64token: at least one letter, digit or `-._~+/`, then any number of `=`.
    package static func isToken(_ bytes: some Collection<UInt8>) -> Bool {
        let digits = bytes.prefix { $0.isToken68Byte }
        return !digits.isEmpty && bytes.dropFirst(digits.count).allSatisfy { $0 == UInt8(ascii: "=") }
    }
}
