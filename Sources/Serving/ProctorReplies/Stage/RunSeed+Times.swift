internal import ProctorBase
package import ProctorScenario

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

extension RunSeed {
    /// The time that a wait at that place lasts for that request, at most ``RandomTime/most``.
    package func time(_ time: RandomTime, request: Int, place: RandomPlace) -> Duration {
        switch time {
        case .between(let range):
            let nanoseconds =
                Int(clamping: range.lowerBound.wholeNanoseconds)...Int(clamping: range.upperBound.wholeNanoseconds)
            return .nanoseconds(number(in: nanoseconds, request: request, place: place))
        case .lognormal(let median, let sigma, let most):
            let factor = exp(sigma * normal(request: request, place: place))
            let microseconds = (Double(median.wholeNanoseconds) / 1_000 * factor).rounded()
            // Whole microseconds, so that the last bits of a system's logarithm make no difference.
            return min(Int(exactly: microseconds).map { .microseconds($0) } ?? most, most)
        }
    }

    /// A number of the standard normal distribution, by Box and Muller of two draws.
    private func normal(request: Int, place: RandomPlace) -> Double {
        let draws = (0...1).map { draw in
            Double(number(request: request, place: place, draw: draw) >> 11) * 0x1p-53
        }
        // The logarithm's number is above 0, since a draw is below 1.
        return (-2 * log(1 - draws[0])).squareRoot() * cos(2 * .pi * draws[1])
    }
}
