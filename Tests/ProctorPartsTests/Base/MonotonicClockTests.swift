import ProctorTestSupport
import Testing

@testable import ProctorBase

struct MonotonicClockTests {
    @Test func `the clock runs on, and has a name`() throws {
        let (first, second) = (MonotonicClock.nanoseconds, MonotonicClock.nanoseconds)
        #expect(first > 0 && first <= second)
        #expect(try #require(MonotonicClock.identity).count >= 36)
    }

    #if os(Linux)
        @Test func `the name is that of the system's start`() async throws {
            let boot = try await ChildProcess.run(["/bin/cat", "/proc/sys/kernel/random/boot_id"]).out
            let identity = try #require(MonotonicClock.identity)
            #expect(identity.hasPrefix(boot.dropLast()) && identity.contains(" time:["))
        }
    #endif
}
