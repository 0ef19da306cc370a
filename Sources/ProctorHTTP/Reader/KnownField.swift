/// The field names that a request's reader has something to say about.
enum KnownField: Sendable {
    case host, contentLength, transferEncoding, connection, expect, te, upgrade
    /// A field that may come once (RFC 9110 §5.3), as its bit in a set.
    case singleton(UInt32)

    /// Nil for every other name.
    ///
    /// The length picks at most three candidates, so that most names cost one comparison.
    init?(_ name: Span<UInt8>) {
        switch name.count {
        case 2 where name.equalsIgnoringCase("te"): self = .te
        case 4 where name.equalsIgnoringCase("host"): self = .host
        case 6 where name.equalsIgnoringCase("expect"): self = .expect
        case 7 where name.equalsIgnoringCase("upgrade"): self = .upgrade
        case 10 where name.equalsIgnoringCase("connection"): self = .connection
        case 14 where name.equalsIgnoringCase("content-length"): self = .contentLength
        case 17 where name.equalsIgnoringCase("transfer-encoding"): self = .transferEncoding
        default:
            guard let bit = Self.singletonBit(name) else { return nil }
            self = .singleton(1 << bit)
        }
    }

    private static func singletonBit(_ name: Span<UInt8>) -> UInt32? {
        switch name.count {
        case 4 where name.equalsIgnoringCase("from"): 0
        case 4 where name.equalsIgnoringCase("date"): 1
        case 5 where name.equalsIgnoringCase("range"): 2
        // RFC 6265 §5.4: a user agent attaches at most one.
        case 6 where name.equalsIgnoringCase("cookie"): 3
        case 7 where name.equalsIgnoringCase("referer"): 4
        case 8 where name.equalsIgnoringCase("if-range"): 5
        case 10 where name.equalsIgnoringCase("user-agent"): 6
        case 12 where name.equalsIgnoringCase("content-type"): 7
        case 12 where name.equalsIgnoringCase("max-forwards"): 8
        case 13 where name.equalsIgnoringCase("authorization"): 9
        case 13 where name.equalsIgnoringCase("content-range"): 10
        case 16 where name.equalsIgnoringCase("content-location"): 11
        case 17 where name.equalsIgnoringCase("if-modified-since"): 12
        case 19 where name.equalsIgnoringCase("if-unmodified-since"): 13
        case 19 where name.equalsIgnoringCase("proxy-authorization"): 14
        default: nil
        }
    }

    /// Fields that a trailer section may not hold: those needed before the content (RFC 9110 §6.5.1).
    static func isForbiddenTrailer(_ name: Span<UInt8>) -> Bool {
        switch KnownField(name) {
        case .host, .contentLength, .transferEncoding, .connection, .expect, .te, .upgrade: return true
        case .singleton, nil: break
        }
        return switch name.count {
        case 5: name.equalsIgnoringCase("range")
        case 6: name.equalsIgnoringCase("cookie")
        case 7: name.equalsIgnoringCase("trailer")
        case 8: name.equalsIgnoringCase("if-match") || name.equalsIgnoringCase("if-range")
        case 12: name.equalsIgnoringCase("content-type") || name.equalsIgnoringCase("max-forwards")
        case 13:
            name.equalsIgnoringCase("authorization") || name.equalsIgnoringCase("cache-control")
                || name.equalsIgnoringCase("content-range") || name.equalsIgnoringCase("if-none-match")
        case 16: name.equalsIgnoringCase("content-encoding")
        case 17: name.equalsIgnoringCase("if-modified-since")
        case 19: name.equalsIgnoringCase("if-unmodified-since") || name.equalsIgnoringCase("proxy-authorization")
        default: false
        }
    }
}
