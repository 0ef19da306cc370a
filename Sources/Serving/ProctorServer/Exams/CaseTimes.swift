internal import ProctorBase
package import ProctorGrading
internal import ProctorReplies
package import ProctorScenario

/// How long a client is waited for, in an exam by an adapter as in one inside tests.
package enum CaseTimes {
    /// How long the client's connections may take to end after the client has ended, before the journal is read.
    ///
    /// Long where the case asks how one ended: a client inside a test closes on a thread of its own, and a busy machine
    /// may give that no time for long.
    package static func settling(of item: Case) -> Duration {
        let asksForEnds = item.facts.contains { fact in
            switch fact.name {
            case .connection(_, "closedBy"), .connection(_, "end"): true
            default: false
            }
        }
        return asksForEnds ? .seconds(10) : .milliseconds(200)
    }

    /// Milliseconds.
    package static let longestDeadline = 600_000
    /// Milliseconds to wait for a client that its ledger says hangs.
    private static let patienceWithHangs = 3_000
    /// The most milliseconds of work, without waiting, of adapter and client on an idle machine.
    private static let workMilliseconds = 1_000.0

    /// The milliseconds after which a client hangs: those of its assignment on an idle machine, and the delay of this machine.
    ///
    /// `delay` is the factor of ``MachineDelay``.
    package static func deadline(
        _ milliseconds: Int, of id: CaseID, knownIn ledger: Ledger?, delay: Double, limit: Int = longestDeadline
    ) -> Int {
        let isKnownToHang = ledger?.deviation(for: id)?.parts.stop == .hang
        let own = min(milliseconds, limit, isKnownToHang ? patienceWithHangs : longestDeadline)
        return min(longestDeadline, own + Int((delay - 1) * workMilliseconds))
    }

    /// The milliseconds after which a client hangs, by the present delay of this machine.
    ///
    /// A thread that may wait measures the delay.
    package static func deadline(_ milliseconds: Int, of id: CaseID, knownIn ledger: Ledger?) async -> Int {
        let delay = await WorkThreads.reading.run(within: .ofInput) { _ in MachineDelay.shared.factor }
        return deadline(milliseconds, of: id, knownIn: ledger, delay: delay)
    }
}
