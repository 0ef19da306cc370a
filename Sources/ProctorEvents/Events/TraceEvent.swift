/// One callback, or one act of the test, as a recorder wrote it down.
public struct TraceEvent: Sendable, Equatable {
    /// Counts from 1 in its trace.
    public var sequence: Int
    /// When it happened; nil where the log does not say.
    public var time: Time?
    /// Whose events it has an order with.
    public var lane: Lane
    /// The task it belongs to, from 0 in the order of creation; in lane `session` the session.
    ///
    /// Recorders tell tasks apart by object, since sessions repeat identifiers; a task that became another keeps its number.
    public var task: Int
    /// The URLProtocol object, in lanes `proto` and `protocolClient` and for answers to it.
    public var object: Int?
    /// What happened.
    public var name: EventName
    /// What an expression compares: a status, the kind of a challenge, `ok` or the name of an error.
    public var argument: String?
    /// Whether a callback begins or returns here.
    public var phase: Phase
    /// A label that is equal for equal queues; nil off any queue.
    public var queue: String?
    /// A label that is equal for equal threads.
    public var thread: String?
    /// The family of API that the lane belongs to, where the recorder knows it; it holds for the whole lane.
    public var family: CallbackFamily?
    /// What else is known of it.
    public var facts: EventFacts

    /// Begin and end of a callback, which show overlap (R46) and time spent inside.
    public enum Phase: String, Sendable {
        /// A moment, or the beginning of a callback.
        case enter
        /// The callback returned; no event of its own for expressions and most rules.
        case exit
    }

    /// The clock of a log.
    public enum Time: Sendable, Equatable {
        /// Nanoseconds of CLOCK_MONOTONIC, the clock of the server's journal on the same host.
        case monotonic(UInt64)
        /// Milliseconds of some clock elsewhere, which are never merged with the wire.
        case elsewhere(Double)
    }

    /// Everything that is not said is unknown or 0.
    public init(
        sequence: Int = 0, time: Time? = nil, lane: Lane, task: Int = 0, object: Int? = nil, name: EventName,
        argument: String? = nil, phase: Phase = .enter, queue: String? = nil, thread: String? = nil,
        family: CallbackFamily? = nil, facts: EventFacts = []
    ) {
        self.sequence = sequence
        self.time = time
        self.lane = lane
        self.task = task
        self.object = object
        self.name = name
        self.argument = argument
        self.phase = phase
        self.queue = queue
        self.thread = thread
        self.family = family
        self.facts = facts
    }

    /// As the notation sees it.
    public var symbol: TraceEventSymbol { TraceEventSymbol(name.rawValue, argument) }

    /// Whose order it belongs to.
    public var laneID: LaneID { LaneID(lane, lane.isOfObject ? object ?? task : task) }
}

/// One lane of a trace: there are as many as there are tasks, sessions and URLProtocol objects.
public struct LaneID: Sendable, Hashable, CustomStringConvertible {
    /// What is observed.
    public let lane: Lane
    /// The number of the task, the session or the object.
    public let number: Int

    /// Names a lane without looking whether a trace has it.
    public init(_ lane: Lane, _ number: Int = 0) {
        self.lane = lane
        self.number = number
    }

    /// As fixtures write it: `task`, `task[1]`.
    public var description: String { number == 0 ? lane.rawValue : "\(lane.rawValue)[\(number)]" }
}

extension Lane {
    /// Whether its lanes are told apart by URLProtocol objects.
    public var isOfObject: Bool { self == .proto || self == .protocolClient }
}

/// An event as the notation sees it: its neutral name and its argument.
public struct TraceEventSymbol: Sendable, Hashable, CustomStringConvertible {
    /// A name of ``EventVocabulary``, or one that the client invented.
    public let name: String
    /// What an expression compares; nil for events without argument.
    public let argument: String?

    /// Takes any name; what is no event of the lane is refused by every expression but `...`.
    public init(_ name: String, _ argument: String? = nil) {
        self.name = name
        self.argument = argument
    }

    /// As an expression would write it: `response(200)`.
    public var description: String {
        guard let argument else { return name }
        return "\(name)(\(argument))"
    }
}
