import ProctorBase
import ProctorTestSupport
import Testing

@testable import ProctorLoop

#if canImport(Glibc)
    import Glibc

    /// In a process of its own, since the areas of the allocator belong to all threads of one.
    @Suite(.limit(minutes: 5))
    struct HeapTests {
        @Test(.disabled(if: Sanitizer.isOn, "a sanitizer has an allocator of its own"))
        func `what a thread has freed goes back, though it freed something long before`() async {
            await #expect(processExitsWith: .success) {
                Heap.boundUnused()
                let thread = WorkerThread {
                    // By that glibc raises its own bounds.
                    unsafe free(malloc(30 << 20))
                    // What is allocated behind the blocks would keep them from the end of the area, so each has the place of
                    // the one before.
                    let before = ProcessFacts.residentByteCount
                    var last: UnsafeMutableRawPointer?
                    for _ in 0..<32 {
                        guard let block = unsafe malloc(1 << 20) else { exit(3) }
                        unsafe memset(block, 1, 1 << 20)
                        unsafe block.storeBytes(of: last, as: UnsafeMutableRawPointer?.self)
                        unsafe last = block
                    }
                    while let block = unsafe last {
                        unsafe last = block.load(as: UnsafeMutableRawPointer?.self)
                        unsafe free(block)
                    }
                    Heap.giveBack()
                    let kept = ProcessFacts.residentByteCount - before
                    exit(kept <= 2 * Heap.unusedByteLimit ? 0 : 1)
                }
                thread?.join()
                exit(2)
            }
        }
    }
#endif
