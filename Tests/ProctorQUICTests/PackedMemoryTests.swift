import CNGTCP2
import ProctorTestSupport
import Testing

@testable import ProctorQUIC

/// The memory of one connection, as ngtcp2 uses it.
struct PackedMemoryTests {
    /// Takes and gives back blocks as ngtcp2 does: by the functions that it is given.
    @safe private final class Blocks {
        let memory: PackedMemory
        var all: [UnsafeMutableRawPointer: [UInt8]] = unsafe [:]
        private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 << 20, alignment: 16)

        init() throws { memory = try #require(PackedMemory()) }

        deinit { unsafe room.deallocate() }

        func take(_ byteCount: Int, isZeros: Bool, filling seed: UInt8, upTo end: Int = .max) {
            let functions = unsafe memory.functions.pointee
            let block =
                unsafe isZeros
                ? functions.calloc?(1, byteCount, functions.user_data)
                : functions.malloc?(byteCount, functions.user_data)
            guard let block = unsafe block else { return _ = Issue.record("no block of \(byteCount) bytes") }
            unsafe #expect(UInt(bitPattern: block) % 16 == 0 && all[block] == nil)
            let bytes = unsafe UnsafeMutableRawBufferPointer(start: block, count: byteCount)
            if isZeros { #expect(unsafe bytes.allSatisfy { $0 == 0 }, "\(byteCount) bytes") }
            // Most of ngtcp2's memory is zeros.
            let content = (0..<byteCount).map { $0 % 7 == 0 && $0 < end ? UInt8(truncatingIfNeeded: $0) &+ seed : 0 }
            unsafe bytes.copyBytes(from: content)
            unsafe all[block] = content
        }

        func change(_ block: UnsafeMutableRawPointer, to byteCount: Int) {
            guard let content = unsafe all.removeValue(forKey: block) else { return }
            let functions = unsafe memory.functions.pointee
            guard let other = unsafe functions.realloc?(block, byteCount, functions.user_data) else { return }
            let bytes = unsafe UnsafeMutableRawBufferPointer(start: other, count: byteCount)
            #expect(unsafe bytes.prefix(content.count).elementsEqual(content.prefix(byteCount)))
            unsafe all[other] = Array(bytes)
        }

        func giveBack(_ block: UnsafeMutableRawPointer) {
            let functions = unsafe memory.functions.pointee
            unsafe all[block] = nil
            unsafe functions.free?(block, functions.user_data)
        }

        func pack() { unsafe memory.pack(in: room) }

        /// Whether each block holds what was written into it.
        var isWhole: Bool {
            unsafe all.allSatisfy { block, content in
                unsafe UnsafeRawBufferPointer(start: block, count: content.count).elementsEqual(content)
            }
        }
    }

    @Test func `blocks hold what was written, however they come, go, and are packed between`() throws {
        let blocks = try Blocks()
        var random = SeededGenerator(seed: 7)
        for step in 0..<600 {
            // Together more than the range has, so that some come from the process's own allocator.
            let most = [40, 600, 5_000, 70_000][Int.random(in: 0..<4, using: &random)]
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                blocks.take(
                    Int.random(in: 1...most, using: &random), isZeros: Bool.random(using: &random),
                    filling: UInt8(step & 0xFF))
            case 2: unsafe blocks.all.keys.randomElement(using: &random).map { unsafe blocks.giveBack($0) }
            default:
                let byteCount = Int.random(in: 1...most, using: &random)
                unsafe blocks.all.keys.randomElement(using: &random).map { unsafe blocks.change($0, to: byteCount) }
            }
            guard step % 100 == 0 else { continue }
            #expect(blocks.isWhole)
            blocks.pack()
            #expect(blocks.memory.packedByteCount != nil)
            blocks.memory.unpack()
            #expect(blocks.isWhole && blocks.memory.packedByteCount == nil)
        }
    }

    @Test func `what is packed has the size of what was written`() throws {
        let blocks = try Blocks()
        for _ in 0..<10 { blocks.take(16 << 10, isZeros: true, filling: 1, upTo: 100) }
        blocks.pack()
        let count = try #require(blocks.memory.packedByteCount)
        #expect(count > 100 && count < 2_000, "\(count) bytes")
    }

    @Test func `without room enough nothing is packed`() throws {
        let blocks = try Blocks()
        blocks.take(64 << 10, isZeros: false, filling: 3)
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 8 << 10, alignment: 16)
        defer { unsafe room.deallocate() }
        unsafe blocks.memory.pack(in: room)
        #expect(blocks.memory.packedByteCount == nil && blocks.isWhole)
    }

    @Test func `a block has at most a quarter more bytes than were asked for, and 15`() {
        var last = BlockClass(holding: 1)
        for byteCount in 1...PackedMemory.byteCount {
            let kind = BlockClass(holding: byteCount)
            let isNext = kind.index == last.index || kind.index == last.index + 1
            let isClose = kind.byteCount >= byteCount && kind.byteCount <= byteCount + byteCount / 4 + 15
            guard isNext, isClose, kind.index < BlockClass.count, BlockClass(index: kind.index) == kind else {
                return _ = Issue.record("\(byteCount) bytes: class \(kind.index) of \(kind.byteCount) bytes")
            }
            last = kind
        }
    }
}
