#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

package enum FolderList {
    /// In no particular order, without `.` and `..`.
    package static func names(in folder: String) throws(CallFailure) -> [String] {
        guard let stream = unsafe opendir(folder) else { throw .system("opendir") }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}

package enum TemporaryFolder {
    /// `TMPDIR`, or `/tmp` where that is missing or empty: an empty path would mean the root.
    package static var path: String { path(ofVariable: unsafe getenv("TMPDIR").map { unsafe String(cString: $0) }) }

    /// `value` is that of the variable.
    static func path(ofVariable value: String?) -> String {
        if let value, !value.isEmpty { value } else { "/tmp" }
    }
}
