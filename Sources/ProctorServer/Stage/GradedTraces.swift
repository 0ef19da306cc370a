/// Traces of the client that were judged, newest last, for whoever watches the run.
struct GradedTraces {
    private var traces: [Told] = []
    private var count = 0

    /// A trace with its verdict, as a page reads it.
    struct Told: Sendable {
        /// Counts from 1 in each run, over resets too.
        let number: Int
        /// One object, without a line end.
        let json: [UInt8]
    }

    /// Older ones are forgotten.
    static let limit = 4
    /// Events that one of them has; the rest is counted.
    static let eventLimit = 1_000

    mutating func add(_ json: [UInt8]) {
        count += 1
        traces.append(Told(number: count, json: json))
        if traces.count > Self.limit { traces.removeFirst() }
    }

    mutating func removeAll() { traces = [] }

    func after(_ number: Int) -> [Told] { traces.filter { $0.number > number } }
}
