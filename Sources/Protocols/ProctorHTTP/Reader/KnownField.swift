/// The field names that have a meaning for a reader.
enum KnownField: Sendable {
    case contentLength, transferEncoding, connection, upgrade
    /// Fields of requests alone.
    case host, expect, te
    /// A field that may be sent once (RFC 9110 §5.3), as its bit in a set.
    case singleton(UInt32)
    /// A field of requests whose value has a grammar of its own.
    case valued(RequestField)
    /// A field whose value is a structured one (RFC 9651).
    case structured(StructuredField)

    /// nil for every other name.
    ///
    /// The length selects the candidates, so that most names need only one comparison.
    init?(_ name: Span<UInt8>, of message: MessageKind) {
        switch name.count {
        case 7 where name.equalsIgnoringCase("upgrade"): self = .upgrade
        case 10 where name.equalsIgnoringCase("connection"): self = .connection
        case 14 where name.equalsIgnoringCase("content-length"): self = .contentLength
        case 17 where name.equalsIgnoringCase("transfer-encoding"): self = .transferEncoding
        default:
            switch message {
            case .request: self.init(inRequest: name)
            case .reply: self.init(inReply: name)
            }
        }
    }

    private init?(inRequest name: Span<UInt8>) {
        switch name.count {
        case 2 where name.equalsIgnoringCase("te"): self = .te
        case 4 where name.equalsIgnoringCase("host"): self = .host
        case 6 where name.equalsIgnoringCase("expect"): self = .expect
        default:
            if let field = RequestField(name) {
                self = .valued(field)
            } else if let bit = Self.singletonBit(inRequest: name) {
                self = .singleton(1 << bit)
            } else if let type = StructuredField(ofRequestField: name) {
                self = .structured(type)
            } else {
                return nil
            }
        }
    }

    private init?(inReply name: Span<UInt8>) {
        guard let bit = Self.singletonBit(inReply: name) else { return nil }
        self = .singleton(1 << bit)
    }

    private static func singletonBit(inRequest name: Span<UInt8>) -> UInt32? {
        switch name.count {
        // RFC 6265 §5.4: a user agent sends at most one.
        case 6 where name.equalsIgnoringCase("cookie"): 0
        case 13 where name.equalsIgnoringCase("authorization"): 1
        case 19 where name.equalsIgnoringCase("proxy-authorization"): 2
        default: nil
        }
    }

    private static func singletonBit(inReply name: Span<UInt8>) -> UInt32? {
        switch name.count {
        case 3 where name.equalsIgnoringCase("age"): 0
        case 4 where name.equalsIgnoringCase("date"): 1
        case 4 where name.equalsIgnoringCase("etag"): 2
        case 6 where name.equalsIgnoringCase("server"): 3
        case 7 where name.equalsIgnoringCase("expires"): 4
        case 8 where name.equalsIgnoringCase("location"): 5
        case 11 where name.equalsIgnoringCase("retry-after"): 6
        case 12 where name.equalsIgnoringCase("content-type"): 7
        case 13 where name.equalsIgnoringCase("content-range"): 8
        case 13 where name.equalsIgnoringCase("last-modified"): 9
        case 16 where name.equalsIgnoringCase("content-location"): 10
        // RFC 6797 §7.1: a host sends at most one.
        case 25 where name.equalsIgnoringCase("strict-transport-security"): 11
        default: nil
        }
    }
}

extension KnownField {
    /// A field that has both a meaning for the reader and a grammar of its own.
    var alsoValued: RequestField? {
        switch self {
        case .te: .te
        case .upgrade: .upgrade
        default: nil
        }
    }

    /// Whether a trailer section must not have the field: it is needed before the content (RFC 9110 §6.5.1).
    static func isForbiddenTrailer(_ name: Span<UInt8>, of message: MessageKind) -> Bool {
        let ofDirection = message == .request ? neededInRequests : neededInReplies
        return neededInBoth.contains { name.equalsIgnoringCase($0) }
            || ofDirection.contains { name.equalsIgnoringCase($0) }
    }

    /// Framing, connection and metadata of the content.
    private static let neededInBoth: [StaticString] = [
        "te", "host", "trailer", "upgrade", "connection", "content-type", "cache-control", "content-range",
        "content-length", "content-encoding", "transfer-encoding",
    ]

    /// Request modifiers and credentials.
    private static let neededInRequests: [StaticString] = [
        "range", "cookie", "expect", "if-match", "if-range", "max-forwards", "authorization", "if-none-match",
        "if-modified-since", "if-unmodified-since", "proxy-authorization",
    ]

    /// Response controls, challenges and cookies, which a client handles before the content.
    private static let neededInReplies: [StaticString] = [
        "age", "date", "vary", "expires", "location", "set-cookie", "retry-after", "www-authenticate",
        "proxy-authenticate",
    ]
}
