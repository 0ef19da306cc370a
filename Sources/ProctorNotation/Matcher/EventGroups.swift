public import ProctorEvents

/// A run of equal events.
public struct EventGroup: Sendable, Equatable, CustomStringConvertible {
    /// The event that each of them is.
    public let event: TraceEventSymbol
    /// At least 1.
    public internal(set) var count: Int

    /// As recorded runs are printed: `data×4`.
    public var description: String { count == 1 ? event.description : "\(event)×\(count)" }
}

/// The last groups of a trace, so that a long one is told in one short line.
package struct EventGroups: Sendable, Equatable {
    private(set) var last: [EventGroup] = []
    /// The count of all groups so far, forgotten ones included.
    private(set) var groupCount = 0

    package init() {}

    /// Groups that are kept.
    static let kept = 5

    /// The name of the last group, where it is in the vocabulary.
    private var lastName: EventName?

    /// Takes an event of the vocabulary without comparing its name as text.
    package mutating func append(_ name: EventName, _ argument: String?) {
        if lastName == name, let index = last.indices.last, last[index].event.argument == argument {
            last[index].count += 1
            return
        }
        append(TraceEventSymbol(name.rawValue, argument))
        lastName = name
    }

    mutating func append(_ event: TraceEventSymbol) {
        if let index = last.indices.last, last[index].event == event {
            last[index].count += 1
            return
        }
        lastName = nil
        if last.count == Self.kept { last.removeFirst() }
        last.append(EventGroup(event: event, count: 1))
        groupCount += 1
    }
}
