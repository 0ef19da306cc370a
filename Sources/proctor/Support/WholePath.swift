#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A path that means the same from every working directory.
enum WholePath {
    /// The path itself where it is absolute, or where nobody knows the working directory.
    static func of(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = unsafe getcwd(nil, 0) else { return path }
        defer { unsafe free(folder) }
        return unsafe String(cString: folder) + "/" + path
    }
}
