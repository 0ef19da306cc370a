internal import ProctorBase
internal import ProctorCrypto

/// Sec-WebSocket-Key and what a server makes of it (RFC 6455 §4.1, §4.2.2).
package enum OpeningKey {
    /// What stands behind the key in what is hashed (§1.3).
    package static let identifier = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    package static let byteCount = 16

    /// The value of Sec-WebSocket-Accept for any key, lawful or not; nil where OpenSSL refuses SHA-1.
    package static func accept(for key: some Collection<UInt8>) -> String? {
        OpenSSLDigest.hash("sha1", of: Array(key) + Array(identifier.utf8)).map { Base64Text.encode($0) }
    }

    /// What is wrong with a key; nil for a lawful one.
    static func departure(of key: [UInt8]) -> (kind: HandshakeViolation.Kind, detail: String)? {
        // Base64 has white space nowhere, and padding up to a multiple of four (RFC 4648 §3.2, §3.3).
        guard let bytes = try? Base64Text.decode(key), Base64Text.encode(bytes).utf8.elementsEqual(key) else {
            return (.keyNotBase64, HandshakeText.quote(key))
        }
        guard bytes.count == byteCount else { return (.keyWrongLength, Plural.count(bytes.count, "byte")) }
        return nil
    }
}

enum HandshakeText {
    /// In double quotes, escaped, cut after 48 bytes.
    static func quote(_ bytes: some Sequence<UInt8>) -> String { "\"\(EscapedText.escape(bytes, limit: 48))\"" }
}
