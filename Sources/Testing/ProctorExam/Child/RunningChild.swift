import ProctorBase
import ProctorGrading

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A running child, the leader of its own process group; functions block their thread.
struct RunningChild: Sendable {
    /// The process id of the leader, and the number of the group.
    let group: pid_t
    /// `ru_maxrss` of the reaped leader in bytes; nil before its end.
    fileprivate private(set) var highestMemory: Int?
    /// The value of ``LeftProcesses/variable`` in the environment of the child and its descendants.
    private let mark = LeftProcesses.nextMark()
    fileprivate var streams: ChildStreams
    /// The child's TMPDIR, removed with whatever the child left in it.
    private let temporaryFolder: ClientFolder

    /// Starts the child.
    ///
    /// `input` becomes a file that it reads; nil: the input is written while the child runs.
    init(_ settings: WatchedChild, input: [UInt8]? = nil) throws(CallFailure) {
        temporaryFolder = try ClientFolder(.temporary)
        var streams: ChildStreams
        do throws(CallFailure) {
            streams = try ChildStreams(input: input)
        } catch {
            temporaryFolder.remove()
            throw error
        }
        do throws(CallFailure) {
            // A child must not inherit ignored signals.
            var signals = sigset_t()
            unsafe sigfillset(&signals)
            let own = [LeftProcesses.variable: mark, "TMPDIR": temporaryFolder.path]
            group = try ProgramSpawn.start(
                settings.command, environment: settings.environment.merging(own) { $1 }, streams: streams.theirs,
                defaulting: signals,
                ownGroup: true)
        } catch {
            streams.close()
            temporaryFolder.remove()
            throw error
        }
        streams.closeTheirs()
        self.streams = streams
    }

    /// Whether the group's leader has ended; it stays a zombie, so that its process id can't be used again.
    fileprivate var hasEnded: Bool {
        var information = unsafe siginfo_t()
        let result = unsafe waitid(P_PID, id_t(group), &information, WEXITED | WNOWAIT | WNOHANG)
        let code = errno
        return unsafe result == 0 ? information.si_signo == SIGCHLD : code != EINTR
    }

    /// Whether the child has written bytes that were not yet read.
    var hasUnreadOutput: Bool {
        var wait = pollfd(fd: streams.ours[0], events: Int16(POLLIN), revents: 0)
        return unsafe poll(&wait, 1, 0) > 0 && wait.revents & Int16(POLLIN) != 0
    }

    /// Asks the group to end.
    func interrupt() { kill(-group, SIGTERM) }

    /// Kills the rest of the group, closes the streams, reaps the leader, and ends what it left outside its group.
    @discardableResult
    mutating func terminate() -> WatchedChild.Ending {
        kill(-group, SIGKILL)
        defer {
            streams.close()
            ProgramSpawn.forget(group)
            LeftProcesses.killProcesses(of: mark)
            temporaryFolder.remove()
        }
        var status: Int32 = 0
        var usage = rusage()
        while unsafe wait4(group, &status, 0, &usage) < 0 {
            let code = errno
            guard code == EINTR else { return .notStarted(.system("wait4", code: code)) }
        }
        highestMemory = Int(usage.ru_maxrss) << 10
        return switch ProcessEnd(waitStatus: status) {
        case .exited(let code): .exited(code)
        case .signalled(let signal): .signalled(signal)
        }
    }
}

struct ChildExchange {
    private let settings: WatchedChild
    /// nil: the output is kept in `output`.
    private let onOutput: WatchedChild.OutputReader?
    /// Whether the output ends with an empty line, which is removed; otherwise it ends when the child ends.
    private let endsWithEmptyLine: Bool
    /// Input that is still to be written; empty where the input is a file.
    private var pending: ArraySlice<UInt8>
    private var output: [UInt8] = []
    private(set) var hasOutput = false
    private var errorOutput: [UInt8] = []
    private var errorByteCount = 0
    /// Whether the next byte of the output begins a line.
    private var isAtLineStart = true
    private var end = End.open
    private var isRefused = false
    /// Whether the child's input is closed after `pending`.
    private let endsInput: Bool
    /// Milliseconds in which the child ran and this process did not.
    private var pausedMilliseconds = 0
    private var usage: ChildUsage?
    private var spending: ClientSpending?

    init(
        settings: WatchedChild, endsWithEmptyLine: Bool = false, pending: ArraySlice<UInt8> = [],
        endsInput: Bool = false, onOutput: WatchedChild.OutputReader?
    ) {
        (self.settings, self.endsWithEmptyLine, self.pending) = (settings, endsWithEmptyLine, pending)
        (self.endsInput, self.onOutput) = (endsInput, onOutput)
    }

    /// The most reads of 64 KiB from an ended child, together more than a pipe can hold.
    private static let drainLimit = 32

    func outcome(_ ending: WatchedChild.Ending) -> WatchedChild.Outcome {
        WatchedChild.Outcome(
            ending: ending, output: output, errorOutput: errorOutput.ends(within: settings.errorLimit),
            hasOutput: hasOutput, hasEmptyLine: end != .open, pausedMilliseconds: pausedMilliseconds,
            spending: spending)
    }

    /// Blocks its thread; returns how the child ended, or nil when it has answered and lives.
    mutating func run(with child: inout RunningChild) -> WatchedChild.Ending? {
        measure(child, from: .start)
        let ending = watch(&child)
        spending = usage?.spending(highest: child.highestMemory)
        return ending
    }

    /// Begins to measure the child, where that is the beginning that was asked for.
    private mutating func measure(_ child: RunningChild, from beginning: ChildUsage.Beginning) {
        if settings.measuring == beginning, usage == nil { usage = ChildUsage(of: child.group, from: beginning) }
    }

    private mutating func watch(_ child: inout RunningChild) -> WatchedChild.Ending? {
        var time = WatchTime(from: MonotonicClock.nanoseconds)
        var limit = settings.deadline.wholeNanoseconds
        var isStopping = false
        while true {
            let watched = time.watched(until: MonotonicClock.nanoseconds)
            pausedMilliseconds = Int(time.paused / 1_000_000)
            if let stop = settings.stop, stop.isRequested, !isStopping {
                isStopping = true
                child.interrupt()
                limit = min(limit, watched &+ stop.patience.wholeNanoseconds)
            }
            if watched >= limit, isStopping {
                child.terminate()
                return .hung(milliseconds: Int(watched / 1_000_000))
            }
            if watched >= limit {
                limit = (settings.deadline + settings.patience()).wholeNanoseconds
                guard limit > watched else {
                    child.terminate()
                    return .hung(milliseconds: Int(watched / 1_000_000))
                }
            }
            if hasOutput, settings.gathering > .zero { usleep(UInt32(settings.gathering.wholeNanoseconds / 1_000)) }
            wait(for: &child.streams, milliseconds: (limit - watched) / 1_000_000 + 1)
            if hasOutput { measure(child, from: .firstOutput) }
            usage?.sampleProcesses()
            switch end {
            case .clean: return nil
            case .dirty:
                // Bytes after the empty line are the output of no input.
                child.terminate()
                return .exited(0)
            case .open: break
            }
            if let excess {
                child.terminate()
                return excess
            }
            // A grandchild may hold the streams open longer than the child lives.
            if child.hasEnded {
                usage?.sampleEndedLeader()
                drain(&child.streams)
                let ending = child.terminate()
                // A complete trace is used, even if the child crashed or hung afterwards.
                if let excess { return excess }
                return end == .open ? ending : .exited(0)
            }
        }
    }

    /// Waits once until a stream is ready, then reads or writes.
    private mutating func wait(for streams: inout ChildStreams, milliseconds: UInt64) {
        var waits = streams.ours.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        waits.append(pollfd(fd: pending.isEmpty ? -1 : streams.ourInput, events: Int16(POLLOUT), revents: 0))
        // A short wait, so that the end of a child is noticed even when another process keeps its streams open.
        let limit: UInt64 = waits.contains { $0.fd >= 0 } && settings.stop == nil ? 50 : 2
        guard unsafe poll(&waits, nfds_t(waits.count), Int32(clamping: min(milliseconds, limit))) > 0 else { return }
        if waits[2].revents != 0 {
            // A child that has closed its input gets no more bytes.
            pending = streams.send(pending.prefix(1 << 16)).map { pending.dropFirst($0) } ?? []
            if endsInput, pending.isEmpty { streams.closeInput() }
        }
        if waits[0].revents != 0, readOutput(streams.ours[0]) == .end { streams.closeOutput(0) }
        if waits[1].revents != 0, readErrorOutput(streams.ours[1]) == .end { streams.closeOutput(1) }
    }

    /// Reads the bytes that an ended child left in its pipes.
    private mutating func drain(_ streams: inout ChildStreams) {
        // The count is limited, so that a grandchild that still writes can't keep this loop running.
        for _ in 0..<Self.drainLimit where streams.ours[0] >= 0 {
            guard readOutput(streams.ours[0]) == .some, excess == nil else { break }
        }
        for _ in 0..<Self.drainLimit where streams.ours[1] >= 0 {
            guard readErrorOutput(streams.ours[1]) == .some, excess == nil else { break }
        }
    }

    /// The limit that the output has passed; nil while it has passed none.
    private var excess: WatchedChild.Ending? {
        if isRefused { return .refused }
        if output.count > settings.outputLimit { return .outputTooLong(limit: settings.outputLimit) }
        if errorByteCount > settings.errorOutputLimit { return .errorOutputTooLong(limit: settings.errorOutputLimit) }
        return nil
    }

    /// Whether the output has ended, and whether further bytes followed its end.
    private enum End { case open, clean, dirty }

    private enum Reading { case some, nothing, end }

    private mutating func readOutput(_ descriptor: Int32) -> Reading {
        var bytes: [UInt8] = []
        let reading = Self.read(descriptor, into: &bytes)
        guard !bytes.isEmpty else { return reading }
        hasOutput = true
        takeOutput(beforeEnd(of: bytes))
        return reading
    }

    /// The bytes before the empty line that ends the output; all of them where there is none.
    private mutating func beforeEnd(of bytes: [UInt8]) -> ArraySlice<UInt8> {
        guard endsWithEmptyLine else { return bytes[...] }
        guard end == .open else {
            end = .dirty
            return []
        }
        for (index, byte) in bytes.enumerated() {
            let isLineFeed = byte == 0x0A
            if isLineFeed, isAtLineStart {
                end = index == bytes.count - 1 ? .clean : .dirty
                return bytes[..<index]
            }
            isAtLineStart = isLineFeed
        }
        return bytes[...]
    }

    private mutating func takeOutput(_ bytes: ArraySlice<UInt8>) {
        guard !bytes.isEmpty else { return }
        guard let onOutput else {
            output += bytes
            return
        }
        if !onOutput(bytes) { isRefused = true }
    }

    private mutating func readErrorOutput(_ descriptor: Int32) -> Reading {
        let former = errorOutput.count
        let reading = Self.read(descriptor, into: &errorOutput)
        errorByteCount += errorOutput.count - former
        if errorOutput.count > settings.errorLimit * 2 {
            errorOutput = errorOutput.ends(within: settings.errorLimit)
        }
        return reading
    }

    private static func read(_ descriptor: Int32, into bytes: inout [UInt8]) -> Reading {
        unsafe withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer in
            let count = unsafe readDescriptor(descriptor, buffer)
            let code = errno
            guard count > 0 else { return count < 0 && (code == EINTR || code == EAGAIN) ? .nothing : .end }
            unsafe bytes += buffer[..<count]
            return .some
        }
    }
}

/// The system's `read`, under a name that methods do not hide.
private func readDescriptor(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    unsafe read(descriptor, buffer.baseAddress, buffer.count)
}
