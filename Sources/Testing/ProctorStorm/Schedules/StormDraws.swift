import ProctorReplies
import ProctorScenario

/// Numbers that follow from a seed, the number of a schedule, and how many were drawn before.
struct StormDraws {
    private let seed: RunSeed
    private let schedule: Int
    private var drawn = 0

    init(seed: UInt64, schedule: Int) {
        self.seed = RunSeed(seed)
        self.schedule = schedule
    }

    mutating func number(in range: ClosedRange<Int>) -> Int {
        defer { drawn += 1 }
        return seed.number(in: range, request: schedule, place: RandomPlace(.script, index: 1), draw: drawn)
    }

    /// Whether something happens that happens so many times of a hundred.
    mutating func chance(_ percent: Int) -> Bool { number(in: 1...100) <= percent }

    /// nil of an empty list.
    mutating func pick<Element>(_ list: [Element], by weight: (Element) -> Int = { _ in 1 }) -> Element? {
        let sum = list.reduce(0) { $0 + weight($1) }
        guard sum > 0 else { return nil }
        var rest = number(in: 1...sum)
        for element in list {
            rest -= weight(element)
            if rest <= 0 { return element }
        }
        return list.last
    }
}
