/// One line of a timeline, before it is laid out.
struct TimelineRow: Equatable {
    let column: Column
    /// Milliseconds since the first event, as text; empty where the time is not known.
    let time: String
    let text: String
    /// Equal ones that follow each other, this one included.
    var count = 1
    /// What was wanted in its place; the row is marked when there is something.
    var wanted: String?

    enum Column: Int, CaseIterable {
        case wire, callbacks, harness
        /// A remark over the whole line.
        case note
    }

    /// Whether the other row is one more of the same.
    func continues(with other: TimelineRow) -> Bool {
        column != .note && column == other.column && text == other.text && wanted == nil && other.wanted == nil
    }
}
