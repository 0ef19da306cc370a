import ProctorDocument
import ProctorProgram
import ProctorScenario

struct ScheduleKeys: Sendable {
    let start = UsualKey("start", Shape<ClientProgram.Schedule.Start>.choice("a start"), usual: .atOnce)
    let on = UsualKey("on", Shape<ClientProgram.Schedule.Place>.choice("a place"), usual: .starter)
    let mode = UsualKey("mode", Shape<ClientProgram.Schedule.Mode>.choice("a mode"), usual: .default)
}

extension ScenarioReader {
    static let scheduleTable = Table("a schedule", ScheduleKeys())

    /// Reads a schedule; only a connection that has not started can be scheduled (NSURLConnection.h), and a queue has
    /// no mode.
    func schedule(_ node: Node) -> ClientProgram.Schedule? {
        guard let keys = Self.scheduleTable.open(node, self) else { return nil }
        var schedule = ClientProgram.Schedule()
        schedule.start = keys[\.start]
        schedule.place = keys[\.on]
        schedule.mode = keys[\.mode]
        let isElsewhere = [.main, .thread, .queue].contains(schedule.place) || schedule.mode == .other
        if isElsewhere, schedule.start != .later {
            return sink.refuse(
                node, "a connection is scheduled elsewhere before it starts, and this one starts when it is made",
                hint: "write start: later")
        }
        if schedule.mode == .other, schedule.place == .queue || schedule.place == .noLoop {
            let place = schedule.place.rawValue
            return sink.refuse(node, "\"\(place)\" has no run loop that could run in a mode", hint: "leave mode out")
        }
        return schedule
    }
}
