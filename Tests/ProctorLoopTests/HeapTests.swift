import ProctorBase
import Testing

@testable import ProctorLoop

#if canImport(Glibc)
    import Glibc

    /// In a process of its own, since the areas of the allocator belong to all threads of one.
    @Suite(.timeLimit(.minutes(5)))
    struct HeapTests {
        @Test func `what a thread has freed goes back, though it freed something long before`() async {
            await #expect(processExitsWith: .success) {
                Heap.boundUnused()
                let thread = WorkerThread {
                    // By that glibc raises its own bounds.
                    unsafe free(malloc(30 << 20))
                    let blocks = unsafe (0..<32).map { _ in unsafe malloc(1 << 20) }
                    unsafe blocks.forEach { block in unsafe _ = block.map { unsafe memset($0, 1, 1 << 20) } }
                    let before = ProcessFacts.residentByteCount
                    unsafe blocks.forEach { unsafe free($0) }
                    Heap.giveBack()
                    let kept = (32 << 20) - (before - ProcessFacts.residentByteCount)
                    exit(kept <= 2 * Heap.unusedByteLimit ? 0 : 1)
                }
                thread?.join()
                exit(2)
            }
        }
    }
#endif
