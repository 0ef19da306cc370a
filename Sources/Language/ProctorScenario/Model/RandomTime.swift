/// How long a wait lasts that is drawn by the seed of the run.
package enum RandomTime: Sendable, Equatable {
    /// Each nanosecond of the range is as likely as another.
    case between(ClosedRange<Duration>)
    /// Its logarithm has a normal distribution with the deviation `sigma` about that of the median; what is longer than
    /// `most` lasts `most`.
    case lognormal(median: Duration, sigma: Double, most: Duration)

    /// The longest that can be drawn.
    package var most: Duration {
        switch self {
        case .between(let range): range.upperBound
        case .lognormal(_, _, let most): most
        }
    }

    /// Its form in a journal, with times in seconds.
    var text: String {
        switch self {
        case .between(let range): "\(range.lowerBound)-\(range.upperBound)"
        case .lognormal(let median, let sigma, let most): "lognormal \(median) sigma \(sigma) most \(most)"
        }
    }
}
