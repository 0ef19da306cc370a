import ProctorTestSupport
import Testing

@testable import ProctorScript

@safe struct LuaBlocksTests {
    /// A block and the byte that fills it.
    @safe private struct Held {
        var start: UnsafeMutableRawPointer
        var byteCount: Int
        let mark: UInt8

        func fill(from offset: Int = 0) {
            for index in offset..<byteCount { unsafe start.storeBytes(of: mark, toByteOffset: index, as: UInt8.self) }
        }

        func isWhole(_ count: Int) -> Bool {
            (0..<count).allSatisfy { unsafe start.load(fromByteOffset: $0, as: UInt8.self) == mark }
        }
    }

    @Test(arguments: 0..<4)
    func `blocks of any sizes keep their bytes while others come and go`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var blocks = LuaBlocks()
        var held: [Held] = []
        for step in 0..<20_000 {
            let byteCount = Int(random.next() % (random.next() % 8 == 0 ? 2_000 : 600)) + 1
            let index = held.isEmpty ? 0 : Int(random.next() % UInt64(held.count))
            switch random.next() % 4 {
            case 0 where !held.isEmpty, 1 where held.count > 500:
                let block = held.remove(at: index)
                #expect(block.isWhole(block.byteCount))
                unsafe blocks.deallocate(block.start, byteCount: block.byteCount)
            case 1 where !held.isEmpty:
                var block = held[index]
                let start = unsafe blocks.resize(block.start, from: block.byteCount, to: byteCount)
                unsafe block.start = try #require(start)
                let kept = min(block.byteCount, byteCount)
                #expect(block.isWhole(kept))
                block.byteCount = byteCount
                block.fill(from: kept)
                held[index] = block
            default:
                let start = unsafe blocks.resize(nil, from: 0, to: byteCount)
                let block = unsafe Held(
                    start: try #require(start), byteCount: byteCount, mark: UInt8(truncatingIfNeeded: step))
                #expect(unsafe UInt(bitPattern: block.start) % 16 == 0)
                block.fill()
                held.append(block)
            }
        }
        for block in held {
            #expect(block.isWhole(block.byteCount))
            unsafe blocks.deallocate(block.start, byteCount: block.byteCount)
        }
    }

    @Test func `a small block that was given back is the next of its size`() throws {
        var blocks = LuaBlocks()
        let first = unsafe blocks.resize(nil, from: 0, to: 40)
        unsafe blocks.deallocate(first, byteCount: 40)
        let larger = unsafe blocks.resize(nil, from: 0, to: 49)
        let second = unsafe blocks.resize(nil, from: 0, to: 33)
        #expect(unsafe first == second)
        #expect(unsafe larger != second)
        let grown = unsafe blocks.resize(second, from: 33, to: 48)
        #expect(unsafe grown == second, "there is room for 48 bytes")
    }

    @Test func `blocks that are kept for one size count for all others`() {
        var blocks = LuaBlocks(chunksByteLimit: 70_000)
        var held: [UnsafeMutableRawPointer] = unsafe []
        while let block = unsafe blocks.resize(nil, from: 0, to: 40) { unsafe held.append(block) }
        #expect(unsafe 4 * 16_000 / 48...70_000 / 48 ~= held.count)
        while let block = unsafe held.popLast() { unsafe blocks.deallocate(block, byteCount: 40) }
        let other = unsafe blocks.resize(nil, from: 0, to: 400)
        #expect(unsafe other == nil, "all chunks are blocks of 48 bytes")
        let same = unsafe blocks.resize(nil, from: 0, to: 40)
        #expect(unsafe same != nil)
        let smaller = unsafe blocks.resize(same, from: 40, to: 8)
        #expect(unsafe smaller == same, "shrinking does not fail")
        let large = unsafe blocks.resize(nil, from: 0, to: 4_000)
        #expect(unsafe large != nil, "large blocks are the system's")
        unsafe blocks.deallocate(large, byteCount: 4_000)
    }

    @Test func `no block is given back without harm`() {
        var blocks = LuaBlocks()
        unsafe blocks.deallocate(nil, byteCount: 0)
        let block = unsafe blocks.resize(nil, from: 0, to: 1)
        #expect(unsafe block != nil)
    }
}
