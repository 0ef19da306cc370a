/// One callback, or one act of the test, as a recorder wrote it.
public struct TraceEvent: Sendable, Equatable {
    /// The number of the event in its trace, from 1.
    public var sequence: Int
    /// When it happened; nil where the log does not say.
    public var time: Time?
    /// The lane that the event is ordered in.
    public var lane: Lane
    /// The task it belongs to, from 0 in the order of creation; in lane `session` the session.
    ///
    /// Recorders tell tasks apart by object, since sessions repeat identifiers; a task that became another keeps its number.
    public var task: Int
    /// The URLProtocol object, in lanes `proto` and `protocolClient` and for answers to the object.
    public var object: Int?
    /// The neutral name of the event.
    public var name: EventName
    /// The value that expressions compare: a status, the kind of a challenge, `ok` or the name of an error.
    public var argument: String?
    /// Whether a callback begins or returns here.
    public var phase: Phase
    /// The label of the event's queue, equal for equal queues; nil outside of any queue.
    public var queue: String?
    /// The label of the event's thread, equal for equal threads.
    public var thread: String?
    /// The API family of the whole lane; nil where the recorder does not know it.
    public var family: CallbackFamily?
    /// Further facts about the event.
    public var facts: EventFacts

    /// Begin and end of a callback, which show overlap (R46) and time spent inside.
    public enum Phase: String, Sendable {
        /// A moment, or the beginning of a callback.
        case enter
        /// The callback returned; expressions and most rules ignore this event.
        case exit
    }

    /// The clock of a log.
    public enum Time: Sendable, Equatable {
        /// Nanoseconds of CLOCK_MONOTONIC, the clock of the server's journal on the same host.
        case monotonic(UInt64)
        /// Milliseconds of another clock, which are never compared with the wire.
        case elsewhere(Double)
    }

    /// Values that are left out are unknown or 0.
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

    /// The event's name and argument, as the notation uses them.
    public var symbol: TraceEventSymbol { TraceEventSymbol(name.rawValue, argument) }

    /// The lane with its number: of the object, or of the task.
    public var laneID: LaneID { LaneID(lane, lane.isOfObject ? object ?? task : task) }
}

/// One lane of a trace: there are as many as there are tasks, sessions and URLProtocol objects.
public struct LaneID: Sendable, Hashable, CustomStringConvertible {
    /// The observer.
    public let lane: Lane
    /// The number of the task, the session or the object.
    public let number: Int

    /// Makes the id of a lane, which need not exist in any trace.
    public init(_ lane: Lane, _ number: Int = 0) {
        self.lane = lane
        self.number = number
    }

    /// As fixtures write it: `task`, `task[1]`.
    public var description: String { number == 0 ? lane.rawValue : "\(lane.rawValue)[\(number)]" }
}

extension Lane {
    /// Whether the lane's number is that of a URLProtocol object.
    public var isOfObject: Bool { self == .proto || self == .protocolClient }
}

/// An event as the notation uses it: its neutral name and its argument.
public struct TraceEventSymbol: Sendable, Hashable, CustomStringConvertible {
    /// A name of ``EventVocabulary``, or one that the client invented.
    public let name: String
    /// The value that an expression compares; nil for events without argument.
    public let argument: String?

    /// Takes any name; every expression but `...` refuses an event that its lane does not have.
    public init(_ name: String, _ argument: String? = nil) {
        self.name = name
        self.argument = argument
    }

    /// As an expression writes it: `response(200)`.
    public var description: String {
        guard let argument else { return name }
        return "\(name)(\(argument))"
    }
}
