#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Texts as the vectors that `exec` and its kin take.
package enum CStringVector {
    /// Lends the texts as a vector that ends in NULL, for the time of `body`.
    package static func lend<Result>(
        _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var vector: [UnsafeMutablePointer<CChar>?] = unsafe texts.map { unsafe strdup($0) }
        unsafe vector.append(nil)
        defer { while let pointer = unsafe vector.popLast() { unsafe free(pointer) } }
        // The array is never empty, so it has a buffer.
        return unsafe vector.withUnsafeMutableBufferPointer { buffer in
            unsafe body(UnsafePointer(buffer.baseAddress.unsafelyUnwrapped))
        }
    }
}
