#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The names in a folder.
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
