import ProctorBase

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A child that is given one input after the other, each one line, and ends what it writes for each with an empty line.
///
/// One caller at a time. A child that crashes, hangs or ends is replaced at the next input.
final class KeptChild: Sendable {
    private let life = Locked<Life?>(nil)

    /// A child that runs.
    private struct Life: Sendable {
        let group: pid_t
        var streams: ChildStreams
        /// Whether it has answered an input.
        var isUsed = false
    }

    deinit {
        guard var life = life.withLock({ $0 }) else { return }
        life.streams.close()
        _ = ChildWatch.stop(life.group, .exited(0))
    }

    /// Hands the child a line without its line feed, and waits on a thread of its own for what comes of it.
    ///
    /// `settings` has the command, the bounds, and the time for this input.
    func ask(
        _ settings: WatchedChild, _ line: [UInt8], onOutput: (@Sendable (ArraySlice<UInt8>) -> Void)?
    ) async -> WatchedChild.Outcome {
        await withCheckedContinuation { continuation in
            let thread = WorkerThread { [self] in
                continuation.resume(returning: answer(settings, line + [0x0A], onOutput))
            }
            if let thread {
                thread.detach()
            } else {
                let failure = CallFailure.system("pthread_create", code: EAGAIN)
                continuation.resume(
                    returning: WatchedChild.Outcome(ending: .notStarted(failure), output: [], errorOutput: []))
            }
        }
    }

    /// A used child that ends before it writes anything has not begun, so that a new one is given the input.
    private func answer(
        _ settings: WatchedChild, _ line: [UInt8], _ onOutput: (@Sendable (ArraySlice<UInt8>) -> Void)?
    ) -> WatchedChild.Outcome {
        while true {
            var current: Life
            do throws(CallFailure) {
                if let living = life.withLock({ $0 }) { current = living } else { current = try Self.start(settings) }
            } catch {
                return WatchedChild.Outcome(ending: .notStarted(error), output: [], errorOutput: [])
            }
            let wasUsed = current.isUsed
            var exchange = Exchange(settings: settings, onOutput: onOutput, pending: line[...])
            let ending = exchange.run(with: &current.streams, group: current.group)
            if ending == nil {
                current.isUsed = true
            } else {
                current.streams.close()
            }
            let survivor = ending == nil ? current : nil
            life.withLock { $0 = survivor }
            if wasUsed, exchange.output.isEmpty, ending?.isByItself == true { continue }
            return WatchedChild.Outcome(
                ending: ending ?? .exited(0), output: exchange.output,
                errorOutput: Array(exchange.errorOutput.suffix(settings.errorLimit)))
        }
    }

    private static func start(_ settings: WatchedChild) throws(CallFailure) -> Life {
        var streams = try ChildStreams()
        do throws(CallFailure) {
            // A child must not inherit what we ignore.
            var signals = sigset_t()
            unsafe sigfillset(&signals)
            let group = try ProgramSpawn.start(
                settings.command, environment: settings.environment, streams: streams.theirs, defaulting: signals,
                ownGroup: true)
            streams.closeTheirs()
            return Life(group: group, streams: streams)
        } catch {
            streams.close()
            throw error
        }
    }
}

extension WatchedChild.Ending {
    fileprivate var isByItself: Bool {
        switch self {
        case .exited, .signalled: true
        case .notStarted, .hung, .outputTooLong: false
        }
    }
}

/// One input and what the child writes for it; blocks its thread.
private struct Exchange {
    let settings: WatchedChild
    let onOutput: (@Sendable (ArraySlice<UInt8>) -> Void)?
    /// Of the input, not yet written.
    var pending: ArraySlice<UInt8>
    var output: [UInt8] = []
    var errorOutput: [UInt8] = []

    /// nil when the child has answered and lives; else how it ended, and then it is reaped.
    mutating func run(with streams: inout ChildStreams, group: pid_t) -> WatchedChild.Ending? {
        let start = MonotonicClock.nanoseconds
        var end = start &+ settings.deadline.wholeNanoseconds
        while true {
            let now = MonotonicClock.nanoseconds
            if now >= end {
                let later = start &+ (settings.deadline + settings.patience()).wholeNanoseconds
                guard later > now else {
                    return ChildWatch.stop(group, .hung(milliseconds: Int((now - start) / 1_000_000)))
                }
                end = later
            }
            wait(for: &streams, milliseconds: (end - min(now, end)) / 1_000_000 + 1)
            switch takeEnd() {
            case .clean: return nil
            case .dirty:
                // What was written behind the end belongs to nothing.
                _ = ChildWatch.stop(group, .exited(0))
                return .exited(0)
            case .open: break
            }
            if output.count > settings.outputLimit {
                return ChildWatch.stop(group, .outputTooLong(limit: settings.outputLimit))
            }
            if ChildWatch.hasEnded(group) { return drain(&streams, group) }
        }
    }

    /// One wait for any stream, and what it brings.
    private mutating func wait(for streams: inout ChildStreams, milliseconds: UInt64) {
        var waits = streams.ours.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        waits.append(pollfd(fd: pending.isEmpty ? -1 : streams.ourInput, events: Int16(POLLOUT), revents: 0))
        // Short, so that the end of a child whose streams live on is noticed.
        guard unsafe poll(&waits, nfds_t(waits.count), Int32(clamping: min(milliseconds, 50))) > 0 else { return }
        if waits[2].revents != 0 {
            if let count = streams.send(pending.prefix(1 << 16)) {
                pending = pending.dropFirst(count)
            } else {
                pending = []
            }
        }
        if waits[0].revents != 0, readOutput(streams.ours[0]) == .end { streams.close(0) }
        if waits[1].revents != 0, ChildWatch.read(streams.ours[1], into: &errorOutput) == .end { streams.close(1) }
    }

    private mutating func readOutput(_ descriptor: Int32) -> ChildWatch.Reading {
        let start = output.count
        let reading = ChildWatch.read(descriptor, into: &output)
        if let onOutput, output.count > start { onOutput(output[start...]) }
        return reading
    }

    private enum End { case open, clean, dirty }

    private var looked = 0

    /// Looks for the empty line, and cuts it off.
    private mutating func takeEnd() -> End {
        for index in looked..<output.count where output[index] == 0x0A && (index == 0 || output[index - 1] == 0x0A) {
            let isLast = index == output.count - 1
            output.removeSubrange(index...)
            return isLast ? .clean : .dirty
        }
        looked = output.count
        return .open
    }

    /// What a child left in its pipes when it ended; a trace that has its end is a whole one, however the child ended then.
    private mutating func drain(_ streams: inout ChildStreams, _ group: pid_t) -> WatchedChild.Ending {
        // What a pipe holds is bounded; a grandchild that goes on writing is not waited for.
        for _ in 0..<32 where streams.ours[0] >= 0 {
            guard readOutput(streams.ours[0]) == .some, output.count <= settings.outputLimit else { break }
        }
        for _ in 0..<32 where streams.ours[1] >= 0 {
            guard ChildWatch.read(streams.ours[1], into: &errorOutput) == .some else { break }
        }
        let ending = ChildWatch.reap(group)
        return takeEnd() == .open ? ending : .exited(0)
    }

    init(
        settings: WatchedChild, onOutput: (@Sendable (ArraySlice<UInt8>) -> Void)?, pending: ArraySlice<UInt8>
    ) {
        self.settings = settings
        self.onOutput = onOutput
        self.pending = pending
    }
}

/// The children of an adapter that takes many assignments, one for each sitting that goes on.
///
/// They end with the last reference to this.
final class KeptChildren: Sendable {
    private let idle = Locked<[KeptChild]>([])

    /// One that is asked by nobody else until it is given back.
    func take() -> KeptChild { idle.withLock { $0.popLast() } ?? KeptChild() }

    func giveBack(_ child: KeptChild) { idle.withLock { $0.append(child) } }
}
