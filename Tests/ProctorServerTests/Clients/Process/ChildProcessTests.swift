import Foundation
import ProctorBase
import Testing

/// The watchdog of the clients under test.
struct ChildProcessTests {
    @Test func `a program that never ends is killed with all of its group`() async throws {
        let child = try await blocking {
            let process = try ChildProcess(["/bin/sh", "-c", "sleep 600 & echo $!; wait"])
            let line = try process.readLine(until: MonotonicClock.nanoseconds + 20_000_000_000)
            #expect(throws: ChildProcess.Failure.hang) {
                try process.readToEnd(until: MonotonicClock.nanoseconds + 50_000_000)
            }
            return try #require(Int32(String(decoding: line, as: UTF8.self)))
        }
        // The orphan is init's to reap, which takes a moment.
        let deadline = MonotonicClock.nanoseconds + 20_000_000_000
        while isRunning(child), MonotonicClock.nanoseconds < deadline { try await Task.sleep(for: .milliseconds(5)) }
        #expect(!isRunning(child))
    }

    @Test func `a program that ends before its answer is no hang`() async throws {
        try await blocking {
            let process = try ChildProcess(["/bin/sh", "-c", "exit 3"])
            #expect(throws: ChildProcess.Failure.endedEarly) {
                try process.readLine(until: MonotonicClock.nanoseconds + 20_000_000_000)
            }
            #expect(try process.readToEnd(until: MonotonicClock.nanoseconds + 20_000_000_000).status == 3 << 8)
        }
    }

    @Test func `a program that is not there is named`() {
        #expect(throws: ChildProcess.Failure.self) { try ChildProcess(["/nowhere/client"]) }
    }

    /// A zombie has ended too.
    private func isRunning(_ identifier: Int32) -> Bool {
        guard kill(identifier, 0) == 0 else { return false }
        let status = try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8)
        return status?.contains(") Z ") != true
    }
}
