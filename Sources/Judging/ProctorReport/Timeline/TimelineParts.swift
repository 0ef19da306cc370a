import ProctorGrading

/// Splits a timeline into parts, each with times of one clock.
enum TimelineParts {
    /// The parts; a new part begins at notes after which the time is less than that of the event before them.
    ///
    /// So a trace without the server's clock is one part, and the wire, with times of its own, the next.
    static func ranges(of events: [EventRecord]) -> [Range<Int>] {
        var starts = events.isEmpty ? [] : [0]
        var last = Int.min
        var notes: Int?
        for (index, event) in events.enumerated() {
            guard let time = event.nanoseconds else {
                if event.lane == "note" { notes = notes ?? index }
                continue
            }
            if let notes, time < last { starts.append(notes) }
            notes = nil
            last = time
        }
        return zip(starts, starts.dropFirst() + [events.count]).map { $0..<$1 }
    }
}
