import Foundation
import ProctorTestSupport
import Testing

/// A process that blocks all signals starts `proctor`, as a task of Swift does by Foundation's `Process`.
@Suite(.limit(minutes: 5))
struct SignalMaskTests {
    private static let guardian = [
        "/usr/bin/env", "python3", "-c",
        "import os, signal, sys; signal.pthread_sigmask(signal.SIG_SETMASK, signal.valid_signals()); os.execvp(sys.argv[1], sys.argv[1:])",
    ]

    @Test func `the end of a command is seen`() async throws {
        let words = [Child.binary, "run", "plain/get", "--", "curl", "-s", "{{base}}/hello"]
        let outcome = try await ChildProcess.run(Self.guardian + words)
        #expect(outcome.status == 0 && outcome.out.contains("hello"), "\(outcome.out)\(outcome.err)")
    }

    @Test func `a server stops when it is told to`() async throws {
        let status = try await onThread { try ServingChild(nil, [], under: Self.guardian).end() }
        #expect(status == 0)
    }
}
