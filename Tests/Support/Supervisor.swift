import Foundation
import ProctorBase

/// Reads what a child writes, and reaps it, on a thread of its own, which ends after the child.
final class Supervisor: @unchecked Sendable {
    let id: pid_t
    let name: String
    /// Guards all following properties, and is signalled at each change.
    private let changes = NSCondition()
    private var input: Int32
    private var outputStream: BoundedStream
    private var errorStream: BoundedStream
    private var endStatus: Int32?

    init(_ start: ProgramStart, takesInput: Bool) throws(CallFailure) {
        let output = try StreamPair.output()
        let errors: StreamPair
        let input: StreamPair?
        do throws(CallFailure) {
            errors = try StreamPair.output()
        } catch {
            output.close()
            throw error
        }
        do throws(CallFailure) {
            input = takesInput ? try StreamPair.input() : nil
        } catch {
            output.close()
            errors.close()
            throw error
        }
        do throws(CallFailure) {
            id = try start.spawn(input: input?.theirs, output: output.theirs, errors: errors.theirs)
        } catch {
            for pair in [output, errors, input] { pair?.close() }
            throw error
        }
        for pair in [output, errors, input] {
            if let pair { _ = close(pair.theirs) }
        }
        name = start.name
        self.input = input?.ours ?? -1
        outputStream = BoundedStream(output.ours)
        errorStream = BoundedStream(errors.ours)
        let thread = Thread { [self] in supervise() }
        thread.stackSize = 1 << 20
        thread.start()
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        changes.lock()
        defer { changes.unlock() }
        return body()
    }

    // MARK: The thread

    private func supervise() {
        while true {
            var entries = locked { [outputStream, errorStream] }
                .compactMap { $0.isAtEnd ? nil : pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
            if entries.isEmpty { break }
            // Only the streams' end is waited for by the clock: others may hold them when the program has ended.
            unsafe poll(&entries, nfds_t(entries.count), 100)
            locked {
                drain()
                changes.broadcast()
            }
            if hasEnded(waiting: false) { break }
        }
        _ = hasEnded(waiting: true)
        locked {
            // It is not reaped yet, so the number of the group is not another's.
            _ = Foundation.kill(-id, SIGKILL)
            var status: Int32 = 0
            while unsafe waitpid(id, &status, 0) < 0, errno == EINTR {}
            ProgramSpawn.forget(id)
            drain()
            outputStream.end()
            errorStream.end()
            // Low seven bits: the signal that ended it, or 0 and the exit status above.
            endStatus = status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
            changes.broadcast()
        }
    }

    /// Whether the program has ended; it is not reaped by this.
    private func hasEnded(waiting: Bool) -> Bool {
        var facts = unsafe siginfo_t()
        let options = WEXITED | WNOWAIT | (waiting ? 0 : WNOHANG)
        while unsafe waitid(P_PID, id_t(id), &facts, options) < 0 {
            if errno != EINTR { return true }
        }
        return unsafe facts.si_signo == SIGCHLD
    }

    /// With the lock held.
    private func drain() {
        outputStream.drain()
        errorStream.drain()
        if outputStream.isOverflown || errorStream.isOverflown, endStatus == nil { _ = Foundation.kill(-id, SIGKILL) }
    }

    // MARK: Any thread

    var status: Int32? { locked { endStatus } }
    var isOverflown: Bool { locked { outputStream.isOverflown || errorStream.isOverflown } }

    /// Includes all bytes that were written before the call.
    var output: [UInt8] {
        locked {
            drain()
            return outputStream.bytes
        }
    }

    var errors: [UInt8] {
        locked {
            drain()
            return errorStream.bytes
        }
    }

    func kill() {
        locked {
            if endStatus == nil { _ = Foundation.kill(-id, SIGKILL) }
        }
    }

    func send(signal: Int32) {
        locked {
            if endStatus == nil { _ = Foundation.kill(id, signal) }
        }
    }

    enum Answer {
        case line([UInt8])
        case end
        case late
    }

    func waitForLine(within limit: Duration) -> Answer {
        var time = LoadAdjustedTime(limit)
        return locked {
            while true {
                drain()
                if let line = outputStream.takeLine() { return .line(line) }
                if outputStream.isAtEnd { return .end }
                if !waitForChange(within: &time) { return .late }
            }
        }
    }

    func waitForEnd(within limit: Duration) -> Int32? {
        var time = LoadAdjustedTime(limit)
        return locked {
            while endStatus == nil, waitForChange(within: &time) {}
            return endStatus
        }
    }

    /// Waits for a change, or less long; false when the time is over.
    ///
    /// The caller holds the lock.
    private func waitForChange(within time: inout LoadAdjustedTime) -> Bool {
        guard let slice = time.nextSlice() else { return false }
        _ = changes.wait(until: Date(timeIntervalSinceNow: Double(slice.wholeNanoseconds) / 1e9))
        return true
    }

    // MARK: The thread that feeds the program

    /// False when the program has not taken all of it in time.
    func write(_ bytes: [UInt8], within limit: Duration) -> Bool {
        var time = LoadAdjustedTime(limit)
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Foundation.send(input, $0.baseAddress, $0.count, flags) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var entry = pollfd(fd: input, events: Int16(POLLOUT), revents: 0)
                guard let slice = time.nextSlice() else { return false }
                _ = unsafe poll(&entry, 1, Int32(clamping: slice.wholeNanoseconds / 1_000_000 + 1))
            } else if errno != EINTR {
                return true
            }
        }
        return true
    }

    /// Not while another thread writes.
    func closeInput() {
        guard input >= 0 else { return }
        _ = close(input)
        input = -1
    }
}
