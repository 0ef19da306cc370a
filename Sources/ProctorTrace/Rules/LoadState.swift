/// What every monitor of a load may ask: how far the load is before the event at hand.
///
/// A load is one task, connection, download or URLProtocol object, with what the harness and the wire say of it.
/// There is one for each load, which only its ``LoadCheck`` changes; monitors look at it and keep no reference.
final class LoadState {
    let lane: LaneID
    /// Of URLProtocol objects always `PC`, whether lane `proto` or `protocolClient` is at hand.
    var family: CallbackFamily
    let platform: Platform
    /// Of an object: the task it works for, as its first event says.
    var task: Int?
    /// Events of the lane so far (not exits, not other lanes).
    var eventCount = 0
    /// The event before, in the lane.
    var previous: TraceEvent?
    /// Redirects so far.
    var redirectCount = 0
    /// Responses so far, and the status of the last.
    var responseCount = 0
    var lastStatus: Int?
    /// Whether nothing more is due: a terminal event came, the handler was called or the object is gone.
    var isOver = false
    /// The terminal event, once it came.
    var terminal: KeptEvent?
    /// The first call of the completion handler, or the return of the `await`.
    var handled: KeptEvent?
    /// Questions of the lane that the harness has not answered, oldest first; at most ``mostOpenQuestions``.
    var openQuestions: [TraceEvent] = []
    /// Whether the trace has any answers, without which nothing about questions can be judged.
    var seesAnswers = false
    /// Whether any event may be missing from the trace.
    var isPartial = false
    /// The harness resumed it, suspended it, cancelled it (task, session or by its answer).
    var isResumed = false
    var isSuspended = false
    var cancellation: KeptEvent?
    /// The first `invalidate` of the session, of either kind.
    var invalidation: KeptEvent?
    /// Whether lane `harness` says anything of it, which a trace from elsewhere may lack.
    var seesHarness = false
    /// How the trace ended, known in `end`.
    var ending = TraceEnding.finished
    /// A watchdog ended the trace.
    var isHung: Bool { ending == .hung }
    /// What the loading system did to the object of a protocol.
    var isStarted = false
    var isStopped = false
    var isGone = false
    /// What the wire saw for this load.
    var wireRequestCount = 0
    var lastWireMethod: String?
    /// Whether it asked a proxy for a tunnel, through which a refusal can't be delivered (RFC 9110 §9.3.6).
    var hasTunnel: Bool { tunnelRequestCount > 0 }
    /// Of its requests on the wire: those that asked a proxy for a tunnel.
    var tunnelRequestCount = 0

    static let mostOpenQuestions = 16

    /// What the answer at hand closes; several monitors ask, and the next event forgets it.
    private struct Answered {
        let sequence: Int
        let index: Int?
    }
    private var answered: Answered?

    init(lane: LaneID, family: CallbackFamily, platform: Platform) {
        self.lane = lane
        self.family = family
        self.platform = platform
    }

    /// Whether a challenge of it, when nobody takes it up, is followed by its 401 or 407: TLS has neither, and of a proxy
    /// only the wire shows that no tunnel was asked for.
    func deliversAbandoned(_ challenge: TraceEvent) -> Bool {
        !challenge.isOfTLS && (!challenge.isOfProxy || wireRequestCount > 0 && !hasTunnel)
    }

    /// The oldest open question of that kind.
    func openQuestion(_ name: EventName) -> TraceEvent? { openQuestions.first { $0.name == name } }

    /// The open question that an `answer` closes; nil when none is open, as after a second answer.
    func question(answeredBy answer: TraceEvent) -> TraceEvent? {
        if openQuestions.isEmpty { return nil }
        guard questionName(answeredBy: answer) != nil, let index = answered?.index else { return nil }
        return openQuestions[index]
    }

    /// The kind of that question, without a copy of it.
    func questionName(answeredBy answer: TraceEvent) -> EventName? {
        if openQuestions.isEmpty { return nil }
        if answered?.sequence != answer.sequence {
            answered = Answered(sequence: answer.sequence, index: indexOfQuestion(answeredBy: answer))
        }
        guard let index = answered?.index else { return nil }
        return openQuestions[index].name
    }

    /// Before another event is looked at.
    func forgetAnswer() { answered = nil }

    /// Answers that do not say to what close the oldest question.
    func indexOfQuestion(answeredBy answer: TraceEvent) -> Int? {
        guard !openQuestions.isEmpty else { return nil }
        guard let to = answer.facts.text(.to) else { return 0 }
        return openQuestions.firstIndex { $0.name.rawValue == to }
    }
}
