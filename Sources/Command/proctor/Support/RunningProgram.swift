#if canImport(Darwin)
    internal import Darwin
#endif

/// The path of the file that this process runs.
enum RunningProgram {
    /// nil when the system does not provide it.
    static let path: String? = {
        #if canImport(Darwin)
            var size = UInt32(PATH_MAX)
            return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(size)) { buffer in
                guard let start = buffer.baseAddress, unsafe _NSGetExecutablePath(start, &size) == 0 else {
                    return nil
                }
                return AbsolutePath.withoutLinks(unsafe String(cString: start))
            }
        #else
            AbsolutePath.withoutLinks("/proc/self/exe")
        #endif
    }()

    static var folder: String? {
        guard let path, let slash = path.lastIndex(of: "/") else { return nil }
        return String(path[..<slash])
    }
}
