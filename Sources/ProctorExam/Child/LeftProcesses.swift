internal import ProctorBase
internal import ProctorLoop

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Processes that a child of ours left running when it ended, also those that have left its group by `setsid`.
///
/// On Linux this process becomes their parent, and knows whose they are by a variable of their environment, which
/// descendants inherit. On Darwin, and where /proc is missing, they are not found: only the child's group is ended.
package enum LeftProcesses {
    /// The variable that names the child whose descendant a process is.
    static let variable = "PROCTOR_SITTING"

    private static let isAdopting = Locked(false)
    private static let markCount = Locked(0)

    /// How long is tried to end processes that start others meanwhile.
    private static let patience: UInt64 = 2_000_000_000
    /// Bytes of an environment that are searched.
    private static let environmentByteCount = 1 << 18

    /// Makes this process the parent of what its children leave behind.
    ///
    /// For a program that starts all its children by ``ProgramSpawn``: any other child of it would be ended too.
    package static func adopt() {
        guard childLists != nil, Subreaper.begin() else { return }
        isAdopting.withLock { $0 = true }
    }

    /// A value of ``variable`` for a new child.
    static func nextMark() -> String {
        let number = markCount.withLock { count in
            count += 1
            return count
        }
        return "\(getpid())-\(number)"
    }

    /// Ends what the child with that mark has left, once it is reaped; blocks its thread, for two seconds at most.
    ///
    /// What has cleared its environment is ended where no other child runs.
    static func end(of mark: String) { end { found, isAlone in found == mark || found == nil && isAlone } }

    /// Ends what all children have left; blocks its thread, for two seconds at most.
    package static func endAll() { end { _, _ in true } }

    /// Reaps those that have ended by themselves, and leaves the others.
    package static func reapEnded() { end { _, _ in false } }

    private static func end(where isWanted: (_ mark: String?, _ isAlone: Bool) -> Bool) {
        guard isAdopting.withLock({ $0 }) else { return }
        let limit = MonotonicClock.nanoseconds &+ patience
        while MonotonicClock.nanoseconds < limit {
            var isAnyReaped = false
            // No child may be started meanwhile: it would be taken for one that is left.
            let isAnyKilled = ProgramSpawn.withStarted { started in
                var isAnyKilled = false
                for id in adopted.subtracting(started) {
                    if waitpid(id, nil, WNOHANG) == id {
                        isAnyReaped = true
                    } else if isWanted(mark(of: id), started.isEmpty) {
                        kill(id, SIGKILL)
                        isAnyKilled = true
                    }
                }
                return isAnyKilled
            }
            // The children of one that has ended are ours now.
            guard isAnyKilled || isAnyReaped else { return }
            if !isAnyReaped { usleep(1_000) }
        }
    }

    /// Lists of our children by the threads that are their parents; nil where the system has none.
    private static var childLists: [String]? {
        let threads = (try? FolderList.names(in: "/proc/self/task")) ?? []
        let lists = threads.map { "/proc/self/task/\($0)/children" }
        return lists.contains { unsafe access($0, R_OK) == 0 } ? lists : nil
    }

    private static var adopted: Set<pid_t> {
        Set(
            (childLists ?? []).flatMap { list in
                content(of: list, limit: 1 << 20).split(separator: 0x20).compactMap { digits in
                    pid_t(String(decoding: digits, as: UTF8.self))
                }
            })
    }

    private static func mark(of id: pid_t) -> String? {
        let prefix = Array("\(variable)=".utf8)
        let variables = content(of: "/proc/\(id)/environ", limit: environmentByteCount).split(separator: 0)
        return variables.first { $0.starts(with: prefix) }.map {
            String(decoding: $0.dropFirst(prefix.count), as: UTF8.self)
        }
    }

    /// The first bytes of a file; empty where it can't be read, as of a process that has ended.
    private static func content(of path: String, limit: Int) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4_096)
        while bytes.count < limit {
            let count = unsafe piece.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        return bytes
    }
}
