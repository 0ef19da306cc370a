#if canImport(Darwin)
    package import Darwin
#else
    package import Glibc
#endif

/// Which file stands somewhere, and in which state; another one there, or a changed one, differs.
public struct FileIdentity: Sendable, Equatable, CustomStringConvertible {
    /// With ``inode`` the file itself, whatever it is called.
    public let device: UInt64
    /// Unique on its device.
    public let inode: UInt64
    /// When the system was asked.
    public let byteCount: Int
    /// Seconds since 1970 of the last change of the content.
    public let modifiedSeconds: Int
    /// Of that second.
    public let modifiedNanoseconds: Int

    /// What `stat` or `fstat` says.
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

    /// All of it as numbers, to be compared only.
    public var description: String { "\(device) \(inode) \(byteCount) \(modifiedSeconds).\(modifiedNanoseconds)" }

    /// Half a sentence that says what of a file became otherwise; nil where nothing did.
    public func change(to other: FileIdentity) -> String? {
        if byteCount != other.byteCount { return "it has \(other.byteCount) bytes now, and had \(byteCount)" }
        if device != other.device || inode != other.inode { return "another file stands there now" }
        return self == other ? nil : "it was written anew"
    }
}
