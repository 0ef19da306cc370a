/// Why there is no TLS as it was asked for: this system's OpenSSL has no such thing, or what it was given is no good.
public struct TLSRefusal: Error, Sendable, Equatable, CustomStringConvertible {
    /// One sentence; it begins with `not offered: ` where OpenSSL does not have what was asked for.
    public let description: String

    /// A refusal in these words.
    public init(_ description: String) {
        self.description = description
    }
}
