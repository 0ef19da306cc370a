import Foundation
public import ProctorBase

/// A program in a process group of its own, all of which is killed with its owner at the latest.
///
/// From any thread, but calls with a limit block until then, so never from a task's: see ``onThread(_:)``. Foundation's
/// `Process` is not used: with many threads and descriptors, as in a test of a server, it was seen to crash.
public final class ChildProcess: Sendable {
    private let supervisor: Supervisor

    /// Why a program failed, with its name and the end of its standard error.
    public struct Failure: Error, CustomStringConvertible {
        /// The kind of failure.
        public enum Reason: Sendable, Equatable {
            case notStarted(CallFailure)
            /// The limit passed; the process group was killed.
            case hang
            /// The output ended before the line that was asked for.
            case endedEarly
            /// The program wrote more than is kept; the process group was killed.
            case tooMuchOutput
        }

        /// The kind of failure, for tests.
        public let reason: Reason
        /// The program's words, the reason and the last 2,000 bytes of its standard error, in one text.
        public let description: String
    }

    /// Starts `words[0]`, which is a path, with the default signals.
    ///
    /// Proxies of the environment are not handed on: a program under test must not leave the machine. Without
    /// `takesInput` there is nothing to read.
    public init(
        _ words: [String], environment: [String: String] = [:], in folder: String? = nil, takesInput: Bool = false
    ) throws(Failure) {
        do throws(CallFailure) {
            supervisor = try Supervisor(
                ProgramStart(words, environment: environment, folder: folder), takesInput: takesInput)
        } catch {
            throw Failure(reason: .notStarted(error), description: "\(error)")
        }
    }

    deinit {
        supervisor.kill()
        supervisor.closeInput()
    }

    /// The id of the process and of its group.
    public var id: Int32 { supervisor.id }

    /// False once all it wrote was read and it was reaped.
    public var isRunning: Bool { supervisor.status == nil }

    /// What stands unread on standard output: everything written so far, less the lines taken by ``readLine(within:)``.
    public var output: [UInt8] { supervisor.output }

    /// Everything written to standard error so far.
    public var errors: [UInt8] { supervisor.errors }

    /// ``output`` as text.
    public var out: String { String(decoding: output, as: UTF8.self) }
    /// ``errors`` as text.
    public var err: String { String(decoding: errors, as: UTF8.self) }

    /// Ends the whole group at once; harmless when it has ended.
    public func kill() { supervisor.kill() }

    /// Signals the program alone; nothing happens once it was reaped.
    public func send(signal: Int32) { supervisor.send(signal: signal) }

    /// Writes all of it; a program that has ended is found out by the next read.
    public func write(_ bytes: [UInt8], within limit: Duration = Patience.idle) throws(Failure) {
        guard supervisor.write(bytes, within: limit) else { throw giveUp(.hang) }
    }

    /// The program's standard input ends.
    public func finishInput() { supervisor.closeInput() }

    /// The next line of the program's output, without its end.
    public func readLine(within limit: Duration = Patience.idle) throws(Failure) -> [UInt8] {
        switch supervisor.waitForLine(within: limit) {
        case .line(let line): return line
        case .end: throw giveUp(supervisor.isOverflown ? .tooMuchOutput : .endedEarly)
        case .late: throw giveUp(.hang)
        }
    }

    /// Waits for the end; returns the exit status, or the number of the signal that ended it, negated.
    @discardableResult
    public func waitUntilExit(within limit: Duration = Patience.idle) throws(Failure) -> Int32 {
        guard let status = supervisor.waitForEnd(within: limit) else { throw giveUp(.hang) }
        if supervisor.isOverflown { throw giveUp(.tooMuchOutput) }
        return status
    }

    private func giveUp(_ reason: Failure.Reason) -> Failure {
        kill()
        let complaint = String(decoding: errors.suffix(2_000), as: UTF8.self)
        return Failure(reason: reason, description: "\(supervisor.name): \(reason); standard error: \(complaint)")
    }
}

extension ChildProcess {
    /// A program's exit status and output.
    public struct Outcome: Sendable {
        /// The exit status, or the number of the signal that ended it, negated.
        public let status: Int32
        /// Whole standard output, at most 16 MiB.
        public let output: [UInt8]
        /// Whole standard error, at most 16 MiB.
        public let errors: [UInt8]

        /// Standard output as text.
        public var out: String { String(decoding: output, as: UTF8.self) }
        /// Standard error as text.
        public var err: String { String(decoding: errors, as: UTF8.self) }
    }

    /// Runs a program to its end on a thread of its own; a late one is killed with its group.
    public static func run(
        _ words: [String], environment: [String: String] = [:], in folder: String? = nil, input: [UInt8]? = nil,
        within limit: Duration = Patience.idle
    ) async throws -> Outcome {
        try await onThread {
            try runNow(words, environment: environment, in: folder, input: input, within: limit)
        }
    }

    /// Like ``run``, on the caller's thread, which blocks.
    public static func runNow(
        _ words: [String], environment: [String: String] = [:], in folder: String? = nil, input: [UInt8]? = nil,
        within limit: Duration = Patience.idle
    ) throws(Failure) -> Outcome {
        let process = try ChildProcess(words, environment: environment, in: folder, takesInput: input != nil)
        if let input {
            try process.write(input, within: limit)
            process.finishInput()
        }
        let status = try process.waitUntilExit(within: limit)
        return Outcome(status: status, output: process.output, errors: process.errors)
    }
}
