/// What a request's method says about the framing of its reply (RFC 9112 §6.3).
enum RepliedMethod: Sendable {
    case head, connect, other

    /// Methods are compared with letter case (RFC 9110 §9.1).
    init(_ name: [UInt8]) {
        switch name.count {
        case 4 where name.span.equals("HEAD"): self = .head
        case 7 where name.span.equals("CONNECT"): self = .connect
        default: self = .other
        }
    }
}
