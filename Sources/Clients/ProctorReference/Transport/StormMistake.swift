internal import ProctorBase
internal import ProctorHTTP

/// A deliberate mistake of schedules, which shows only where loads run beside others; `storm-mistakes.tsv` says what each does.
package enum StormMistake: String, Sendable, CaseIterable {
    case repeatsLost = "storm-repeats-lost"
    case repeatsLate = "storm-repeats-late"
    case keepsLate = "storm-keeps-late"
    case keepsOneJar = "storm-one-jar"
    case sendsLastCookie = "storm-last-cookie"
    case permitsMoreAfterLoss = "storm-more-after-loss"
    case givesUpOrigins = "storm-gives-up-origins"
    case leavesOpen = "storm-leaves-open"
    case forgetsCancelled = "storm-forgets-cancelled"

    /// Whether the connection of a transfer that ended so is kept for the next one.
    func keepsConnection(of end: TransferEnd) -> Bool {
        guard self == .keepsLate, case .failure(let failure) = end else { return false }
        return failure.error.kind == .timedOut
    }

    /// The failure as the faulty client tells it: as one of a request that was not processed.
    func failure(_ failure: TransferFailure) -> TransferFailure {
        var failure = failure
        switch failure.error.kind {
        case .timedOut: failure.isUnprocessed = failure.isUnprocessed || self == .repeatsLate
        case .connectionLost: failure.isUnprocessed = failure.isUnprocessed || self == .repeatsLost
        default: break
        }
        return failure
    }

    /// What sessions of the process leave behind.
    static let left = Locked<[any Sendable]>([])
    /// The cookies of the process.
    static let jar = ReferenceCookieStore()
    private static let lastCookie = Locked<[UInt8]?>(nil)

    /// Keeps the pairs that a reply has set, and gives the last one.
    static func keepCookie(_ fields: [[UInt8]]) {
        guard let pair = fields.last?.prefix(while: { $0 != UInt8(ascii: ";") }) else { return }
        lastCookie.withLock { $0 = Array(pair) }
    }

    static var cookie: [UInt8]? { lastCookie.withLock { $0 } }
}
