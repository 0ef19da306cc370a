public import ProctorCoding

/// What is done with the content before it is framed, and what the head says about it.
public struct BodyCoding: Sendable, Equatable {
    /// What is done.
    public let plan: Plan
    /// The field that tells of it; content codings change what offsets of ``Effect/Position/body(_:)`` count.
    public let place: Place
    /// What the field says.
    public let label: Label

    /// How the steps are chosen.
    public enum Plan: Sendable, Equatable {
        /// All of them, the first one first; never empty.
        case apply([CodingStep])
        /// The one that `Accept-Encoding` likes best (RFC 9110 §12.5.3), in the server's order where it likes several
        /// the same; none of them, where none is acceptable and identity is.
        case negotiate([CodingStep])
    }

    /// Where the coding belongs.
    public enum Place: String, Sendable, CaseIterable {
        /// `Content-Encoding`
        case content
        /// `Transfer-Encoding`, before `chunked` where the body is chunked.
        case transfer
    }

    /// What the head says of the coding.
    public enum Label: Sendable, Equatable {
        /// The names of the steps that were applied, in their order.
        case names
        /// This, true or not.
        case text([UInt8])
        /// No field at all.
        case absent
    }

    /// Every part as the fixture gives it.
    public init(plan: Plan, place: Place = .content, label: Label = .names) {
        self.plan = plan
        self.place = place
        self.label = label
    }
}
