import Foundation
import ProctorBase
import ProctorTestSupport
import Testing

@testable import ProctorExam

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

struct WatchedChildTests {
    private let environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C"]

    private func shell(_ script: String, within deadline: Duration = .seconds(60)) -> WatchedChild {
        WatchedChild(command: ["sh", "-c", script], environment: environment, deadline: deadline)
    }

    @Test func `input goes in, output comes out, and the exit code is told`() async {
        let outcome = await shell("cat; echo oops >&2; exit 3").run(input: Array("hello\n".utf8))
        #expect(outcome.ending == .exited(3))
        #expect(String(decoding: outcome.output, as: UTF8.self) == "hello\n")
        #expect(outcome.lastErrorLine == "oops")
    }

    @Test func `output is handed on while the child lives`() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("proctor-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let seen = Locked<[UInt8]>([])
        // The child goes on only when its first line was seen.
        let script = "echo first; while [ ! -e '\(path)' ]; do sleep 0.01; done; echo second"
        let outcome = await shell(script).run { bytes in
            seen.withLock { $0 += bytes }
            return FileManager.default.createFile(atPath: path, contents: nil)
        }
        #expect(outcome.ending == .exited(0))
        #expect(seen.withLock { $0 } == Array("first\nsecond\n".utf8))
        #expect(outcome.output.isEmpty)
    }

    @Test func `much input and much output pass each other`() async {
        let input = [UInt8](repeating: UInt8(ascii: "x"), count: 3_000_000)
        let outcome = await shell("cat").run(input: input)
        #expect(outcome.ending == .exited(0))
        #expect(outcome.output.count == input.count)
    }

    @Test func `a child that does not read its input is let be`() async {
        let outcome = await shell("exec 0<&-; echo done").run(input: [UInt8](repeating: 0, count: 1_000_000))
        #expect(outcome.ending == .exited(0))
        #expect(String(decoding: outcome.output, as: UTF8.self) == "done\n")
    }

    @Test func `a trap is told by its signal, with what was written before`() async {
        let outcome = await shell("echo before; echo 'Fatal error: x' >&2; echo >&2; kill -ILL $$").run()
        #expect(outcome.ending == .signalled(SIGILL))
        #expect(String(decoding: outcome.output, as: UTF8.self) == "before\n")
        #expect(outcome.lastErrorLine == "Fatal error: x")
    }

    @Test func `a hang is ended with all of its group, and its output is kept`() async throws {
        let outcome = await shell("sleep 1000 & echo $!; sleep 1000", within: .milliseconds(500)).run()
        guard case .hung(let milliseconds) = outcome.ending else {
            Issue.record("expected a hang, found \(outcome.ending)")
            return
        }
        #expect(milliseconds >= 500)
        let text = String(decoding: outcome.output, as: UTF8.self)
        let line = try #require(text.split(separator: "\n").first)
        let grandchild = try #require(pid_t(String(line)))
        // It is init's to reap, which may take a moment; a zombie has ended too.
        #expect(await hasEnded(grandchild))
    }

    @Test func `a grandchild that keeps the streams open is not waited for, and ended`() async throws {
        let outcome = await shell("sleep 1000 & echo $!").run()
        #expect(outcome.ending == .exited(0))
        let text = String(decoding: outcome.output, as: UTF8.self)
        let line = try #require(text.split(separator: "\n").first)
        let grandchild = try #require(pid_t(String(line)))
        #expect(await hasEnded(grandchild))
    }

    @Test func `a child that closes its streams and stays is a hang too`() async {
        let outcome = await shell("exec 0<&- 1>&- 2>&-; sleep 1000", within: .milliseconds(300)).run()
        guard case .hung = outcome.ending else {
            Issue.record("expected a hang, found \(outcome.ending)")
            return
        }
    }

    @Test func `endless output ends the child`() async {
        var child = shell("yes")
        child.outputLimit = 1_000_000
        let outcome = await child.run()
        #expect(outcome.ending == .outputTooLong(limit: 1_000_000))
    }

    @Test func `a child whose output nobody wants any more is ended, with its group`() async {
        let byteCount = Locked(0)
        let outcome = await shell("yes & yes").run { bytes in
            byteCount.withLock { count in
                count += bytes.count
                return count < 100_000
            }
        }
        #expect(outcome.ending == .refused)
        // The reader is given at most what is read at once beyond that.
        #expect(byteCount.withLock { $0 } < 300_000)
    }

    @Test func `endless output on standard error ends the child too`() async {
        var child = shell("yes >&2")
        child.errorOutputLimit = 1_000_000
        let outcome = await child.run()
        #expect(outcome.ending == .errorOutputTooLong(limit: 1_000_000))
        #expect(outcome.errorOutput.count <= child.errorLimit)
    }

    @Test func `endless noise on standard error keeps its last lines`() async {
        var child = shell("i=0; while [ $i -lt 20000 ]; do echo line $i >&2; i=$((i+1)); done; echo last >&2")
        child.errorLimit = 1_000
        let outcome = await child.run()
        #expect(outcome.errorOutput.count <= 1_000)
        #expect(outcome.lastErrorLine == "last")
    }

    @Test func `a program that is not there is said so`() async {
        let child = WatchedChild(command: ["/nowhere/at-all"], environment: [:], deadline: .seconds(5))
        guard case .notStarted(let failure) = await child.run().ending else {
            Issue.record("expected that it cannot be started")
            return
        }
        #expect(failure.code == ENOENT)
    }

    @Test func `nothing of our environment reaches the child`() async {
        let outcome = await shell("echo ${HOME-none}").run()
        #expect(String(decoding: outcome.output, as: UTF8.self) == "none\n")
    }

    private func hasEnded(_ pid: pid_t) async -> Bool {
        for _ in 0..<2_000 {
            if kill(pid, 0) != 0 || isZombie(pid) { return true }
            try? await Task.sleep(for: .milliseconds(5))
        }
        return false
    }

    private func isZombie(_ pid: pid_t) -> Bool {
        guard let file = unsafe fopen("/proc/\(pid)/stat", "r") else { return false }
        defer { unsafe fclose(file) }
        var line = [CChar](repeating: 0, count: 512)
        guard unsafe fgets(&line, 512, file) != nil else { return false }
        return String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).contains(") Z ")
    }
}

struct WatchdogTests {
    @Test func `the watchdog stands behind the deadline as far as it is asked to`() async throws {
        var child = WatchedChild(
            command: ["sleep", "600"], environment: ["PATH": "/usr/bin:/bin"], deadline: .milliseconds(200))
        let count = Locked(0)
        child.patience = {
            // It grows while the machine gets slower, and is asked again.
            count.withLock { count in
                count += 1
                return .milliseconds(min(count, 3) * 300)
            }
        }
        let outcome = await child.run()
        guard case .hung(let milliseconds) = outcome.ending else {
            Issue.record("\(outcome.ending)")
            return
        }
        #expect(milliseconds >= 1_100)
        #expect(count.withLock { $0 } >= 4)
    }

    @Test func `a child that ends between its deadline and the watchdog has not hung`() async throws {
        var child = WatchedChild(
            command: ["sh", "-c", "sleep 1; echo done"], environment: ["PATH": "/usr/bin:/bin"],
            deadline: .milliseconds(100))
        child.patience = { Patience.whole }
        let outcome = await child.run()
        #expect(outcome.ending == .exited(0))
        #expect(outcome.output == Array("done\n".utf8))
    }
}

/// The time of a watchdog whose own process was stopped for a while.
struct WatchTimeTests {
    private static let second: UInt64 = 1_000_000_000

    @Test func `time in which the watchdog did not look is not the child's`() {
        let start: UInt64 = 1 << 40
        var time = WatchTime(from: start)
        #expect(time.watched(until: start + Self.second) == Self.second && time.paused == 0)
        // A minute between two looks that are 50 ms apart.
        #expect(time.watched(until: start + 61 * Self.second) == Self.second && time.paused == 60 * Self.second)
        #expect(time.watched(until: start + 62 * Self.second) == 2 * Self.second)
        #expect(time.watched(until: start + 72 * Self.second) == 2 * Self.second && time.paused == 70 * Self.second)
    }

    @Test func `a busy machine's long turn is the child's time`() {
        var time = WatchTime(from: 0)
        #expect(time.watched(until: 2 * Self.second) == 2 * Self.second && time.paused == 0)
    }
}
