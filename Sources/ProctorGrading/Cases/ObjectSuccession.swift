import ProctorEvents

/// What the URLProtocol objects of one task told their client, one after the other, as one load.
///
/// When the client follows a redirect, another object takes over, and what the first still says counts no more (R51).
struct ObjectSuccession {
    /// In the order of the trace.
    let events: [TraceEvent]
    /// Whether the object that came last was started and never stopped, as far as lane `proto` says.
    let isRunning: Bool

    private struct Object {
        /// Places in the trace: of its first event, of its last redirect, and of the last one that was followed.
        let first: Int
        var redirect: Int?
        var followed: Int?
        var isRunning = false

        mutating func follow() { followed = redirect }
    }

    /// Without answers in the trace, a redirect was followed when another object came after it.
    init(ofTask task: Int, in trace: [TraceEvent], tellsAnswers: Bool) {
        var objects: [Int: Object] = [:]
        var newest = -1
        var said: [(place: Int, event: TraceEvent)] = []
        for (place, event) in trace.enumerated() where event.task == task && event.phase == .enter {
            let number = event.laneID.number
            switch (event.lane, event.name) {
            case (.harness, .answer) where event.argument == "follow" || event.argument == "change":
                if let number = event.object { objects[number]?.follow() }
            // The class is asked; these belong to no object.
            case (.proto, .pCanInit), (.proto, .pCanonical): break
            case (.proto, _), (.protocolClient, _):
                if objects[number] == nil {
                    objects[number] = Object(first: place)
                    newest = place
                }
                if event.name == .pStart { objects[number]?.isRunning = true }
                if event.name == .pStop || event.name == .pDeinit { objects[number]?.isRunning = false }
                guard event.lane == .protocolClient else { continue }
                if event.name == .redirect {
                    objects[number]?.redirect = place
                    if !tellsAnswers { objects[number]?.followed = place }
                }
                said.append((place, event))
            default: break
            }
        }
        events = said.filter { entry in
            guard let followed = objects[entry.event.laneID.number]?.followed, newest > followed else { return true }
            return entry.place <= followed
        }.map(\.event)
        isRunning = objects.values.contains { $0.first == newest && $0.isRunning }
    }
}
