internal import ProctorBase

/// Blocks for queues that hold something just now, so that an idle connection holds none; from any thread.
@safe final class QueueMemory: Sendable {
    static let shared = QueueMemory()

    /// Room for 64 KiB of plaintext in its records, and an alert behind them.
    static let blockByteCount = 72 << 10
    /// Blocks kept while nobody uses them.
    private static let spareLimit = 32

    @safe private struct Block: @unchecked Sendable {
        let memory: UnsafeMutableRawPointer
    }

    private let spare = Locked<[Block]>([])

    func lend() -> UnsafeMutableRawBufferPointer {
        let block = spare.withLock { $0.popLast() }
        let memory = unsafe block?.memory ?? .allocate(byteCount: Self.blockByteCount, alignment: 16)
        return unsafe UnsafeMutableRawBufferPointer(start: memory, count: Self.blockByteCount)
    }

    /// Takes memory of any size back; what is no block is freed.
    func takeBack(_ memory: UnsafeMutableRawBufferPointer) {
        guard let start = memory.baseAddress else { return }
        let isKept =
            memory.count == Self.blockByteCount
            && spare.withLock { spare in
                guard spare.count < Self.spareLimit else { return false }
                unsafe spare.append(Block(memory: start))
                return true
            }
        if !isKept { unsafe start.deallocate() }
    }
}
