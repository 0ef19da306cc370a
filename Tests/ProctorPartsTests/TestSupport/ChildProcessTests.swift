import Foundation
import ProctorTestSupport
import Testing

/// The watchdog of the programs under test.
struct ChildProcessTests {
    @Test func `a program that never ends is killed with all of its group`() async throws {
        let child = try await onThread {
            let process = try ChildProcess(["/bin/sh", "-c", "sleep 600 & echo $!; wait"])
            let line = try process.readLine()
            let failure = #expect(throws: ChildProcess.Failure.self) {
                try process.waitUntilExit(within: .milliseconds(50))
            }
            #expect(failure?.reason == .hang)
            #expect(try process.waitUntilExit() == -SIGKILL)
            return try #require(Int32(String(decoding: line, as: UTF8.self)))
        }
        try await waitForEnd(of: child)
    }

    @Test func `what a program leaves running ends with it`() async throws {
        let outcome = try await ChildProcess.run(["/bin/sh", "-c", "sleep 600 & echo $!"])
        #expect(outcome.status == 0)
        try await waitForEnd(of: try #require(Int32(outcome.out.dropLast())))
    }

    @Test func `a program ends with its owner, and is reaped`() async throws {
        let id = try await onThread { try ChildProcess(["/bin/sleep", "600"]).id }
        try await waitForEnd(of: id)
        let end = ContinuousClock.now + Patience.whole
        while kill(id, 0) == 0, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(5)) }
        #expect(kill(id, 0) != 0)
    }

    @Test func `a program that ends before its answer is no hang`() async throws {
        try await onThread {
            let process = try ChildProcess(["/bin/sh", "-c", "echo why >&2; exit 3"])
            let failure = #expect(throws: ChildProcess.Failure.self) { try process.readLine() }
            #expect(failure?.reason == .endedEarly)
            #expect(failure?.description.contains("why") == true)
        }
        #expect(try await ChildProcess.run(["/bin/sh", "-c", "exit 3"]).status == 3)
    }

    @Test func `a program that is not there is named`() throws {
        let failure = #expect(throws: ChildProcess.Failure.self) { try ChildProcess(["/nowhere/client"]) }
        #expect(failure?.description.hasPrefix("run /nowhere/client: ") == true)
    }

    @Test func `a megabyte goes in and comes out, on each of two streams`() async throws {
        let bytes = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        let outcome = try await ChildProcess.run(["/bin/sh", "-c", "tee /dev/stderr"], input: bytes)
        #expect(outcome.status == 0)
        #expect(outcome.output == bytes)
        #expect(outcome.errors == bytes)
    }

    @Test func `a program that reads nothing is a hang once no more can be sent`() async throws {
        try await onThread {
            let process = try ChildProcess(["/bin/sleep", "600"], takesInput: true)
            let failure = #expect(throws: ChildProcess.Failure.self) {
                try process.write([UInt8](repeating: 0x2E, count: 8 << 20), within: .milliseconds(50))
            }
            #expect(failure?.reason == .hang)
        }
    }

    @Test func `endless output is refused`() async throws {
        let failure = await #expect(throws: ChildProcess.Failure.self) {
            try await ChildProcess.run(["/bin/cat", "/dev/zero"])
        }
        #expect(failure?.reason == .tooMuchOutput)
    }

    @Test func `folder, variables and descriptors are as they were asked for`() async throws {
        let variables = ["A": "1", "HTTP_PROXY": "http://localhost:1"]
        let script = "pwd; echo $A $http_proxy $HTTP_PROXY; ls /dev/fd/ | wc -l; cat"
        let outcome = try await ChildProcess.run(["/bin/sh", "-c", script], environment: variables, in: "/")
        // The three streams, and the one by which ls reads the folder.
        #expect(
            outcome.out.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
                == ["/", "1 http://localhost:1", "4"])
        #expect(outcome.status == 0)
    }

    /// An orphan is init's to reap, which takes a moment; a zombie has ended.
    private func waitForEnd(of id: Int32) async throws {
        let end = ContinuousClock.now + Patience.whole
        while isRunning(id), ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(5)) }
        #expect(!isRunning(id))
    }

    private func isRunning(_ id: Int32) -> Bool {
        guard kill(id, 0) == 0 else { return false }
        let status = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
        return status?.contains(") Z ") != true
    }
}
