/// The monitors that watch the whole trace, each called only for the events it wants.
struct TraceMonitors {
    private var monitors: [any TraceMonitor]
    /// By twice the ordinal of the event, plus one for exits.
    private let interested: [[Int]]

    init(platform: Platform) {
        let types = RuleMonitors.ofTraces
        monitors = types.map { $0.init(platform: platform) }
        interested = EventName.allCases.flatMap { name in
            [false, true].map { isExit in
                types.indices.filter { types[$0].interests.contains(name) && (!isExit || types[$0].wantsExits) }
            }
        }
    }

    mutating func observe(_ event: TraceEvent, family: CallbackFamily?, _ hits: inout HitList) {
        for index in interested[event.name.ordinal * 2 + (event.phase == .exit ? 1 : 0)] {
            monitors[index].observe(event, family: family, &hits)
        }
    }

    mutating func end(_ ending: TraceEnding, _ hits: inout HitList) {
        for index in monitors.indices { monitors[index].end(ending, &hits) }
    }
}
