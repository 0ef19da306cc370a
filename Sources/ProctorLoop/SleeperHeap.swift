/// A binary heap whose members know their places, so that one in the middle can be taken out.
///
/// Of equal ends the one that came first goes first.
struct SleeperHeap {
    private struct Entry {
        let end: UInt64
        let number: UInt64
        let sleeper: Sleeper

        func comes(before other: Entry) -> Bool {
            end != other.end ? end < other.end : number < other.number
        }
    }

    private var entries: [Entry] = []
    private var nextNumber: UInt64 = 0

    var isEmpty: Bool { entries.isEmpty }

    var firstEnd: UInt64? { entries.first?.end }

    /// `sleeper` must stand in no heap.
    mutating func insert(_ sleeper: Sleeper, end: UInt64) {
        precondition(sleeper.index < 0, "a sleeper stands in a heap already")
        let entry = Entry(end: end, number: nextNumber, sleeper: sleeper)
        nextNumber &+= 1
        entries.append(entry)
        rise(entry, from: entries.count - 1)
    }

    /// The one whose end is the first, if it has come by `now`.
    mutating func popFirst(until now: UInt64) -> Sleeper? {
        guard let first = entries.first, first.end <= now else { return nil }
        remove(first.sleeper)
        return first.sleeper
    }

    /// False when it stands here no more.
    @discardableResult
    mutating func remove(_ sleeper: Sleeper) -> Bool {
        let index = sleeper.index
        guard index >= 0, index < entries.count, entries[index].sleeper === sleeper else { return false }
        sleeper.index = -1
        let last = entries.removeLast()
        if last.sleeper !== sleeper {
            if index > 0, last.comes(before: entries[(index - 1) / 2]) {
                rise(last, from: index)
            } else {
                sink(last, from: index)
            }
        }
        return true
    }

    /// Puts an entry where it belongs between `place` and the top.
    private mutating func rise(_ entry: Entry, from place: Int) {
        var index = place
        while index > 0 {
            let parent = (index - 1) / 2
            guard entry.comes(before: entries[parent]) else { break }
            put(entries[parent], at: index)
            index = parent
        }
        put(entry, at: index)
    }

    /// Puts an entry where it belongs between `place` and the leaves.
    private mutating func sink(_ entry: Entry, from place: Int) {
        var index = place
        while true {
            var child = index * 2 + 1
            guard child < entries.count else { break }
            if child + 1 < entries.count, entries[child + 1].comes(before: entries[child]) { child += 1 }
            guard entries[child].comes(before: entry) else { break }
            put(entries[child], at: index)
            index = child
        }
        put(entry, at: index)
    }

    private mutating func put(_ entry: Entry, at index: Int) {
        entries[index] = entry
        entry.sleeper.index = index
    }
}
