import ProctorTestSupport
import Testing

@testable import ProctorLoop

struct SleeperHeapTests {
    @Test(arguments: 0..<20)
    func `sleepers leave in the order of their ends, and of their coming where those are equal`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        var heap = SleeperHeap()
        // What is wanted, by the plainest of means.
        var wanted: [(end: UInt64, number: Int, sleeper: Sleeper)] = []
        var number = 0
        for _ in 0..<2000 {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<5:
                let (end, sleeper) = (UInt64.random(in: 0..<200, using: &generator), Sleeper())
                heap.insert(sleeper, end: end)
                wanted.append((end, number, sleeper))
                number += 1
            case 5..<7:
                guard let index = wanted.indices.randomElement(using: &generator) else { continue }
                let sleeper = wanted.remove(at: index).sleeper
                let wasThere = heap.remove(sleeper)
                let isStillThere = heap.remove(sleeper)
                #expect(wasThere && !isStillThere)
            default:
                let now = UInt64.random(in: 0..<200, using: &generator)
                let first = wanted.min { ($0.end, $0.number) < ($1.end, $1.number) }
                let popped = heap.popFirst(until: now)
                if let first, first.end <= now {
                    #expect(popped === first.sleeper)
                    wanted.removeAll { $0.sleeper === first.sleeper }
                } else {
                    #expect(popped == nil)
                }
            }
            #expect(heap.firstEnd == wanted.map(\.end).min())
            #expect(heap.isEmpty == wanted.isEmpty)
        }
    }

    @Test func `one that never was in the heap is not removed from it`() {
        var heap = SleeperHeap()
        heap.insert(Sleeper(), end: 1)
        let wasThere = heap.remove(Sleeper())
        let (early, late) = (heap.popFirst(until: 0), heap.popFirst(until: 1))
        #expect(!wasThere)
        #expect(early == nil)
        #expect(late != nil)
        #expect(heap.isEmpty)
    }
}
