internal import ProctorBase
internal import ProctorGrading

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Measures the memory and the processor time of a child and its descendants by `/proc`, from a moment on.
///
/// Memory is `VmHWM`, the high-water mark that the kernel keeps for each process, of the process in which it was highest.
/// A sum over processes would count the pages that they share several times. What a process takes between the last look
/// and its end is not seen, nor are processes whose parent has ended.
struct ChildUsage {
    /// When the measuring begins.
    enum Beginning: Sendable {
        /// With the child: all it ever does belongs to the assignment.
        case start
        /// With its first output, before which an adapter may install or compile something.
        case firstOutput
    }

    /// Nanoseconds between two looks at least.
    private static let distance: UInt64 = 5_000_000

    private let leader: pid_t
    private let beginning: Beginning
    /// The highest mark of memory in bytes; nil: no look has found a process.
    private var memory: Int?
    /// Clock ticks of all processes when the measuring began, and at the last look.
    private var (first, last) = (0, 0)
    private var lastLook: UInt64 = 0

    /// nil where the system has no `/proc` of this kind.
    init?(of leader: pid_t, from beginning: Beginning) {
        (self.leader, self.beginning) = (leader, beginning)
        guard let process = ProcessFiles(leader), process.ticks != nil else { return nil }
        guard beginning == .firstOutput else { return }
        for process in processes() {
            process.resetMemory()
            first += process.ticks ?? 0
        }
    }

    /// Looks at the processes, unless the last look was just now.
    mutating func sampleProcesses() {
        let now = MonotonicClock.nanoseconds
        guard now &- lastLook >= Self.distance else { return }
        lastLook = now
        var ticks = 0
        for process in processes() {
            ticks += process.ticks ?? 0
            if let mark = process.memory { memory = max(memory ?? 0, mark) }
        }
        last = max(last, ticks)
    }

    /// Looks at the times of a leader that has ended and is not yet reaped; the kernel keeps them, but not its memory.
    mutating func sampleEndedLeader() { last = max(last, ProcessFiles(leader)?.ticks ?? 0) }

    /// What was taken, where `highest` is `ru_maxrss` of the reaped leader in bytes.
    ///
    /// That mark begins with the memory of the process that made the child (Linux, `exec`). So it is a bound, and it is
    /// the child's own only above this process's mark, where the child is measured from its start.
    func spending(highest: Int?) -> ClientSpending {
        var memory = memory
        if beginning == .start, let highest, let own = ProcessFiles(getpid())?.memory, highest > own {
            memory = max(memory ?? 0, highest)
        }
        let ticksPerSecond = max(1, sysconf(Int32(_SC_CLK_TCK)))
        return ClientSpending(
            memory: memory, memoryBound: highest, processorMilliseconds: max(0, last - first) * 1_000 / ticksPerSecond)
    }

    private func processes() -> [ProcessFiles] { ProcessFiles.all(from: leader) }
}

/// The files of one process under `/proc`; each is nil or empty when the process has ended.
struct ProcessFiles {
    private let folder: String

    /// The most processes that are looked at.
    private static let processLimit = 256

    /// A process and its descendants.
    static func all(from leader: pid_t) -> [ProcessFiles] {
        var processes: [ProcessFiles] = []
        var waiting = [leader]
        while let id = waiting.popLast(), processes.count < processLimit {
            guard let process = ProcessFiles(id) else { continue }
            processes.append(process)
            waiting += process.children
        }
        return processes
    }

    /// nil where there is no such process, or no `/proc`.
    init?(_ id: pid_t) {
        folder = "/proc/\(id)"
        guard unsafe access("\(folder)/stat", R_OK) == 0 else { return nil }
    }

    /// Processor time in clock ticks (`_SC_CLK_TCK`), with that of children that were waited for.
    var ticks: Int? {
        // The name of the program may have spaces and parentheses itself.
        let line = text("stat", limit: 4_096)
        guard let end = line.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = line.dropFirst(end + 1).split(separator: 0x20)
        // Fields 14 to 17 of proc(5): utime, stime, cutime, cstime; the state behind the name is field 3.
        guard fields.count > 14 else { return nil }
        return fields[11...14].reduce(0) { $0 + (Int(String(decoding: $1, as: UTF8.self)) ?? 0) }
    }

    /// The highest mark of resident memory in bytes.
    var memory: Int? {
        let lines = text("status", limit: 16_384).split(separator: 0x0A)
        let line = lines.first { $0.starts(with: "VmHWM:".utf8) }
        let digits = line?.drop { !$0.isASCIIDigit }.prefix { $0.isASCIIDigit }
        return digits.flatMap { Int(String(decoding: $0, as: UTF8.self)) }.map { $0 << 10 }
    }

    /// Sets the highest mark to the memory that the process has now (Linux 4.0).
    func resetMemory() {
        let descriptor = FileCalls.open("\(folder)/clear_refs", O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = FullWrite.write([UInt8(ascii: "5")], to: descriptor)
        close(descriptor)
    }

    var children: [pid_t] {
        let threads = (try? FolderList.names(in: "\(folder)/task")) ?? []
        return threads.flatMap { thread in
            text("task/\(thread)/children", limit: 1 << 16).split(separator: 0x20).compactMap {
                pid_t(String(decoding: $0, as: UTF8.self))
            }
        }
    }

    /// The inodes of the sockets that it has open, without those of its standard streams.
    var socketInodes: Set<Substring> {
        let numbers = ((try? FolderList.names(in: "\(folder)/fd")) ?? []).filter { (Int($0) ?? 0) > 2 }
        let targets = numbers.compactMap { SystemFile.target(ofLink: "\(folder)/fd/\($0)") }
        return Set(targets.filter { $0.hasPrefix("socket:[") }.map { $0.dropFirst(8).dropLast() })
    }

    /// The ports to which those sockets have TCP connections open, one for each, whatever their other ends have done.
    func connectedPorts(of inodes: Set<Substring>) -> [UInt16] {
        guard !inodes.isEmpty else { return [] }
        return ["net/tcp", "net/tcp6"].flatMap { name in
            text(name, limit: 16 << 20).split(separator: 0x0A).dropFirst().compactMap { line -> UInt16? in
                // proc(5): the remote address with its port in hexadecimal digits is field 3, the inode field 10.
                let fields = line.split(separator: 0x20)
                guard fields.count > 9, inodes.contains(Substring(decoding: fields[9], as: UTF8.self)) else {
                    return nil
                }
                return UInt16(String(decoding: fields[2].suffix(4), as: UTF8.self), radix: 16)
            }
        }
    }

    private func text(_ name: String, limit: Int) -> [UInt8] {
        LeftProcesses.content(of: "\(folder)/\(name)", limit: limit)
    }
}
