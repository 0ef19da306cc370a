import CUV

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What the system says about this process.
enum ProcessFacts {
    /// Descriptors below 4096 that are open.
    static var openDescriptorCount: Int {
        (0..<4096).count { fcntl($0, F_GETFD) >= 0 }
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
