import ProctorBase

/// A schedule that breaks an invariant, taken apart until nothing can go.
package struct StormShrink: Sendable {
    let walk: StormWalk
    package let invariant: StormInvariant
    /// The smallest schedule that has broken it.
    package private(set) var schedule: StormSchedule
    /// What was seen with it.
    package private(set) var result: StormResult
    /// How often schedules were asked.
    package private(set) var askedCount = 0
    private let end: UInt64

    /// How often a smaller schedule is asked.
    private static let tries = 3
    /// How many of these attempts have to break it, as many as of the whole schedule did, so that what is left is no rarer.
    private var needed = 1
    /// How often the smallest one is asked to learn how often it breaks.
    package static let repeats = 10
    private static let mostAsked = 600

    package init(_ result: StormResult, of invariant: StormInvariant, by walk: StormWalk, within time: Duration) {
        (self.walk, self.invariant, self.result) = (walk, invariant, result)
        schedule = result.schedule
        end = MonotonicClock.nanoseconds &+ time.wholeNanoseconds
    }

    private var isOver: Bool {
        Task.isCancelled || askedCount >= Self.mostAsked || MonotonicClock.nanoseconds >= end
    }

    /// Takes away loads, faults, limits, sizes and moments, as long as the same invariant breaks.
    package mutating func run() async {
        needed = max(1, await ask(schedule, times: Self.tries).count { $0.breaks(invariant) })
        await takeLoads()
        await takePlainLoads()
        for change in Self.ofSession { await attempt(change) }
        for index in schedule.loads.indices.reversed() {
            for change in Self.ofLoad { await attempt { change(&$0.loads[index]) } }
        }
        await takeLoads()
        await takeMoments()
    }

    /// How often it breaks of ``repeats`` times.
    package mutating func count() async -> (broken: Int, asked: Int) {
        let results = await ask(schedule, times: Self.repeats)
        return (results.count { $0.breaks(invariant) }, results.count)
    }

    // MARK: Parts

    private mutating func takeLoads() async {
        var size = max(1, schedule.loads.count / 2)
        while true {
            var start = 0
            while start < schedule.loads.count, !isOver {
                let before = schedule.loads.count
                await attempt { schedule in
                    schedule.loads.removeSubrange(start..<min(start + size, schedule.loads.count))
                    if let first = schedule.loads.indices.first { schedule.loads[first].isTogether = false }
                }
                if schedule.loads.count == before { start += size }
            }
            if size == 1 { return }
            size /= 2
        }
    }

    private mutating func takePlainLoads() async {
        for count in [0, 1, 3] where count < schedule.plainCount { await attempt { $0.plainCount = count } }
    }

    private static let ofSession: [@Sendable (inout StormSchedule) -> Void] = [
        { $0.origin = .calm }, { $0.setsCookies = false }, { $0.connectionBound = nil },
        { schedule in
            schedule.way = .plain
            if !schedule.origin.isOf(.h1) { schedule.origin = .calm }
            for index in schedule.loads.indices where schedule.loads[index].fault?.isOf(.h1) == false {
                schedule.loads[index].fault = nil
            }
        },
    ]

    /// A load that the server holds keeps what ends it.
    private static let ofLoad: [@Sendable (inout StormLoad) -> Void] = [
        { $0.fault = nil },
        { load in if load.fault?.isHeld != true || load.limit != nil { load.cancelAt = nil } },
        { load in if load.fault?.isHeld != true || load.cancelAt == "after-resume" { load.limit = nil } },
        {
            $0.method = "GET"; $0.uploadByteCount = 0
        },
        { $0.uploadByteCount = min($0.uploadByteCount, 16) }, { $0.downloadByteCount = 16 },
        { $0.isTogether = false }, { $0.moment.place = 1 }, { $0.moment.milliseconds = 1 }, { $0.moment.count = 1 },
    ]

    /// Puts an event of another load in the place of a time, where the order alone matters.
    private mutating func takeMoments() async {
        for index in schedule.loads.indices where schedule.loads[index].fault?.isWait == true {
            for other in schedule.names.indices where other != index {
                for event in ["response", "complete"] where schedule.loads[index].awaited == nil && !isOver {
                    await attempt { $0.loads[index].awaited = StormSyncPoint(event: event, step: other) }
                }
            }
        }
    }

    // MARK: Attempts

    private mutating func attempt(_ change: (inout StormSchedule) -> Void) async {
        guard !isOver else { return }
        var smaller = schedule
        change(&smaller)
        guard smaller != schedule, !smaller.names.isEmpty else { return }
        if await breaks(smaller) { schedule = smaller }
    }

    /// Asks once, and where that leaves it open, the rest of the times side by side.
    private mutating func breaks(_ schedule: StormSchedule) async -> Bool {
        var broken: [StormResult] = []
        var left = Self.tries
        for times in [1, Self.tries - 1] where !isOver && broken.count < needed && broken.count + left >= needed {
            broken += await ask(schedule, times: times).filter { $0.breaks(invariant) }
            left -= times
        }
        guard broken.count >= needed, let last = broken.last else { return false }
        result = last
        return true
    }

    private mutating func ask(_ schedule: StormSchedule, times: Int) async -> [StormResult] {
        askedCount += times
        return await withTaskGroup(of: StormResult.self) { [walk] group in
            for _ in 0..<times { group.addTask { await walk.ask(schedule) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }
}
