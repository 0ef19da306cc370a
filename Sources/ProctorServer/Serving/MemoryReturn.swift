import ProctorLoop
internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Returns freed memory of large bodies from the allocator to the system; one for the process.
///
/// Safe from any thread.
enum MemoryReturn {
    private static let freedByteCount = Atomic(0)
    /// Has a thread only while a return is due; a return takes milliseconds, so it is not for a loop's thread.
    private static let thread = WorkThreads(mostThreads: 1)

    /// Freed bytes after which a return is worth its time.
    private static let worth = 16 << 20
    /// Shorter bodies are not counted.
    private static let leastByteCount = 32 << 10
    /// Microseconds from the note that makes a return worth it, in which more is freed.
    private static let pause: UInt32 = 250_000

    /// Notes a body that is freed soon after the call.
    static func noteFreed(_ byteCount: Int) {
        if byteCount >= leastByteCount { add(byteCount) }
    }

    @inline(never)
    private static func add(_ byteCount: Int) {
        let sum = freedByteCount.wrappingAdd(byteCount, ordering: .relaxed)
        // Only the note that crosses the bound asks for a return.
        guard sum.oldValue < worth, sum.newValue >= worth else { return }
        thread.add {
            usleep(pause)
            freedByteCount.store(0, ordering: .relaxed)
            Heap.giveBack()
        }
    }
}
