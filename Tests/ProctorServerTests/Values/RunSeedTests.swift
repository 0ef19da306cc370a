import ProctorBase
import ProctorScenario
import Testing

@testable import ProctorReplies
@testable import ProctorServer

/// Numbers from a seed; what replies make of them stands in Tests/Data/conversations/values/random.md.
struct RunSeedTests {
    private let place = RandomPlace(.text, at: SourceLocation(file: "a.yaml", line: 4, column: 34))

    /// Computed again by the rule of Docs/format/values.md, step by step.
    @Test func `a number is what the document says`() {
        func mix(_ value: UInt64) -> UInt64 {
            var mixed = value &+ 0x9E37_79B9_7F4A_7C15
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
        let number = mix(mix(mix(mix(7) ^ 3) ^ (1 << 56 | 4 << 24 | 34)) ^ 1)
        #expect(RunSeed(7).number(request: 3, place: place, draw: 1) == number)
        let range = 1 + Int(mix(mix(mix(mix(7) ^ 3) ^ place.number)).multipliedFullWidth(by: 6).high)
        #expect(RunSeed(7).number(in: 1...6, request: 3, place: place) == range)
    }

    @Test func `numbers differ by seed, request, place and draw`() {
        let other = RandomPlace(.wait, at: SourceLocation(file: "a.yaml", line: 4, column: 34))
        let numbers = [
            RunSeed(1).number(request: 0, place: place), RunSeed(2).number(request: 0, place: place),
            RunSeed(1).number(request: 1, place: place), RunSeed(1).number(request: 0, place: other),
            RunSeed(1).number(request: 0, place: place, draw: 1),
            RunSeed(1).number(request: 0, place: RandomPlace(.text, index: 4)),
        ]
        #expect(Set(numbers).count == numbers.count)
    }

    @Test func `every number of a range comes, and no other`() {
        var seen: Set<Int> = []
        for request in 0..<300 { seen.insert(RunSeed(9).number(in: -2...3, request: request, place: place)) }
        #expect(seen == Set(-2...3))
        #expect(RunSeed(9).number(in: 5...5, request: 0, place: place) == 5)
        _ = RunSeed(9).number(in: Int.min...Int.max, request: 0, place: place)
        #expect((0...Int.max).contains(RunSeed(9).number(in: 0...Int.max, request: 0, place: place)))
    }
}
