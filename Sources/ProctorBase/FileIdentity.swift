#if canImport(Darwin)
    package import Darwin
#else
    package import Glibc
#endif

/// Identifies a file and its state: another file at the path, or a changed one, has another value.
package struct FileIdentity: Sendable, Equatable, CustomStringConvertible {
    /// With ``inode`` identifies the file, whatever its path.
    package let device: UInt64
    /// Unique on its device.
    package let inode: UInt64
    /// The length when the system was asked.
    package let byteCount: Int
    /// The last change of the content, in seconds since 1970.
    package let modifiedSeconds: Int
    /// Nanoseconds of that second.
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

    /// What changed between two states, as half a sentence; nil without a change.
    package func change(to other: FileIdentity) -> String? {
        if byteCount != other.byteCount { return "it has \(other.byteCount) bytes now, and had \(byteCount)" }
        if device != other.device || inode != other.inode { return "another file stands there now" }
        return self == other ? nil : "it was written anew"
    }
}
