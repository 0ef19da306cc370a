/// A departure from RFC 9112, RFC 9110 or RFC 3986 that a peer's bytes made.
public struct Violation: Error, Sendable, Equatable {
    /// Decides, with `message`, everything but the place: section, status, whether it can be read over.
    public let kind: Kind
    /// Whose departure it is: a server may read over what a client may not, and the other way round.
    public let message: MessageKind
    /// Bytes from the first byte of this message; empty lines before it count.
    public let offset: Int
    /// The offending bytes, or the first of them.
    public let detail: [UInt8]
    /// The limit that was passed, for kinds that have one.
    public let bound: Int?
    /// Whether its kind ends the reading, and this reader was told to read on: see ``RequestReader/init(limits:acceptsAnything:)``.
    public let isReadOver: Bool

    /// For readers of journals too, which know a violation by its parts.
    public init(
        _ kind: Kind, in message: MessageKind = .request, at offset: Int, detail: [UInt8] = [], bound: Int? = nil,
        isReadOver: Bool = false
    ) {
        self.isReadOver = isReadOver
        self.kind = kind
        self.message = message
        self.offset = offset
        self.detail = detail
        self.bound = bound
    }

    /// True when the message is not read on; a matter of its kind and of the direction, unless it was read over.
    public var isFatal: Bool { !isReadOver && kind.isFatal(in: message) }

    /// What a fatal one of a request is answered with: 400, or a status that says more; 400 also for all others.
    public var status: Int { kind.fatalStatus ?? 400 }

    /// The paragraph that rules it out: `RFC 9112 §2.2`.
    public var section: String { kind.section(in: message) }
}

extension Violation: CustomStringConvertible {
    /// `space-before-colon at byte 20: …  (RFC 9112 §5.1)`.
    public var description: String { "\(kind.rawValue) at byte \(offset): \(sentence) (\(section))" }
}
