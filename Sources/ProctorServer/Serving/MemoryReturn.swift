import ProctorLoop
internal import Synchronization

/// Returns freed memory of large bodies from the allocator to the system; one for the process.
///
/// Safe from any thread.
enum MemoryReturn {
    private static let freedByteCount = Atomic(0)

    /// Freed bytes after which a return is worth its time.
    private static let worth = 16 << 20
    /// Shorter bodies are not counted.
    private static let leastByteCount = 32 << 10

    static func noteFreed(_ byteCount: Int) {
        guard byteCount >= leastByteCount else { return }
        freedByteCount.wrappingAdd(byteCount, ordering: .relaxed)
    }

    /// Returns free memory; takes milliseconds, so not for a loop's thread.
    static func returnIfWorth() {
        guard freedByteCount.load(ordering: .relaxed) >= worth else { return }
        freedByteCount.store(0, ordering: .relaxed)
        Heap.giveBack()
    }

    static var isWorth: Bool { freedByteCount.load(ordering: .relaxed) >= worth }
}
