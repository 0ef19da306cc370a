/// What the vocabulary knows of an event: where it may be seen and what its argument says.
public struct EventKind: Sendable, Equatable {
    /// The event as a value.
    public let event: EventName
    /// As expressions and traces write it.
    public var name: String { event.rawValue }
    /// Never empty.
    public let lanes: [Lane]
    /// What may stand in its parentheses.
    public let argument: Argument
    /// Taken out of a trace before a case's expression is matched, unless the expression names it.
    public let isAmbient: Bool

    /// What stands between the parentheses of an event.
    public enum Argument: Sendable, Equatable {
        case none
        /// A status code of three digits whose first digit is in the range.
        case status(firstDigit: ClosedRange<Int>)
        /// `ok`, or the name of an error; in an expression also `error`, which is any but `ok`.
        case outcome
        /// Method, one space, request-target.
        case request
        /// Any text.
        case text
    }

    init(_ event: EventName, _ lanes: [Lane], _ argument: Argument = .none, isAmbient: Bool = false) {
        self.event = event
        self.lanes = lanes
        self.argument = argument
        self.isAmbient = isAmbient
    }
}
