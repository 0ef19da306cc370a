import ProctorReplies
import ProctorScenario

/// Numbers that follow from a seed, the number of a mutant, and how many were drawn before.
struct Draws {
    private let seed: RunSeed
    private let mutant: Int
    private var drawn = 0

    init(seed: UInt64, mutant: Int) {
        self.seed = RunSeed(seed)
        self.mutant = mutant
    }

    /// From 0 up to below `count`, which is 1 at least.
    mutating func number(below count: Int) -> Int {
        defer { drawn += 1 }
        return seed.number(in: 0...(count - 1), request: mutant, place: RandomPlace(.script, index: 0), draw: drawn)
    }

    /// nil of an empty list.
    mutating func pick<Element>(_ list: [Element]) -> Element? { list.isEmpty ? nil : list[number(below: list.count)] }
}
