import ProctorTrace

/// Callbacks that began and never returned although their task went on.
enum CallbackExitCheck: ContentCheck {
    static func faults(in scene: ContentScene) -> [ContentFault] {
        guard scene.isComplete, !scene.isScripted else { return [] }
        let telling = tellingLanes(scene.events)
        var open: [LaneID: [TraceEvent]] = [:]
        for event in scene.events where telling.contains(event.lane) {
            let lane = event.laneID
            guard event.phase == .exit else {
                open[lane, default: []].append(event)
                continue
            }
            // A log may name a method that means another event without its arguments.
            if let index = open[lane]?.lastIndex(where: { $0.name == event.name && isOfOneThread($0, event) })
                ?? open[lane]?.lastIndex(where: { isOfOneThread($0, event) })
            {
                open[lane]?.remove(at: index)
            }
        }
        return open.values.flatMap(\.self).filter { wentOn(after: $0, scene.events) }
            .sorted { $0.sequence < $1.sequence }
            .map { event in
                ContentFault(
                    event: event, field: "exit", wanted: "one before the task goes on", got: "missing",
                    reason: "the callbacks of lane \(event.lane.rawValue) return, and this one never did")
            }
    }

    /// Lanes where most callbacks have an exit; elsewhere a missing one says nothing.
    private static func tellingLanes(_ events: [TraceEvent]) -> Set<Lane> {
        var counts: [Lane: (enters: Int, exits: Int)] = [:]
        for event in events where event.lane != .harness {
            if event.phase == .exit {
                counts[event.lane, default: (0, 0)].exits += 1
            } else {
                counts[event.lane, default: (0, 0)].enters += 1
            }
        }
        return Set(counts.filter { $0.value.exits > 0 && $0.value.exits * 2 >= $0.value.enters }.keys)
    }

    private static func isOfOneThread(_ left: TraceEvent, _ right: TraceEvent) -> Bool {
        left.thread == nil || right.thread == nil || left.thread == right.thread
    }

    /// A further callback of the lane, or the end of the step.
    private static func wentOn(after event: TraceEvent, _ events: [TraceEvent]) -> Bool {
        events.contains { later in
            later.sequence > event.sequence && later.phase == .enter
                && (later.laneID == event.laneID
                    || later.name == .result && later.task == event.task && later.facts[.message] == nil)
        }
    }
}
