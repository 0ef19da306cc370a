import ProctorBase

/// What tokens and scopes are made of (RFC 6750 §2.1 and §3).
public enum BearerText {
    /// Whether it is a b64token: at least one letter, digit or `-._~+/`, then any number of `=`.
    public static func isToken(_ bytes: some Collection<UInt8>) -> Bool {
        let digits = bytes.prefix { $0.isToken68Byte }
        return !digits.isEmpty && bytes.dropFirst(digits.count).allSatisfy { $0 == UInt8(ascii: "=") }
    }

    /// Whether it is one scope-token: printable ASCII without space, double quote and backslash (RFC 6749 §3.3).
    public static func isScope(_ bytes: some Collection<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { $0.isDescriptionByte && $0 != .space }
    }

    /// What may not stand in `error_description` becomes an apostrophe, or a question mark.
    static func description(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            let byte = UInt8(exactly: scalar.value) ?? 0
            if byte == UInt8(ascii: "\"") {
                bytes.append(UInt8(ascii: "'"))
            } else {
                bytes.append(byte.isDescriptionByte ? byte : UInt8(ascii: "?"))
            }
        }
        return bytes
    }
}

extension UInt8 {
    /// `%x20-21 / %x23-5B / %x5D-7E` (RFC 6750 §3).
    fileprivate var isDescriptionByte: Bool {
        0x20...0x7E ~= self && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\")
    }
}

/// A token as the Bearer scheme sends it (RFC 6750 §2.1).
public struct BearerCredential: Sendable, Equatable {
    /// A b64token.
    public let token: String

    /// Why a token can't be sent this way.
    public enum Refusal: String, Error, Sendable, CustomStringConvertible {
        case noToken =
            "this is no token; expected letters, digits and -._~+/ with any number of = at the end (RFC 6750 §2.1)"

        /// For a person.
        public var description: String { rawValue }
    }

    /// Refuses what is no b64token.
    public init(token: String) throws(Refusal) {
        guard BearerText.isToken(token.utf8) else { throw .noToken }
        self.token = token
    }

    /// The value of Authorization.
    public var fieldValue: String { "Bearer \(token)" }
}
