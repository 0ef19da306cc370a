package import ProctorEvents

package struct EventGroup: Sendable, Equatable, CustomStringConvertible {
    package let event: TraceEventSymbol
    package internal(set) var count: Int

    /// The form of printed runs: `data×4`.
    package var description: String { count == 1 ? event.description : "\(event)×\(count)" }
}

/// The last groups of a trace, which describe a long trace in one short line.
package struct EventGroups: Sendable, Equatable {
    private(set) var last: [EventGroup] = []
    /// The number of all groups so far, including removed ones.
    private(set) var groupCount = 0

    package init() {}

    static let kept = 5

    /// The name of the last group, if it is in the vocabulary.
    private var lastName: EventName?

    /// Adds an event of the vocabulary without comparing its name as text.
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
