extension KnownField {
    /// Fields that a trailer section may not hold: those needed before the content (RFC 9110 §6.5.1).
    static func isForbiddenTrailer(_ name: Span<UInt8>, of message: MessageKind) -> Bool {
        guard !isOfMessage(name) else { return true }
        return switch message {
        case .request: isForbiddenTrailer(inRequest: name)
        case .reply: isForbiddenTrailer(inReply: name)
        }
    }

    /// Framing, connection and the form of the content, in either direction.
    private static func isOfMessage(_ name: Span<UInt8>) -> Bool {
        switch name.count {
        case 2: name.equalsIgnoringCase("te")
        case 4: name.equalsIgnoringCase("host")
        case 7: name.equalsIgnoringCase("trailer") || name.equalsIgnoringCase("upgrade")
        case 10: name.equalsIgnoringCase("connection")
        case 12: name.equalsIgnoringCase("content-type")
        case 13: name.equalsIgnoringCase("cache-control") || name.equalsIgnoringCase("content-range")
        case 14: name.equalsIgnoringCase("content-length")
        case 16: name.equalsIgnoringCase("content-encoding")
        case 17: name.equalsIgnoringCase("transfer-encoding")
        default: false
        }
    }

    /// Modifiers and credentials.
    private static func isForbiddenTrailer(inRequest name: Span<UInt8>) -> Bool {
        switch name.count {
        case 5: name.equalsIgnoringCase("range")
        case 6: name.equalsIgnoringCase("cookie") || name.equalsIgnoringCase("expect")
        case 8: name.equalsIgnoringCase("if-match") || name.equalsIgnoringCase("if-range")
        case 12: name.equalsIgnoringCase("max-forwards")
        case 13: name.equalsIgnoringCase("authorization") || name.equalsIgnoringCase("if-none-match")
        case 17: name.equalsIgnoringCase("if-modified-since")
        case 19: name.equalsIgnoringCase("if-unmodified-since") || name.equalsIgnoringCase("proxy-authorization")
        default: false
        }
    }

    /// What a client acts on before it takes the content: controls of the reply, challenges, cookies.
    private static func isForbiddenTrailer(inReply name: Span<UInt8>) -> Bool {
        switch name.count {
        case 3: name.equalsIgnoringCase("age")
        case 4: name.equalsIgnoringCase("date") || name.equalsIgnoringCase("vary")
        case 7: name.equalsIgnoringCase("expires")
        case 8: name.equalsIgnoringCase("location")
        case 10: name.equalsIgnoringCase("set-cookie")
        case 11: name.equalsIgnoringCase("retry-after")
        case 16: name.equalsIgnoringCase("www-authenticate")
        case 18: name.equalsIgnoringCase("proxy-authenticate")
        default: false
        }
    }
}
