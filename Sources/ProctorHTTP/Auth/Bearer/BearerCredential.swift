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

    /// Refuses what is no b64token.
    public init(token: String) throws(BearerCredentialError) {
        guard BearerText.isToken(token.utf8) else { throw .noToken }
        self.token = token
    }

    /// The value of Authorization.
    public var fieldValue: String { "Bearer \(token)" }
}

/// Why a token can't be sent this way.
public enum BearerCredentialError: String, Error, Sendable, CustomStringConvertible {
    case noToken =
        "this is no token; expected letters, digits and -._~+/ with any number of = at the end (RFC 6750 §2.1)"

    /// For a person.
    public var description: String { rawValue }
}

/// A token that a server takes (RFC 6750).
public struct BearerToken: Sendable, Equatable {
    /// A b64token.
    public let text: String
    /// What it may be used for.
    public let scopes: Set<String>
    /// Once valid, refused now.
    public let isExpired: Bool

    /// The parts as they are.
    public init(text: String, scopes: Set<String> = [], isExpired: Bool = false) {
        self.text = text
        self.scopes = scopes
        self.isExpired = isExpired
    }
}

/// Where a request carries its token (RFC 6750 §2).
public enum BearerPlace: String, Sendable, CaseIterable {
    /// Authorization (§2.1).
    case header
    /// `access_token` of a body in application/x-www-form-urlencoded (§2.2).
    case form
    /// `access_token` of the query (§2.3).
    case query
}

/// What a server tells about a refused token in its challenge (RFC 6750 §3.1); the raw values are those of `error`.
public enum BearerError: String, Sendable, CaseIterable {
    /// Malformed, or sent in more than one way.
    case invalidRequest = "invalid_request"
    /// Unknown, expired or revoked.
    case invalidToken = "invalid_token"
    /// Valid, but for less than is asked for.
    case insufficientScope = "insufficient_scope"

    /// Of the reply: 400, 401 or 403.
    public var status: Int {
        switch self {
        case .invalidRequest: 400
        case .invalidToken: 401
        case .insufficientScope: 403
        }
    }
}

/// The parts of a request where a token may stand.
public struct BearerRequest: Sendable {
    /// The method as it came.
    public var method: [UInt8]
    /// The field's value as it was read; nil where none came.
    public var credentials: Credentials?
    /// What stands behind the question mark of the target.
    public var query: [UInt8]?
    /// The field's value.
    public var contentType: [UInt8]?
    /// Whole; nil where none came or none was kept.
    public var content: [UInt8]?

    /// The parts as they are.
    public init(
        method: [UInt8], credentials: Credentials?, query: [UInt8]? = nil, contentType: [UInt8]? = nil,
        content: [UInt8]? = nil
    ) {
        self.method = method
        self.credentials = credentials
        self.query = query
        self.contentType = contentType
        self.content = content
    }

    static let parameterName = "access_token"

    /// The tokens of the query.
    var tokensOfQuery: [[UInt8]] { query.map(Self.tokens) ?? [] }

    /// The tokens of a body that is such a form.
    var tokensOfForm: [[UInt8]] {
        guard let content, let type = contentType.flatMap({ MediaType($0) }),
            type.essence == "application/x-www-form-urlencoded"
        else { return [] }
        return Self.tokens(content)
    }

    private static func tokens(_ bytes: [UInt8]) -> [[UInt8]] {
        (try? URLEncodedForm(parsing: bytes))?.values(of: parameterName) ?? []
    }
}
