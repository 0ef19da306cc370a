/// What answers a request of a stage: a reply of an exchange, or a guard in its place.
enum PlayedPart {
    /// Exchange and reply, both 0-based, and what the reply is to say of itself besides.
    case exchange(Int, turn: Int, [ReplyInfo])
    /// The exchange, what its guard says, and what guards before that one have the reply say (RFC 9110 §11.7.3).
    case refusal(Int, Refusal, [ReplyInfo])

    /// The exchange that was chosen.
    var exchange: Int {
        switch self {
        case .exchange(let index, _, _), .refusal(let index, _, _): index
        }
    }

    var isRefusal: Bool {
        if case .refusal = self { true } else { false }
    }

    /// The field lines that it puts behind those of the fixture.
    var addition: ReplyPlanner.Addition {
        switch self {
        case .exchange(_, _, let infos): infos.isEmpty ? .none : .infos(infos)
        case .refusal(_, let refusal, let infos): .refusal(refusal, infos)
        }
    }
}
