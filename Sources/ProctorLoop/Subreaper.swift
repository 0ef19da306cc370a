#if !canImport(Darwin)
    internal import CUV
#endif

package enum Subreaper {
    /// Makes this process the parent of descendants whose own parent has ended (prctl(2)); false where that is refused, and
    /// on Darwin, which has nothing like it.
    package static func begin() -> Bool {
        #if canImport(Darwin)
            false
        #else
            proctor_become_subreaper() == 0
        #endif
    }
}
