internal import ProctorBase

extension Duration {
    /// From now to an instant of ``MonotonicClock``, in nanoseconds; zero when that is over.
    package static func left(until end: UInt64) -> Duration {
        .nanoseconds(Int64(clamping: end - min(end, MonotonicClock.nanoseconds)))
    }
}
