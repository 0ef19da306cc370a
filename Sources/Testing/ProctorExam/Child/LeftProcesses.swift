internal import ProctorBase
internal import ProctorLoop

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Finds and ends processes that a child has left running, also those that left its process group by `setsid`.
///
/// On Linux this process becomes their parent; a variable of their environment, which descendants inherit, names the
/// child that they come from. On Darwin, and where /proc is missing, they are not found: only the child's group is
/// ended.
package enum LeftProcesses {
    /// The environment variable that names the child from which a process descends.
    static let variable = "PROCTOR_SITTING"

    private static let isAdopting = Locked(false)
    private static let markCount = Locked(0)

    /// Nanoseconds for which processes are ended again, since they may start others meanwhile.
    private static let patience: UInt64 = 2_000_000_000
    /// The most bytes of an environment that are searched for ``variable``.
    private static let environmentByteCount = 1 << 18

    /// Makes this process the parent of processes that its children leave running.
    ///
    /// Only for a program that starts all its children by ``ProgramSpawn``: any other child would be ended too.
    package static func adopt() {
        guard childLists != nil, Subreaper.activate() else { return }
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

    /// Ends the processes that the child with that mark has left, after the child is reaped; blocks its thread for two
    /// seconds at most.
    ///
    /// A process that has cleared its environment is ended only while no other child runs.
    static func killProcesses(of mark: String) {
        killProcesses { found, isAlone in found == mark || found == nil && isAlone }
    }

    /// Ends the processes that all children have left; blocks its thread for two seconds at most.
    package static func endAll() { killProcesses { _, _ in true } }

    /// Reaps the left processes that have ended by themselves; the others continue.
    package static func reapEnded() { killProcesses { _, _ in false } }

    private static func killProcesses(where isWanted: (_ mark: String?, _ isAlone: Bool) -> Bool) {
        guard isAdopting.withLock({ $0 }) else { return }
        let limit = MonotonicClock.nanoseconds &+ patience
        while MonotonicClock.nanoseconds < limit {
            var isAnyReaped = false
            // No child may start meanwhile, since it would count as a left process.
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
            // When a left process has ended, its children become children of this process.
            guard isAnyKilled || isAnyReaped else { return }
            if !isAnyReaped { usleep(1_000) }
        }
    }

    /// Paths of the files that list the children of each of this process's threads; nil where the system has none.
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

    /// The first bytes of a file; empty when the file can't be read, as when its process has ended.
    static func content(of path: String, limit: Int) -> [UInt8] {
        let descriptor = FileCalls.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4_096)
        while bytes.count < limit {
            let count = unsafe piece.withUnsafeMutableBytes {
                unsafe FileCalls.read(descriptor, $0.baseAddress, $0.count)
            }
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        return bytes
    }
}
