internal import ProctorBase
internal import ProctorDocument
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorReplies
internal import ProctorScenario

// The clock of a run: read, and set, moved, stopped or let go on.
extension ControlAPI {
    func clock(_ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        Self.clock(of: try await runOrStanding(request))
    }

    private static let changeLimit = 10

    /// Makes the changes of `do`, a text or a list of texts, all of them or none.
    func moveClock(_ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        let run = try await runOrStanding(request)
        let entries = try request.entries()
        guard let entry = entries.first, entries.count == 1, entry.key == "do" else {
            throw .badRequest("the body is an object with do, the change of the clock: \(ClockChange.expected)")
        }
        let items = entry.value.items ?? [entry.value]
        guard 1...Self.changeLimit ~= items.count else {
            throw .badRequest("do has \(items.count) changes; 1 to \(Self.changeLimit) are permitted")
        }
        var changes: [ClockChange] = []
        for item in items {
            guard let change = item.text.flatMap({ ClockChange($0) }) else {
                throw .badRequest(
                    "expected a change of the clock, found \(item.text.map { quoted($0) } ?? item.found); write "
                        + "\(ClockChange.expected); times are in UTC, from 1970 to 2199")
            }
            changes.append(change)
        }
        run.stage.moveClock(changes)
        return Self.clock(of: run)
    }

    private static func clock(of run: Run) -> BuiltInReply {
        let reading = run.stage.clock.reading
        return .object { json in
            json.object("clock") { json in
                json.member("now", HTTPDate.timestamp(unixSeconds: reading.unixSeconds))
                json.member("unixSeconds", reading.unixSeconds)
                json.member("frozen", reading.isFrozen)
            }
        }
    }
}
