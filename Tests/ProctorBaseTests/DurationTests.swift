import ProctorBase
import Testing

struct DurationTests {
    @Test(
        arguments: [
            (.zero, 0), (.nanoseconds(1), 1), (.milliseconds(1500), 1_500_000_000), (.seconds(3600), 3_600_000_000_000),
            (.nanoseconds(-1), 0), (.seconds(-5), 0),
            (Duration(secondsComponent: 0, attosecondsComponent: 999_999_999), 0),
            (Duration(secondsComponent: 1, attosecondsComponent: 1_999_999_999), 1_000_000_001),
            // The edge of Int64 nanoseconds, which are 292 years.
            (
                Duration(secondsComponent: 9_223_372_036, attosecondsComponent: 854_775_807_000_000_000),
                UInt64(Int64.max)
            ),
            (
                Duration(secondsComponent: 9_223_372_036, attosecondsComponent: 854_775_806_000_000_000),
                UInt64(Int64.max) - 1
            ),
            (
                Duration(secondsComponent: 9_223_372_036, attosecondsComponent: 999_999_999_000_000_000),
                UInt64(Int64.max)
            ),
            // The edge of UInt64 nanoseconds, where a sum could wrap around.
            (
                Duration(secondsComponent: 18_446_744_073, attosecondsComponent: 900_000_000_000_000_000),
                UInt64(Int64.max)
            ),
            (.seconds(Int64.max), UInt64(Int64.max)), (.seconds(Int64.min), 0),
        ] as [(Duration, UInt64)])
    func `nanoseconds are cut to whole ones and to their range`(duration: Duration, nanoseconds: UInt64) {
        #expect(duration.wholeNanoseconds == nanoseconds)
    }

    @Test func `the clock runs forward`() {
        var last = MonotonicClock.nanoseconds
        for _ in 0..<10_000 {
            let now = MonotonicClock.nanoseconds
            #expect(now >= last)
            last = now
        }
    }
}
