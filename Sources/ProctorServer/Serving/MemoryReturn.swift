import ProctorLoop
internal import Synchronization

/// Gives memory back to the system after large bodies, which the allocator would keep for the next ones.
///
/// One for the process, as its allocator is. Safe from any thread.
enum MemoryReturn {
    private static let freedByteCount = Atomic(0)

    /// Of bodies that were freed since memory was given back, before it is worth the time again.
    private static let worth = 16 << 20
    /// Shorter bodies leave nothing behind that is worth counting.
    private static let leastByteCount = 32 << 10

    /// A body of so many bytes is not needed any more.
    static func noteFreed(_ byteCount: Int) {
        guard byteCount >= leastByteCount else { return }
        freedByteCount.wrappingAdd(byteCount, ordering: .relaxed)
    }

    /// Gives back what is free; takes milliseconds, so it is for no loop's thread.
    static func returnIfWorth() {
        guard freedByteCount.load(ordering: .relaxed) >= worth else { return }
        freedByteCount.store(0, ordering: .relaxed)
        Heap.giveBack()
    }

    /// Whether ``returnIfWorth()`` has something to do.
    static var isWorth: Bool { freedByteCount.load(ordering: .relaxed) >= worth }
}
