import ProctorBase
import ProctorHTTP

extension SeenExchange {
    /// Whether that moment is no sooner than Retry-After of the reply says, counted from its first byte; nil where it says nothing
    /// that can be read.
    ///
    /// A date is counted from the reply's own Date. Both are whole seconds, so that it may be up to a second nearer than their
    /// difference.
    func hasWaited(until moment: UInt64) -> Bool? {
        guard let seconds = retryAfter, let begun = replyNanoseconds else { return nil }
        let (passed, isBefore) = moment.subtractingReportingOverflow(begun)
        let (wanted, isEndless) = UInt64(max(0, seconds)).multipliedReportingOverflow(by: 1_000_000_000)
        guard !isBefore, !isEndless else { return false }
        let (eased, isOver) = passed.addingReportingOverflow(Self.earlinessOfTimers)
        return isOver || eased >= wanted
    }

    /// Timers that count in milliseconds may fire a part of one early.
    private static let earlinessOfTimers: UInt64 = 2_000_000

    /// The fewest seconds that Retry-After asks for (RFC 9110 §10.2.3).
    private var retryAfter: Int? {
        guard let value = single("Retry-After") else { return nil }
        if !value.isEmpty, value.allSatisfy({ 0x30...0x39 ~= $0 }) {
            return Int(String(decoding: value, as: UTF8.self)) ?? .max
        }
        guard let date = replyFields.date(of: "Date", now: 0),
            let retry = replyFields.date(of: "Retry-After", now: date)
        else { return nil }
        let (difference, isTooFar) = retry.subtractingReportingOverflow(date)
        return isTooFar ? nil : difference - 1
    }
}
