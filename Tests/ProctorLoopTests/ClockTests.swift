import CUV
import ProctorBase
import Testing

struct ClockTests {
    @Test func `the monotonic clock is the clock of libuv`() {
        for _ in 0..<1000 {
            let before = MonotonicClock.nanoseconds
            let libuv = uv_hrtime()
            let after = MonotonicClock.nanoseconds
            #expect(before <= libuv && libuv <= after)
        }
    }
}
