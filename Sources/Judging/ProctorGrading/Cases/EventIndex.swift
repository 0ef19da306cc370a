import ProctorBase
import ProctorEvents
import ProctorRules

/// The positions of each task's and each lane's events in a trace, found in one pass.
struct EventIndex {
    private let events: EventList
    private var ofLanes: [LaneID: [Int32]] = [:]
    private var ofTasks: [Int: [Int32]] = [:]
    private var lastCallbacks: [Int: Int32] = [:]
    private var lastResults: [Int: Int32] = [:]
    private var cancelled: Set<Int> = []
    private var redirected: Set<Int> = []
    private var givenUp: Set<Int> = []
    /// Whether the test ended a session together with all its loads.
    private(set) var hasCancelledSession = false
    /// Whether any lane has data.
    private(set) var hasData = false
    /// Whether any event is the return of a callback.
    private(set) var hasExits = false

    init(_ events: EventList, within budget: WorkBudget) throws(SpentBudget) {
        self.events = events
        for (place, event) in events.enumerated() {
            try budget.spend()
            if event.phase == .exit { hasExits = true }
            if event.cancelsSession { hasCancelledSession = true }
            if event.lane == .harness, event.name == .cancel { cancelled.insert(event.task) }
            if event.name == .data { hasData = true }
            if event.isGivenUp { givenUp.insert(event.task) }
            let place = Int32(truncatingIfNeeded: place)
            if event.lane == .harness, event.name == .result { lastResults[event.task] = place }
            guard event.phase == .enter else { continue }
            ofLanes[event.laneID, default: []].append(place)
            ofTasks[event.task, default: []].append(place)
            if event.isCallback, event.belongsToTask { lastCallbacks[event.task] = place }
            if event.lane == .task, event.name == .redirect { redirected.insert(event.task) }
        }
    }

    /// The events of a lane, without returns of callbacks.
    func events(in lane: LaneID) -> EventList { events.events(at: ofLanes[lane] ?? []) }

    /// The events of all lanes with that number of a task, without returns of callbacks.
    func events(ofTask number: Int) -> EventList { events.events(at: ofTasks[number] ?? []) }

    func lastCallback(ofTask number: Int) -> TraceEvent? { lastCallbacks[number].map { events[Int($0)] } }

    func lastResult(ofStep number: Int) -> TraceEvent? { lastResults[number].map { events[Int($0)] } }

    /// Whether the test cancelled the task, or its session.
    func isCancelled(_ task: Int) -> Bool { hasCancelledSession || cancelled.contains(task) }

    func hasRedirect(_ task: Int) -> Bool { redirected.contains(task) }

    /// Whether the adapter gave up the step.
    func isGivenUp(_ step: Int) -> Bool { givenUp.contains(step) }
}
