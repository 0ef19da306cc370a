/// A delegate method, or a call to or by a URLProtocol, and the neutral event it stands for.
public struct MethodName: Sendable, Equatable {
    /// nil for a method that no rule and no expression speaks of.
    public let event: EventName?
    /// Where its calls are observed.
    public let lane: Lane
    /// The family it belongs to; nil for methods of a session.
    public let family: CallbackFamily?
    /// Whether no other family has it; the methods of URLSession's task delegate belong to all kinds of tasks.
    public let isOfOneFamily: Bool
    /// The Objective-C selector first, then how Swift writes it, then what else is accepted.
    public let spellings: [String]
    let meaning: Meaning

    /// What the name leaves open, or adds to the event.
    enum Meaning: Sendable, Equatable {
        case plain
        /// The end of a load that worked.
        case success
        /// The end of a load that did not.
        case failure
        /// `willSendRequest`: a redirect only where there is a response; a log that does not say has none (R7).
        case rewrite
        /// A redirect, unless it is said that there was no response (R7).
        case redirection
        /// Swift's `didBecome`, of a download or of a stream.
        case becoming
        /// Swift's `connection(_:didReceive:)`: of a response, of data or of a challenge.
        case receiving
        /// Swift's `download(_:didReceive:)`: of a response or of a challenge.
        case receivingNoData
        /// A challenge, with its scope.
        case scope(String)
        /// An answer to a challenge: which one.
        case answering(String)
    }

    init(
        _ event: EventName? = nil, in lane: Lane, of family: CallbackFamily? = nil, shared: Bool = false,
        meaning: Meaning = .plain, spelled spellings: String...
    ) {
        self.event = event
        self.lane = lane
        self.family = family
        isOfOneFamily = family != nil && !shared
        self.spellings = spellings
        self.meaning = meaning
    }
}
