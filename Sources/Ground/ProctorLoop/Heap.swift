#if canImport(Glibc)
    internal import CUV
    internal import Glibc
#endif

/// The memory of the process's allocator.
package enum Heap {
    /// The most unused bytes at the end of an area of the allocator.
    package static let unusedByteLimit = 4 << 20
    /// Longer allocations have pages of their own, which go back as soon as they are freed.
    private static let sharedByteLimit = 2 << 20

    /// Has the allocator keep to these bounds for the rest of the process.
    ///
    /// glibc raises its own to 32 and 64 MiB as longer allocations are freed, and ``giveBack()`` gives back the end of the
    /// first area alone, so each thread would keep the memory of the longest messages that it ever held. Only the
    /// program calls this: a process that uses the library keeps the bounds that its owner has chosen.
    package static func boundUnused() { _ = isBounded }

    private static let isBounded: Bool = {
        #if canImport(Glibc)
            return mallopt(M_MMAP_THRESHOLD, Int32(sharedByteLimit)) == 1
                && mallopt(M_TRIM_THRESHOLD, Int32(unusedByteLimit)) == 1
        #else
            return false
        #endif
    }()

    /// Returns free pages to the system, which some allocators do only on request; takes milliseconds.
    package static func giveBack() {
        #if canImport(Glibc)
            _ = malloc_trim(0)
        #endif
    }
}
