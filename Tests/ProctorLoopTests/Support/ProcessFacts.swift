import CUV
import ProctorBase
import ProctorTestSupport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What the system says about this process.
enum ProcessFacts {
    static var openDescriptorCount: Int { OpenDescriptors.count(of: getpid()) }

    /// The same as soon as it is as wanted, or after a patient while: the dispatch library looks into a file of the
    /// system's now and then.
    static func openDescriptorCount(wanting wanted: Int) async throws -> Int {
        let end = MonotonicClock.nanoseconds + patience
        while openDescriptorCount != wanted, MonotonicClock.nanoseconds < end {
            try await Task.sleep(for: .milliseconds(1))
        }
        return openDescriptorCount
    }

    /// Bytes of memory that stand in RAM.
    static var residentByteCount: Int {
        var count = 0
        unsafe uv_resident_set_memory(&count)
        return count
    }
}

/// A path for one test; whatever stands there in the end is removed by it.
func temporaryPath(_ name: String) -> String {
    "/tmp/proctor-\(getpid())-\(UInt32.random(in: 0 ... .max))-\(name)"
}
