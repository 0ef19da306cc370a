internal import CUV

/// The memory that the process has for what it allocates.
package enum Heap {
    /// Gives free pages back to the system, where its allocator keeps them until it is told; takes milliseconds.
    package static func giveBack() {
        #if canImport(Glibc)
            _ = malloc_trim(0)
        #endif
    }
}
