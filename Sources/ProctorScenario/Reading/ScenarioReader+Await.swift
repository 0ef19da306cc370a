import ProctorBase
import ProctorDocument
import ProctorTrace

/// Sync points: effects that wait for the client.
extension ScenarioReader {
    /// Lanes whose events the client under test sees or does itself.
    private static let reportedLanes: [Lane] = [.task, .session, .proto, .protocolClient, .handler, .harness]

    private static let reportedEvents = EventVocabulary.kinds
        .filter { kind in kind.lanes.contains { reportedLanes.contains($0) } }.map(\.name)

    /// `await EVENT`.
    func awaiting(_ text: String, _ node: Node) -> Effect.Action? {
        guard !text.isEmpty else {
            sink.report(node, "await needs the name of an event", hint: "like do: await response")
            return nil
        }
        return awaitedEvent(text, node).map { .await(SyncPoint(event: $0)) }
    }

    /// `{ await: EVENT, task: …, count: …, within: … }`.
    func awaiting(_ reader: MappingReader) -> Effect.Action? {
        let event = reader.required("await").flatMap { node in
            sink.text(node, "an event").flatMap { awaitedEvent($0, node) }
        }
        let task = reader["task"].flatMap { sink.integer($0, "a task", in: Bounds.index) }
        let count = reader["count"].flatMap { sink.integer($0, "a count", in: Bounds.times) }
        let limit = reader["within"].flatMap { duration($0, "within") }
        return event.map { .await(SyncPoint(event: $0, task: task, count: count ?? 1, limit: limit)) }
    }

    private func awaitedEvent(_ name: String, _ node: Node) -> String? {
        if Self.reportedEvents.contains(name) { return name }
        if EventVocabulary.kind(named: name) != nil {
            sink.report(
                node, "\(quoted(name)) is an event of the wire, which no client reports",
                hint: "what arrived is known without waiting")
            return nil
        }
        let hint = NearestName.find(name, in: Self.reportedEvents).map { "did you mean \(quoted($0))?" }
        sink.report(
            node, "unknown event \(quoted(name))", hint: hint ?? "the names are those of the expressions of a case")
        return nil
    }
}
