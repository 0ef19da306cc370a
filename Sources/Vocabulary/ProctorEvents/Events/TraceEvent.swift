/// One callback, or one act of the test, as a recorder wrote it.
///
/// Events of a long trace differ in little, so that what few have of their own stands apart, where events may share it.
public struct TraceEvent: Sendable, Equatable {
    /// The number of the event in its trace, from 1.
    public var sequence: Int
    /// When it happened; nil where the log does not say.
    public var time: Time?
    /// The lane that the event is ordered in.
    public var lane: Lane
    /// The neutral name of the event.
    public var name: EventName
    /// Whether a callback begins or returns here.
    public var phase: Phase
    /// The API family of the whole lane; nil where the recorder does not know it.
    public var family: CallbackFamily?
    /// The task it belongs to, from 0 in the order of creation; in lane `session` the session.
    ///
    /// Recorders tell tasks apart by object, since sessions repeat identifiers; a task that became another keeps its number.
    public var task: Int
    private var details: SharedDetails?

    /// The URLProtocol object, in lanes `proto` and `protocolClient` and for answers to the object.
    public var object: Int? {
        get { details?.value.object }
        set { change { $0.object = newValue } }
    }
    /// The value that expressions compare: a status, the kind of a challenge, `ok` or the name of an error.
    public var argument: String? {
        get { details?.value.argument }
        set { change { $0.argument = newValue } }
    }
    /// The label of the event's queue, equal for equal queues; nil outside of any queue.
    public var queue: String? {
        get { details?.value.queue }
        set { change { $0.queue = newValue } }
    }
    /// The label of the event's thread, equal for equal threads.
    public var thread: String? {
        get { details?.value.thread }
        set { change { $0.thread = newValue } }
    }
    /// Further facts about the event.
    public var facts: EventFacts {
        get { details?.value.facts ?? [] }
        set { change { $0.facts = newValue } }
    }

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
        (self.sequence, self.time, self.lane, self.task, self.name) = (sequence, time, lane, task, name)
        (self.phase, self.family) = (phase, family)
        let details = Details(argument: argument, object: object, queue: queue, thread: thread, facts: facts)
        if details != Details() { self.details = SharedDetails(details) }
    }

    private mutating func change(_ body: (inout Details) -> Void) {
        var value = details?.value ?? Details()
        body(&value)
        details = value == Details() ? nil : SharedDetails(value)
    }

    /// Shares the details of another event where they are the same.
    mutating func shareDetails(with other: TraceEvent) {
        if details == other.details { details = other.details }
    }

    /// The event's name and argument, as the notation uses them.
    public var symbol: TraceEventSymbol { TraceEventSymbol(name.rawValue, argument) }

    /// The lane with its number: of the object, or of the task.
    public var laneID: LaneID { LaneID(lane, lane.isOfObject ? object ?? task : task) }
}

/// What many events have in common, or do not have.
private struct Details: Sendable, Equatable {
    var argument: String?
    var object: Int?
    var queue: String?
    var thread: String?
    var facts: EventFacts = []
}

private final class SharedDetails: Sendable, Equatable {
    let value: Details

    init(_ value: Details) { self.value = value }

    static func == (left: SharedDetails, right: SharedDetails) -> Bool { left === right || left.value == right.value }
}

/// One lane of a trace: there are as many as there are tasks, sessions and URLProtocol objects.
public struct LaneID: Sendable, Hashable, CustomStringConvertible {
    /// The observer.
    public let lane: Lane
    /// The number of the task, the session or the object.
    public let number: Int

    /// Makes the id of a lane, which need not exist in any trace.
    public init(_ lane: Lane, _ number: Int = 0) {
        (self.lane, self.number) = (lane, number)
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
        (self.name, self.argument) = (name, argument)
    }

    /// As an expression writes it: `response(200)`.
    public var description: String {
        guard let argument else { return name }
        return "\(name)(\(argument))"
    }
}
