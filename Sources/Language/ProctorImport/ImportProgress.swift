internal import ProctorBase

/// Tells how far a long import is, on one thread; a short one says nothing.
package final class ImportProgress {
    private let report: (String) -> Void
    private let now: () -> UInt64
    private var last: UInt64
    private var phase = ""
    private var count = 0
    private var done = 0

    /// Nanoseconds between two reports.
    private static let interval: UInt64 = 2_000_000_000

    package init(
        now: @escaping () -> UInt64 = { MonotonicClock.nanoseconds }, _ report: @escaping (String) -> Void
    ) {
        (self.report, self.now) = (report, now)
        last = now()
    }

    /// Begins a part of the work, as in "looking for secrets", with so many steps; 0 where their number is not known.
    package func beginPhase(_ phase: String, of count: Int = 0) {
        self.phase = phase
        self.count = count
        done = 0
        reportIfDue()
    }

    package func countStep() {
        done += 1
        reportIfDue()
    }

    private func reportIfDue() {
        let time = now()
        guard time &- last >= Self.interval else { return }
        last = time
        report(count > 0 ? "\(phase): \(done) of \(count)" : done > 0 ? "\(phase): \(done)" : phase)
    }
}
