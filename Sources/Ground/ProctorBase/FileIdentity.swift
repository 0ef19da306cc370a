#if canImport(Darwin)
    package import Darwin
#else
    package import Glibc
#endif

/// Identifies a file and its state: the value differs for another file at the path and for a changed file.
package struct FileIdentity: Sendable, Equatable, CustomStringConvertible {
    /// Identifies the file together with ``inode``, whatever its path.
    package let device: UInt64
    /// Unique on its device.
    package let inode: UInt64
    /// The length at the time of the system call.
    package let byteCount: Int
    /// The last change of the content, in seconds since 1970.
    package let modifiedSeconds: Int
    /// The nanoseconds within ``modifiedSeconds``.
    package let modifiedNanoseconds: Int

    package init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
        byteCount = Int(status.st_size)
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        modifiedSeconds = Int(time.tv_sec)
        modifiedNanoseconds = Int(time.tv_nsec)
    }

    /// All values as numbers, for comparisons only.
    package var description: String { "\(device) \(inode) \(byteCount) \(modifiedSeconds).\(modifiedNanoseconds)" }

    /// What changed between two states, as half a sentence for a message; nil if nothing changed.
    package func change(to other: FileIdentity) -> String? {
        if byteCount != other.byteCount { return "it has \(other.byteCount) bytes now, and had \(byteCount)" }
        if device != other.device || inode != other.inode { return "another file stands there now" }
        return self == other ? nil : "it was written anew"
    }
}
