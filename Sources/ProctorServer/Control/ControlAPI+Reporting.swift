internal import ProctorBase
internal import ProctorDocument
internal import ProctorEvents
internal import ProctorScenario

/// Calls by which a client, or its test, tells a run what came on its side.
extension ControlAPI {
    /// Counts what the client saw, and lets go on what waits for it.
    func reached(_ id: String, _ request: ControlRequest) throws(ControlError) -> BuiltInReply {
        let run = try find(id, request)
        let members = try request.members(allowed: ["event", "task", "count"])
        guard let text = members["event"]?.text, !text.isEmpty, text.utf8.count <= 100 else {
            throw .badRequest("'event' is the name of what the client has reported, 1 to 100 bytes")
        }
        let ofWire: EventNameSet = [.request, .replied]
        guard let event = EventName(rawValue: text), !ofWire.contains(event) else {
            let names = EventName.allCases.lazy.filter { !ofWire.contains($0) }.map(\.rawValue)
            let hint = NearestName.find(text, in: Array(names)).map { "did you mean '\($0)'?" }
            throw .badRequest(
                "no client reports '\(EscapedText.of(text.utf8))'; \(hint ?? "Docs/trace-format.md names the events")")
        }
        let task = try number("task", of: members, in: 0...9_999, default: 0)
        let count = try number("count", of: members, in: 0...1_000, default: 1)
        run.stage.noteReached(event, task: task, count: count)
        return BuiltInReply(status: 200, json: ControlJSON.done("reached", event.rawValue))
    }

    private func number(
        _ name: String, of members: [String: Node], in range: ClosedRange<Int>, default value: Int
    ) throws(ControlError) -> Int {
        guard let node = members[name] else { return value }
        guard let number = node.plainText.flatMap(Int.init), range.contains(number) else {
            throw .badRequest("'\(name)' is a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
