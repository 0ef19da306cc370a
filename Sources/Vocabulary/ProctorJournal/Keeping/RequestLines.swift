internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// One line for each answered request, in the order of the replies; safe from any thread.
///
/// The thread that serves only collects what a request's line will say. The task in ``run(_:)`` makes the text and prints
/// it, so a slow terminal does not slow replies; requests beyond a bound are dropped and counted.
///
///     12:00:01.123  plain/get  GET /hello  200  5 bytes  0.4 ms
package final class RequestLines: Sendable {
    private let requests: AsyncStream<LoggedRequest>
    private let sink: AsyncStream<LoggedRequest>.Continuation
    private let dropped = Locked(0)

    /// The most requests that wait to be printed.
    package static let waitingLimit = 1_000

    /// Lines are printed while ``run(_:)`` runs.
    package init() {
        (requests, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.waitingLimit))
    }

    /// Calls `print` with each line, without line feed, until ``finish()``; to be called once.
    package func run(_ print: (String) -> Void) async { await run { print($0.text) } }

    /// Like ``run(_:)``, with what the line is made of.
    package func run(_ print: (RequestLogLine) -> Void) async {
        for await request in requests {
            // Read each time, since the clocks part while the machine sleeps.
            print(.request(request, WallClockOffset()))
            let count = dropped.withLock { count in
                defer { count = 0 }
                return count
            }
            if count > 0 { print(.dropped(count)) }
        }
    }

    /// Ends ``run(_:)`` after the lines that wait.
    package func finish() { sink.finish() }

    /// For one journal; without `scenario`, of the shared port.
    func source(scenario: String?, run: String? = nil) -> Source { Source(lines: self, scenario: scenario, run: run) }

    private func add(_ request: LoggedRequest) {
        if case .dropped = sink.yield(request) { dropped.withLock { $0 += 1 } }
    }

    final class Source: Sendable {
        private let lines: RequestLines
        private let scenario: String?
        private let run: String?
        private let open = Locked(OpenRequests())

        init(lines: RequestLines, scenario: String?, run: String?) {
            (self.lines, self.scenario, self.run) = (lines, scenario, run)
        }

        /// To be called in the journal's order.
        func add(_ entry: JournalEntry) {
            guard let connection = entry.connection else { return }
            for notes in open.withLock({ $0.ended(by: entry, connection: connection) }) {
                lines.add(LoggedRequest(scenario: scenario, run: run, notes: notes))
            }
        }
    }
}

/// Turns the times of journals into times of day.
package struct WallClockOffset: Sendable {
    /// Nanoseconds of CLOCK_REALTIME at 0 of the journals' clock.
    private let offset: Int64

    package init() {
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        offset = Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec) - Int64(clamping: MonotonicClock.nanoseconds)
    }

    /// `12:00:01.123`, local time.
    func timeOfDay(at nanoseconds: UInt64) -> String {
        let (seconds, milliseconds) = split(nanoseconds)
        var time = seconds
        var parts = unsafe tm()
        unsafe localtime_r(&time, &parts)
        return unsafe Self.text([parts.tm_hour, parts.tm_min, parts.tm_sec], ":") + "." + Self.digits(milliseconds, 3)
    }

    /// `2026-11-22T12:00:01.123Z` (RFC 3339 §5.6), UTC.
    func timestamp(at nanoseconds: UInt64) -> String {
        let (seconds, milliseconds) = split(nanoseconds)
        var time = seconds
        var parts = unsafe tm()
        unsafe gmtime_r(&time, &parts)
        let date = unsafe [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday]
        let day = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec]
        return "\(Self.text(date, "-"))T\(Self.text(day, ":")).\(Self.digits(milliseconds, 3))Z"
    }

    private func split(_ nanoseconds: UInt64) -> (seconds: time_t, milliseconds: Int) {
        let now = offset &+ Int64(clamping: nanoseconds)
        return (time_t(now / 1_000_000_000), Int(now % 1_000_000_000) / 1_000_000)
    }

    private static func text(_ parts: [Int32], _ separator: String) -> String {
        parts.map { digits(Int($0), 2) }.joined(separator: separator)
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
