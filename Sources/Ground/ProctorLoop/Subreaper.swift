#if !canImport(Darwin)
    internal import CUV
#endif

package enum Subreaper {
    /// Makes this process the parent of descendants whose own parent has ended (prctl(2)).
    ///
    /// False if the system refuses it, and on Darwin, which has no such call.
    package static func activate() -> Bool {
        #if canImport(Darwin)
            false
        #else
            proctor_become_subreaper() == 0
        #endif
    }
}
