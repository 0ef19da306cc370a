import ProctorBase

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Starts, reads and ends one child; blocks its thread.
struct ChildWatch {
    private let child: WatchedChild
    private let input: [UInt8]
    private let onOutput: (@Sendable (ArraySlice<UInt8>) -> Void)?
    private var output: [UInt8] = []
    private var errorOutput: [UInt8] = []

    /// Reads of 64 KiB, more than a pipe can hold.
    private static let drainLimit = 32

    init(_ child: WatchedChild, input: [UInt8], onOutput: (@Sendable (ArraySlice<UInt8>) -> Void)? = nil) {
        self.child = child
        self.input = input
        self.onOutput = onOutput
    }

    func run() -> WatchedChild.Outcome {
        var watch = self
        let ending = watch.watch()
        watch.errorOutput = Array(watch.errorOutput.suffix(child.errorLimit))
        return WatchedChild.Outcome(ending: ending, output: watch.output, errorOutput: watch.errorOutput)
    }

    private mutating func watch() -> WatchedChild.Ending {
        let start = MonotonicClock.nanoseconds
        var streams: ChildStreams
        let group: pid_t
        do throws(CallFailure) {
            streams = try ChildStreams(input: input)
        } catch {
            return .notStarted(error)
        }
        defer { streams.close() }
        do throws(CallFailure) {
            // A child must not inherit what we ignore.
            var signals = sigset_t()
            unsafe sigfillset(&signals)
            group = try ProgramSpawn.start(
                child.command, environment: child.environment, streams: streams.theirs, defaulting: signals,
                ownGroup: true)
        } catch {
            return .notStarted(error)
        }
        streams.closeTheirs()
        var end = start &+ child.deadline.wholeNanoseconds
        while streams.ours.contains(where: { $0 >= 0 }) {
            let now = MonotonicClock.nanoseconds
            if now >= end, !hasPatience(&end, since: start) {
                return Self.stop(group, .hung(milliseconds: Int((now - start) / 1_000_000)))
            }
            guard now < end else { continue }
            exchange(&streams, within: min((end - now) / 1_000_000 + 1, 1_000))
            if output.count > child.outputLimit { return Self.stop(group, .outputTooLong(limit: child.outputLimit)) }
            // A grandchild may hold the streams open for longer than the child lives.
            if Self.hasEnded(group) {
                drain(&streams)
                return Self.reap(group)
            }
        }
        return waitForEnd(of: group, until: end, since: start)
    }

    /// Moves the end where the child is to have more time.
    private func hasPatience(_ end: inout UInt64, since start: UInt64) -> Bool {
        let later = start &+ (child.deadline + child.patience()).wholeNanoseconds
        guard later > end else { return false }
        end = later
        return MonotonicClock.nanoseconds < end
    }

    /// The streams are closed, but the child may linger.
    private func waitForEnd(of group: pid_t, until deadline: UInt64, since start: UInt64) -> WatchedChild.Ending {
        var end = deadline
        while true {
            if Self.hasEnded(group) { return Self.reap(group) }
            let now = MonotonicClock.nanoseconds
            if now >= end, !hasPatience(&end, since: start) {
                return Self.stop(group, .hung(milliseconds: Int((now - start) / 1_000_000)))
            }
            // There is nothing to poll for; the end of a process that closed its streams is near.
            _ = poll(nil, 0, 2)
        }
    }

    /// One wait for any stream, and what it brings.
    private mutating func exchange(_ streams: inout ChildStreams, within milliseconds: UInt64) {
        var waits = streams.ours.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        // Short, so that the end of a child whose streams live on is noticed.
        guard unsafe poll(&waits, nfds_t(waits.count), Int32(clamping: min(milliseconds, 50))) > 0 else { return }
        if waits[0].revents != 0, readOutput(streams.ours[0]) == .end { streams.close(0) }
        if waits[1].revents != 0, Self.read(streams.ours[1], into: &errorOutput) == .end { streams.close(1) }
        if errorOutput.count > child.errorLimit * 2 { errorOutput.removeFirst(errorOutput.count - child.errorLimit) }
    }

    private mutating func drain(_ streams: inout ChildStreams) {
        // What a pipe holds is bounded; a grandchild that goes on writing is not waited for.
        for _ in 0..<Self.drainLimit where streams.ours[0] >= 0 {
            guard readOutput(streams.ours[0]) == .some, output.count <= child.outputLimit else { break }
        }
        for _ in 0..<Self.drainLimit where streams.ours[1] >= 0 {
            guard Self.read(streams.ours[1], into: &errorOutput) == .some else { break }
        }
    }

    enum Reading { case some, nothing, end }

    private mutating func readOutput(_ descriptor: Int32) -> Reading {
        let start = output.count
        let reading = Self.read(descriptor, into: &output)
        if let onOutput, output.count > start { onOutput(output[start...]) }
        return reading
    }

    static func read(_ descriptor: Int32, into bytes: inout [UInt8]) -> Reading {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe buffer.withUnsafeMutableBytes { buffer in
            unsafe readDescriptor(descriptor, buffer)
        }
        let code = errno
        if count > 0 {
            bytes += buffer[..<count]
            return .some
        }
        return count < 0 && (code == EINTR || code == EAGAIN) ? .nothing : .end
    }

    static func stop(_ group: pid_t, _ ending: WatchedChild.Ending) -> WatchedChild.Ending {
        kill(-group, SIGKILL)
        _ = reap(group)
        return ending
    }

    /// Whether the group's leader is over; it stays a zombie, so that its number can't become another's.
    static func hasEnded(_ leader: pid_t) -> Bool {
        var information = unsafe siginfo_t()
        let result = unsafe waitid(P_PID, id_t(leader), &information, WEXITED | WNOWAIT | WNOHANG)
        let code = errno
        return unsafe result == 0 ? information.si_signo == SIGCHLD : code != EINTR
    }

    /// Ends what is left of the group, and takes the leader's status.
    static func reap(_ leader: pid_t) -> WatchedChild.Ending {
        kill(-leader, SIGKILL)
        var status: Int32 = 0
        while unsafe waitpid(leader, &status, 0) < 0 {
            let code = errno
            guard code == EINTR else { return .notStarted(.system("waitpid", code: code)) }
        }
        return switch ProcessEnd(waitStatus: status) {
        case .exited(let code): .exited(code)
        case .signalled(let signal): .signalled(signal)
        }
    }
}

private func readDescriptor(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    unsafe read(descriptor, buffer.baseAddress, buffer.count)
}

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The names of signals that end processes.
enum SignalName {
    private static let names: [(number: Int32, name: String)] = [
        (SIGILL, "SIGILL"), (SIGTRAP, "SIGTRAP"), (SIGABRT, "SIGABRT"), (SIGBUS, "SIGBUS"), (SIGFPE, "SIGFPE"),
        (SIGSEGV, "SIGSEGV"), (SIGKILL, "SIGKILL"), (SIGTERM, "SIGTERM"), (SIGPIPE, "SIGPIPE"), (SIGHUP, "SIGHUP"),
        (SIGINT, "SIGINT"), (SIGQUIT, "SIGQUIT"), (SIGSYS, "SIGSYS"), (SIGXCPU, "SIGXCPU"), (SIGALRM, "SIGALRM"),
    ]

    /// `SIGTRAP`, or `signal 63` for one without a name here.
    static func name(of signal: Int32) -> String {
        names.first { $0.number == signal }?.name ?? "signal \(signal)"
    }
}
