import Foundation

/// Open descriptors of a process.
public enum OpenDescriptors {
    /// How many are open; 0 for another process where the system does not tell.
    ///
    /// Timers do not count on Linux: the dispatch library makes one for itself at some time after the start, whenever
    /// its thread has a turn. An event loop has one as long as it lives, beside others that do count.
    public static func count(of process: Int32) -> Int {
        #if os(Linux)
            let folder = "/proc/\(process)/fd"
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            // One that has been closed since, such as the folder's own, leads nowhere.
            return names.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
                .count { $0 != "anon_inode:[timerfd]" }
        #else
            return process == getpid() ? (0..<4_096).count { fcntl($0, F_GETFD) >= 0 } : 0
        #endif
    }
}
