import ProctorGrading

/// A timeline in parts, each with times of one clock.
enum TimelineParts {
    /// A part begins with notes where the time after them is before that of the event before them: a trace without the
    /// server's clock stands before the wire, which has times of its own.
    static func of(_ events: [EventRecord]) -> [Range<Int>] {
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
