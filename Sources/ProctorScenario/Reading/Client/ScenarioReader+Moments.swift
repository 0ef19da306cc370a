import ProctorDocument
import ProctorTrace

/// When a client program acts, and for how long it waits.
extension ScenarioReader {
    private static let moments: [(name: String, moment: Moment)] = [
        ("before-resume", .beforeResume), ("after-resume", .afterResume),
    ]

    /// `before-resume`, `after-resume`, an event, or `{ event: data, count: 2 }`.
    ///
    /// `act` is what the program does then, as a verb: `cancel`.
    func moment(
        _ node: Node, _ act: String, task: ClientProgram.TaskKind, onResponse: ClientProgram.ResponseAnswer
    ) -> Moment? {
        var place = node
        var count: (node: Node, value: Int)?
        if node.entries != nil {
            guard let reader = MappingReader(node, "a moment", keys: ["event", "count"], sink: sink) else { return nil }
            count = reader["count"].flatMap { node in
                sink.integer(node, "a count", in: Bounds.times).map { (node, $0) }
            }
            guard let event = reader.required("event") else { return nil }
            place = event
        }
        guard let name = sink.text(place, "the name of an event") else { return nil }
        if let known = Self.moments.first(where: { $0.name == name }) {
            if let count, count.value > 1 {
                sink.report(count.node, "\(quoted(name)) comes once, so a count of \(count.value) is never reached")
            }
            return known.moment
        }
        guard isEvent(name, place, act) else { return nil }
        guard LaneEvents.comes(name, task: task, onResponse: onResponse) else {
            sink.report(
                place, "\(quoted(name)) never comes for task: \(task.rawValue), so the client would never \(act)")
            return nil
        }
        return .event(name, count: count?.value ?? 1)
    }

    private func isEvent(_ name: String, _ node: Node, _ act: String) -> Bool {
        let names = EventVocabulary.names(in: .task)
        guard names.contains(name) else {
            let hint = DiagnosticSink.hint(for: name, among: names + Self.moments.map(\.name))
            sink.report(node, "unknown event \(quoted(name))", hint: hint)
            return false
        }
        guard act != "suspend" || !EventVocabulary.terminalNames.contains(name) else {
            sink.report(node, "\(quoted(name)) is too late to \(act)")
            return false
        }
        return true
    }

    /// More than nothing, up to the longest wait.
    func duration(_ node: Node, _ what: String) -> Duration? {
        guard let text = sink.text(node, what) else { return nil }
        guard let nanoseconds = DurationText.nanoseconds(text), nanoseconds > 0,
            nanoseconds <= Bounds.waitNanoseconds
        else {
            sink.report(node, "expected \(DurationText.expected), more than 0 and at most 10m, found \(quoted(text))")
            return nil
        }
        return .nanoseconds(nanoseconds)
    }
}
