import ProctorEvents

/// The watched loads by their lane; the oldest ended loads make room for new ones.
struct LoadTable {
    private(set) var slots: [LoadCheck?] = []
    private var free: [Int] = []
    private var indexes: [LaneID: Int] = [:]
    /// The lanes of the last lookups, by the low bits of their number.
    private var recent: [Recent?] = Array(repeating: nil, count: 32)
    /// Slots of ended loads, oldest first, as a ring.
    private var ended: [Int] = []
    private var oldest = 0
    private var objects: [Int: [LaneID]] = [:]

    private struct Recent {
        let lane: LaneID
        let slot: Int
    }

    let mostEnded: Int
    let mostOpen: Int
    /// Objects of one task that get the harness's acts on the task.
    static let mostObjects = 16

    init(mostEnded: Int, mostOpen: Int) {
        self.mostEnded = max(mostEnded, 1)
        self.mostOpen = max(mostOpen, 1)
    }

    var count: Int { indexes.count }
    var openCount: Int { slots.count - free.count - ended.count }

    subscript(slot: Int) -> LoadCheck? { slots[slot] }

    mutating func slot(of lane: LaneID) -> Int? {
        let place = lane.number & 31
        if let known = recent[place], known.lane == lane { return known.slot }
        guard let slot = indexes[lane] else { return nil }
        recent[place] = Recent(lane: lane, slot: slot)
        return slot
    }

    /// Adds a load, in place of an ended load of the same lane; nil when too many are open.
    mutating func add(_ load: LoadCheck) -> Int? {
        guard openCount < mostOpen else { return nil }
        let slot: Int
        if let unused = free.popLast() {
            slot = unused
            slots[slot] = load
        } else {
            slot = slots.count
            slots.append(load)
        }
        indexes[load.state.lane] = slot
        recent[load.state.lane.number & 31] = nil
        return slot
    }

    /// Notes that a load has ended; returns the slot of the load to forget now.
    mutating func retire(_ slot: Int) -> Int? {
        guard ended.count == mostEnded else {
            ended.append(slot)
            return nil
        }
        let leaving = ended[oldest]
        ended[oldest] = slot
        oldest = (oldest + 1) % mostEnded
        return leaving
    }

    mutating func forget(_ slot: Int) {
        guard let load = slots[slot] else { return }
        let lane = load.state.lane
        // Another task may have the number by now (R29).
        if indexes[lane] == slot { indexes[lane] = nil }
        if recent[lane.number & 31]?.slot == slot { recent[lane.number & 31] = nil }
        if lane.lane == .protocolClient, let task = load.state.task {
            objects[task]?.removeAll { $0 == lane }
            if objects[task]?.isEmpty == true { objects[task] = nil }
        }
        slots[slot] = nil
        free.append(slot)
    }

    // MARK: Objects

    /// Notes that an object works for a task; for a task with many objects only the last are kept.
    mutating func connect(_ object: LaneID, to task: Int) {
        var known = objects[task] ?? []
        if known.count == Self.mostObjects { known.removeFirst() }
        known.append(object)
        objects[task] = known
    }

    func objects(of task: Int) -> [LaneID] { objects.isEmpty ? [] : objects[task] ?? [] }

    // MARK: All

    var inOrder: [Int] {
        slots.indices.filter { slots[$0] != nil }.sorted { (slots[$0]?.serial ?? 0) < (slots[$1]?.serial ?? 0) }
    }
}

/// The numbers of lanes that are no longer remembered, as ranges; numbers come roughly in order, so that there are few
/// ranges.
struct ForgottenLanes {
    private var ranges: [ClosedRange<Int>] = []
    private(set) var count = 0

    /// Above this number the lowest two ranges become one.
    static let mostRanges = 4_096

    func contains(_ number: Int) -> Bool {
        let index = firstIndex(endingAtOrAfter: number)
        return index < ranges.count && ranges[index].contains(number)
    }

    mutating func insert(_ number: Int) {
        count += 1
        let index = firstIndex(endingAtOrAfter: number)
        if index < ranges.count, ranges[index].contains(number) { return }
        let joinsNext = index < ranges.count && number < .max && ranges[index].lowerBound == number + 1
        let joinsPrevious = index > 0 && number > .min && ranges[index - 1].upperBound == number - 1
        switch (joinsPrevious, joinsNext) {
        case (true, true):
            ranges[index - 1] = ranges[index - 1].lowerBound...ranges[index].upperBound
            ranges.remove(at: index)
        case (true, false): ranges[index - 1] = ranges[index - 1].lowerBound...number
        case (false, true): ranges[index] = number...ranges[index].upperBound
        case (false, false): ranges.insert(number...number, at: index)
        }
        if ranges.count > Self.mostRanges {
            ranges[1] = ranges[0].lowerBound...ranges[1].upperBound
            ranges.removeFirst()
        }
    }

    private func firstIndex(endingAtOrAfter number: Int) -> Int {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
